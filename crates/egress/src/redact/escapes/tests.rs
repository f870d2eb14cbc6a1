//! Tests of `escapes`.

use super::plain;
use serde_json::Value;

#[test]
fn spells_plainly_and_stays_the_same_json() {
    for (text, expected) in [
        (r#"{"k":"abc\u002bdef\/x"}"#, r#"{"k":"abc+def/x"}"#),
        (r#"["\u0022\u005c\u000a\n\\u0041"]"#, r#"["\"\\\u000a\n\\u0041"]"#),
        (r#"["\ud83d\ude00"]"#, "[\"\u{1f600}\"]"),
    ] {
        let spelled = plain(text).unwrap();
        assert_eq!(spelled, expected);
        let parse = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        assert_eq!(parse(&spelled), parse(text));
    }
    assert_eq!(plain(r#"{"a":"b"}"#), None);
    for odd in ["\\u", "\\u12", "\\ud800", "\\ud800\\u0041", "\\é", "x\\"] {
        assert!(plain(&format!("{odd}\\/")).is_some(), "{odd}");
    }
}
