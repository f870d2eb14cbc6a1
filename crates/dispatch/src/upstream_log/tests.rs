//! Tests of `upstream_log`.

use super::without_values;
use serde_json::json;

#[test]
fn what_was_sent_is_taken_out() {
    let sent =
        json!({"q": "mint leaf", "deep": [{"card": 4111_1111}], "short": "ab", "n": 12, "quote": "a\"b\nc"});
    let values = sent.as_object().unwrap();
    for (text, expected) in [
        ("no mint leaf here", "no [value] here"),
        ("GET /search?q=mint%20leaf", "GET /search?q=[value]"),
        ("card 41111111 is refused", "card [value] is refused"),
        ("about 12 of them", "about 12 of them"),
        ("you said \"a\\\"b\\nc\"", "you said \"[value]\""),
        ("you said a\"b c", "you said [value]"),
    ] {
        assert_eq!(without_values(text, values), expected);
    }
}
