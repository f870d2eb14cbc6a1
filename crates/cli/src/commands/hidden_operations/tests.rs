//! Tests of `hidden_operations`.

use super::{Flag, HiddenOperation, HidingCause, TrustAdvice, flags};
use aqueduct_operations::trust::TrustLevel;

fn hidden(source: &str, needed: TrustLevel) -> HiddenOperation {
    HiddenOperation {
        name: "x".to_owned(),
        rule: String::new(),
        setting: format!("--trust {source}={}", needed.name()),
        is_by_name: false,
        source: source.to_owned(),
        cause: HidingCause::Trust(needed),
    }
}

fn told(levels: &[(&str, TrustLevel, usize)]) -> String {
    let all: Vec<HiddenOperation> = levels
        .iter()
        .flat_map(|(source, level, count)| (0..*count).map(|_| hidden(source, *level)))
        .collect();
    let advice: Vec<TrustAdvice> =
        ["a", "b", "c"].iter().filter_map(|source| TrustAdvice::for_source(source, &all)).collect();
    TrustAdvice::describe(&advice, &[TrustLevel::Generated])
}

/// The lowest level that shows nearly all is named first, and what the rest needs beside it.
#[test]
fn the_lowest_level_that_will_do() {
    use TrustLevel::{Certified, CommunityReviewed, Validated};
    assert_eq!(told(&[("a", Validated, 3)]), "to show all: --trust a=validated");
    assert_eq!(
        told(&[("a", Validated, 40), ("a", CommunityReviewed, 2), ("a", Certified, 3)]),
        "to show all but 5: --trust a=validated; for those too: --trust a=certified"
    );
    assert_eq!(
        told(&[("a", Validated, 9), ("a", Certified, 1), ("b", Validated, 2)]),
        "to show all but one: --trust a=validated --trust b=validated; for that one: --trust a=certified"
    );
    assert_eq!(
        told(&[("a", Validated, 1), ("b", Validated, 2), ("c", Validated, 2)]),
        "to show all: --trust '*=validated'"
    );
    assert_eq!(
        told(&[("a", Validated, 1), ("b", Certified, 2), ("c", Validated, 2)]),
        "to show all: --trust a=validated --trust b=certified --trust c=validated"
    );
    // Here it would leave out too many.
    assert_eq!(told(&[("a", Validated, 1), ("a", Certified, 3)]), "to show all: --trust a=certified");
}

/// One flag for all takes nothing away from a source that is trusted further.
#[test]
fn nothing_is_lowered() {
    let flag = |name: &str| -> Flag { (format!("--trust {name}=validated"), TrustLevel::Validated) };
    let three = [flag("a"), flag("b"), flag("c")];
    let three: Vec<&Flag> = three.iter().collect();
    assert_eq!(flags(&three, &[TrustLevel::Validated]), "--trust '*=validated'");
    assert_eq!(
        flags(&three, &[TrustLevel::Official]),
        "--trust a=validated --trust b=validated --trust c=validated"
    );
}
