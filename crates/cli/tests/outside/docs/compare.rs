//! What a page shows against what really came out. `...` in a page stands for anything.

use serde_json::Value;

const ANYTHING: &str = "...";

/// True when the text is what is shown, with anything in the place of each `...`.
pub fn text_matches(shown: &str, actual: &str) -> bool {
    let pieces: Vec<&str> = shown.trim_end().split(ANYTHING).collect();
    let Some(mut rest) = pieces.first().and_then(|first| actual.trim_end().strip_prefix(first)) else {
        return false;
    };
    let [_, between @ .., last] = pieces.as_slice() else { return rest.is_empty() };
    for piece in between {
        let Some(found) = rest.find(piece) else { return false };
        rest = &rest[found + piece.len()..];
    }
    rest.ends_with(last)
}

/// True when every member that is shown is there. `"..."` stands for anything, at the end of a text for its rest.
pub fn json_matches(shown: &Value, actual: &Value) -> bool {
    match (shown, actual) {
        (Value::String(shown), Value::String(actual)) => text_matches(shown, actual),
        (Value::String(shown), _) => shown == ANYTHING,
        (Value::Object(shown), Value::Object(actual)) => {
            shown.iter().all(|(key, each)| actual.get(key).is_some_and(|found| json_matches(each, found)))
        }
        (Value::Array(shown), Value::Array(actual)) => {
            shown.len() == actual.len() && shown.iter().zip(actual).all(|(a, b)| json_matches(a, b))
        }
        _ => shown == actual,
    }
}

#[test]
fn dots_stand_for_anything_and_nothing_else_does() {
    assert!(text_matches("a\nb\n", "a\nb"));
    assert!(text_matches("a\n...\nd\n", "a\nb\nc\nd\n"));
    assert!(text_matches("conf_...", "conf_12"));
    assert!(!text_matches("a", "ab"));
    assert!(!text_matches("a...c...d", "a-d"));
    assert!(!text_matches("a...b", "b a"));
}

#[test]
fn members_that_are_not_shown_are_not_compared() {
    let actual = serde_json::json!({"a": {"b": 1, "c": [1, "x9"]}, "d": null});
    let matches = |shown: Value| json_matches(&shown, &actual);
    assert!(matches(serde_json::json!({"a": {"b": 1}})));
    assert!(matches(serde_json::json!({"a": {"c": ["...", "x..."]}, "d": "..."})));
    assert!(!matches(serde_json::json!({"a": {"b": 2}})));
    assert!(!matches(serde_json::json!({"a": {"c": [1]}})));
    assert!(!matches(serde_json::json!({"e": "..."})));
}
