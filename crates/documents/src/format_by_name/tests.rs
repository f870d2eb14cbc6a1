//! Tests of `by_name`.

use super::parse;
use crate::findings::Findings;
use serde_json::json;

#[test]
fn three_languages() {
    for (file, text) in [
        ("a.toml", "[a]\nb = 1"),
        ("a.json", "{\"a\": {\"b\": 1,}} // x"),
        ("a.YAML", "a:\n  b: 1"),
        ("a", "a: {b: 1}"),
    ] {
        let mut found = Findings::new(file, text);
        assert_eq!(parse(file, text, &mut found).unwrap().root.to_json(), json!({"a": {"b": 1}}), "{file}");
    }
    let mut found = Findings::new("a.json", "a: 1");
    assert!(parse("a.json", "a: 1", &mut found).is_none());
    assert_eq!(found.finish()[0].code, "JSON_SYNTAX");
}
