//! Tests of `strip`.

use super::parse;
use serde_json::json;

#[test]
fn only_examples_that_are_keywords_are_dropped() {
    let text = r#"{"parameters":[{"name":"a","example":1,"examples":{}}],"type":"object","example":{"a":1},
            "properties":{"example":{"type":"string","example":"x"},"examples":true},
            "default":{"example":1},"enum":[{"examples":2}],"x-y":{"example":3}}"#;
    let expected = json!({"parameters":[{"name":"a"}],"type":"object",
            "properties":{"example":{"type":"string"},"examples":true},
            "default":{"example":1},"enum":[{"examples":2}],"x-y":{"example":3}});
    assert_eq!(parse(text), expected);
}
