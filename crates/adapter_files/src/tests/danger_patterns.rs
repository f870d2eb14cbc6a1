//! `danger_patterns`: names that an adapter calls dangerous besides ours (danger-level document, section 5).

use super::{codes, good, load_text, refusal, with_operations};
use aqueduct_operations::danger::DangerLevel::{self, Dangerous, Destructive, Forbidden, Reversible, Safe};
use aqueduct_operations::danger::DangerOrigin;

fn text(patterns: &str, list: &str, name: &str, more: &str) -> String {
    let operation =
        format!("  {list}:\n    - {{name: {name}, maps_to: POST /x, description: It acts{more}}}\n");
    let block = format!("danger_patterns: {{{patterns}}}\noperations:");
    with_operations(&operation).replacen("operations:", &block, 1)
}

fn danger(patterns: &str, list: &str, name: &str, more: &str) -> (DangerLevel, Option<String>) {
    let danger = good(&text(patterns, list, name, more)).operations.remove(0).declaration.danger;
    let pattern = match danger.origin {
        DangerOrigin::AdapterPattern(pattern) => Some(pattern.to_string()),
        _ => None,
    };
    (danger.level, pattern)
}

/// X-danger-22: an operation whose name fits is raised, tagged with the pattern, and told of when the file is loaded.
#[test]
fn patterns_raise() {
    let patterns = "dangerous: ['ship_*', '*_ledger', exact_name], forbidden: [launch*, 'ship_*_everywhere']";
    for (name, level, pattern) in [
        ("ship_order", Dangerous, Some("ship_*")),
        ("quickly_ship_order", Dangerous, Some("ship_*")),
        ("close_ledger", Dangerous, Some("*_ledger")),
        ("close_ledger_now", Dangerous, Some("*_ledger")),
        ("exact_name", Dangerous, Some("exact_name")),
        ("exact_name_too", Reversible, None),
        ("launch_rocket", Forbidden, Some("launch*")),
        ("ship_it_everywhere", Forbidden, Some("ship_*_everywhere")),
        ("shipping_order", Reversible, None),
        ("ship", Reversible, None),
        ("ledger", Reversible, None),
    ] {
        let expected = (level, pattern.map(str::to_owned));
        assert_eq!(danger(patterns, "execute", name, ""), expected, "{name}");
    }
    let outcome = load_text(&text("dangerous: ['ship_*']", "execute", "ship_order", ""));
    let [told] = outcome.diagnostics.as_slice() else { panic!("{:?}", outcome.diagnostics) };
    assert_eq!((told.code, told.path.as_str()), ("DANGER_PATTERN", "operations.execute[0].name"));
    assert_eq!(told.message, "'ship_order' is dangerous by the pattern 'ship_*'");
}

/// X-danger-22: they only raise. Ours stay, a level that is declared wins, and a READ is none of theirs, as with ours.
#[test]
fn patterns_never_lower() {
    assert_eq!(danger("dangerous: ['*']", "execute", "wipe_disk", ""), (Forbidden, None), "ours is worse");
    assert_eq!(
        danger("dangerous: ['*']", "execute", "force_sync", ""),
        (Dangerous, None),
        "ours is the same"
    );
    assert_eq!(
        danger("dangerous: [pay_bill]", "execute", "pay_bill", "").0,
        Dangerous,
        "over a word of money"
    );
    assert_eq!(danger("dangerous: ['x_*']", "execute", "pay_bill", ""), (Destructive, None));
    let declared = ", danger_level: destructive";
    assert_eq!(danger("forbidden: ['*']", "execute", "ship_x", declared), (Destructive, None));
    let read = text("dangerous: ['get_*']", "read", "get_x", "").replace("POST", "GET");
    assert_eq!(good(&read).operations[0].danger.level, Safe);
    assert_eq!(codes(&read), ["NO_EFFECT danger_patterns.dangerous[0]"]);
}

#[test]
fn patterns_that_do_not_fit() {
    let patterns = |block: &str| text(block, "execute", "ship_x", "");
    assert_eq!(codes(&patterns("dangerous: ['shp_*']")), ["NO_EFFECT danger_patterns.dangerous[0]"]);
    assert_eq!(codes(&patterns("dangerous: [], forbidden: null")), Vec::<String>::new());
    for (block, code) in [
        ("dangerous: ['a b']", "INVALID_VALUE danger_patterns.dangerous[0]"),
        ("forbidden: ['ship_[ab]']", "INVALID_VALUE danger_patterns.forbidden[0]"),
        ("forbidden: ['']", "INVALID_VALUE danger_patterns.forbidden[0]"),
        ("forbidden: [5]", "WRONG_TYPE danger_patterns.forbidden[0]"),
        ("dangerous: 'ship_*'", "WRONG_TYPE danger_patterns.dangerous"),
        ("dangeros: ['ship_*']", "UNKNOWN_KEY danger_patterns.dangeros"),
    ] {
        assert_eq!(refusal(&patterns(block)), [code], "{block}");
    }
    let many = format!("dangerous: [{}]", vec!["'ship_*'"; 201].join(", "));
    assert!(refusal(&patterns(&many)).contains(&"TOO_MANY danger_patterns".to_owned()));
    let long = format!("dangerous: ['{}']", "x".repeat(129));
    assert_eq!(refusal(&patterns(&long)), ["INVALID_VALUE danger_patterns.dangerous[0]"]);
}
