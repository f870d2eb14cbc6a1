//! Tests of `trust`.

use super::{MatrixDecision, TrustLevel};
use crate::category::Category;
use crate::danger::DangerLevel;

#[test]
fn which_level_lets_through_more() {
    let level = |name: &str| TrustLevel::parse(name).unwrap();
    for (more, less) in [
        ("generated", "untested"),
        ("validated", "generated"),
        ("validated", "verified"),
        ("official", "validated"),
        ("certified", "community_reviewed"),
    ] {
        assert!(level(more).lets_through_more_than(level(less)), "{more} {less}");
        assert!(!level(less).lets_through_more_than(level(more)), "{less} {more}");
    }
    assert!(!level("official").lets_through_more_than(level("certified")), "they are alike");
    assert!(!level("low").lets_through_more_than(level("generated")));
}

/// X-trust-1 X-danger-9 X-danger-10 X-danger-11 X-danger-12 X-danger-13 X-danger-14: five levels, each letting through
/// more than the one before, and the 25 cells.
#[test]
fn matrix() {
    let names = ["untested", "generated", "validated", "community_reviewed", "certified"];
    let columns = names.map(|name| TrustLevel::parse(name).unwrap());
    assert_eq!(columns.map(TrustLevel::name), names);
    let rows = [
        ("safe", "deny allow allow allow allow"),
        ("reversible", "deny deny allow allow allow"),
        ("destructive", "deny deny confirm allow allow"),
        ("dangerous", "deny deny deny confirm allow"),
        ("forbidden", "deny deny deny deny confirm"),
    ];
    for (danger, cells) in rows {
        let danger = DangerLevel::parse(danger).unwrap();
        let found: Vec<_> = columns
            .iter()
            .map(|level| match level.cell(danger) {
                MatrixDecision::Allow => "allow",
                MatrixDecision::Confirm => "confirm",
                MatrixDecision::Deny => "deny",
            })
            .collect();
        assert_eq!(found.join(" "), cells, "{danger:?}");
    }
}

/// R10.2-1 R10.2-2 R10.2-3 R10.2-4 R10.2-5: the levels of the runtime document and their categories.
#[test]
fn categories_by_level() {
    let allowed = |name: &str| {
        let level = TrustLevel::parse(name).unwrap();
        Category::ALL
            .into_iter()
            .filter(|c| level.permits(*c))
            .map(Category::upper)
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(allowed("generated"), "READ");
    assert_eq!(allowed("community"), "CREATE READ");
    assert_eq!(allowed("verified"), "CREATE READ UPDATE EXECUTE");
    assert_eq!(allowed("official"), "CREATE READ UPDATE DELETE EXECUTE");
    assert_eq!(allowed("untested"), "");
    assert_eq!(TrustLevel::NAMES.len(), 12);
    assert_eq!(TrustLevel::parse("medium"), Some(TrustLevel::Validated));
}

/// X-danger-15: the first column that does not deny.
#[test]
fn minimum_trust() {
    let least = |danger| TrustLevel::least_for(Category::Read, danger).name();
    assert_eq!(
        DangerLevel::ALL.map(least),
        ["generated", "validated", "validated", "community_reviewed", "certified"]
    );
}

/// X-trust-16: of two levels the stricter one decides about an operation: never is it let through further than by either.
#[test]
fn the_stricter_of_two_levels() {
    let all: Vec<TrustLevel> = TrustLevel::NAMES.iter().filter_map(|name| TrustLevel::parse(name)).collect();
    for (one, other) in all.iter().flat_map(|one| all.iter().map(move |other| (*one, *other))) {
        for category in Category::ALL {
            for danger in DangerLevel::ALL {
                let level = one.stricter(other, category, danger);
                assert!(level == one || level == other);
                let expected = one.outcome(category, danger).max(other.outcome(category, danger));
                assert_eq!(
                    level.outcome(category, danger),
                    expected,
                    "{one:?} {other:?} {category:?} {danger:?}"
                );
            }
        }
    }
    let stricter = |one: TrustLevel, other| one.stricter(other, Category::Read, DangerLevel::Safe);
    assert_eq!(
        stricter(TrustLevel::Validated, TrustLevel::Generated),
        TrustLevel::Generated,
        "the lower one"
    );
    assert_eq!(stricter(TrustLevel::Generated, TrustLevel::Validated), TrustLevel::Generated);
}

/// X-trust-9: the steps that promotions take.
#[test]
fn steps() {
    for ladder in [
        ["untested", "generated", "validated", "community_reviewed", "certified"],
        ["untrusted", "low", "community", "verified", "official"],
    ] {
        let steps = ladder.map(|name| TrustLevel::parse(name).unwrap().step());
        assert_eq!(steps, [0, 1, 2, 3, 4]);
    }
}
