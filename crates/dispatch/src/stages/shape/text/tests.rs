//! Tests of `text`.

use super::{of, prefix};
use aqueduct_query::measure;
use proptest::{prop_assert, prop_assert_eq, proptest};
use serde_json::Value;

#[test]
fn which_answers_are_texts() {
    for (data, path, text) in [
        (r#""a\nb""#, "text", "a\nb"),
        (r#"[{"type":"text","text":"x"}]"#, "text", "x"),
        (r#"{"content":"y"}"#, "content", "y"),
        (r#"{"content":"y","_etag":"v"}"#, "content", "y"),
        (r#"{"file":{"body":{"_etag":"y"}}}"#, "file.body._etag", "y"),
    ] {
        let found = of(data).unwrap();
        assert_eq!((found.path.join(".").as_str(), &*found.text), (path, text));
        assert_eq!(found.etag.is_some(), data.contains(r#""v""#));
    }
    for other in [
        "1",
        "null",
        "[]",
        "{}",
        r#"["x"]"#,
        r#"{"a":"x","b":"y"}"#,
        r#"{"a":1}"#,
        r#"{"_etag":"v"}"#,
        r#"{"a":{}}"#,
        r#"{"a":{"b":"x","c":"y"}}"#,
        r#"{"a":["x"]}"#,
        r#"[{"type":"image","text":"x"}]"#,
        r#"[{"type":"text","text":"x"},{"type":"text","text":"y"}]"#,
    ] {
        assert!(of(other).is_none(), "{other}");
    }
}

#[test]
fn cut_at_a_line() {
    let text = "one two three\n".repeat(200);
    let part = prefix(&text, 100);
    assert!(part.ends_with("three\n") && part.len() < text.len(), "{part}");
    let words = "word ".repeat(500);
    assert!(prefix(&words, 50).ends_with(' '));
    assert_eq!(prefix("short", 100), "short");
}

proptest! {
    /// Whatever the text and the room: parts go on where the one before ended, and none is empty.
    #[test]
    fn parts_are_the_text(text in "(?s).{0,300}", room in 1_u64..60) {
        let mut rest = text.as_str();
        let mut whole = String::new();
        while !rest.is_empty() {
            let part = prefix(rest, room);
            prop_assert!(!part.is_empty());
            prop_assert!(part.chars().count() == 1 || measure::tokens(&Value::from(part).to_string()) <= room);
            whole.push_str(part);
            rest = &rest[part.len()..];
        }
        prop_assert_eq!(whole, text);
    }
}
