//! Tests of `toml`.

use super::parse;
use serde_json::json;

#[test]
fn places_and_values() {
    let text = "mode = \"single\"\n[sources.shop]\nfrom = 'é' # x\nn = 0x10\nlist = [1.5, true]\n";
    let root = parse("f", text).unwrap().root;
    assert_eq!(
        root.to_json(),
        json!({"mode": "single", "sources": {"shop": {"from": "é", "n": 16, "list": [1.5, true]}}})
    );
    let shop = root.get("sources").unwrap().get("shop").unwrap();
    let list = &shop.entries()[2];
    assert_eq!((list.key.as_str(), list.line, list.column), ("list", 5, 1));
    assert_eq!((list.node.elements()[1].line, list.node.elements()[1].column), (5, 14));
}

#[test]
fn syntax_errors_have_a_place() {
    let place = |text| parse("f.toml", text).unwrap_err()[0].position.clone();
    assert_eq!(
        (place("a = 1\nb = = 2\n").line, place("a = 1\nb = = 2\n").source_line.as_str()),
        (2, "b = = 2")
    );
    assert_eq!(place("a = 1\na = 2\n").line, 2, "a key twice");
}
