//! Tests of `indented`.

use super::indented;
use aqueduct_testkit::json::any_json;
use proptest::{prop_assert_eq, proptest};

/// Numbers come out as they went in, whatever a parser would make of them.
#[test]
fn digits_are_kept() {
    let text = r#"{"a":123456789012345678901234567890,"b":[1.10,0.1000000000000000055511151231257827,-1E5]}"#;
    let expected = "{\n  \"a\": 123456789012345678901234567890,\n  \"b\": [\n    1.10,\n    \
            0.1000000000000000055511151231257827,\n    -1E5\n  ]\n}";
    assert_eq!(indented(text).unwrap(), expected);
}

#[test]
fn needless_escapes_are_dropped() {
    assert_eq!(indented(r#"["caf\u00e9 \/ \u001b \\\""]"#).unwrap(), "[\n  \"café / \\u001b \\\\\\\"\"\n]");
}

proptest! {
    #[test]
    fn agrees_with_the_usual_form(value in any_json()) {
        prop_assert_eq!(indented(&value.to_string()).unwrap(), format!("{value:#}"));
        prop_assert_eq!(indented(&format!("{value:#}")).unwrap(), format!("{value:#}"));
    }
}
