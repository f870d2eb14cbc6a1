//! Tests of `places`.

use super::SchemaLocations;
use serde_json::json;

#[test]
fn pointers_anchors_and_identifiers_lead_into_the_document() {
    let document = json!({
        "$id": "https://example.com/root",
        "$defs": {
            "a b": {"const": 1},
            "x/y": {"$anchor": "named", "const": 2},
            "old": {"$id": "#older", "const": 3},
            "own": {"$id": "urn:own", "$defs": {"in": {"const": 4}}}
        }
    });
    let places = SchemaLocations::of(&document);
    let constant = |reference: &str| places.resolve(reference).and_then(|place| place["const"].as_u64());
    assert_eq!(constant("#/$defs/a%20b"), Some(1));
    assert_eq!(constant("#/$defs/a b"), Some(1));
    assert_eq!(constant("#/$defs/x~1y"), Some(2));
    assert_eq!(constant("#named"), Some(2));
    assert_eq!(constant("#older"), Some(3));
    assert_eq!(constant("urn:own#/$defs/in"), Some(4));
    assert_eq!(constant("https://example.com/root#/$defs/a%20b"), Some(1));
    assert_eq!(places.resolve("#"), Some(&document));
    assert_eq!(places.resolve("#/$defs/none"), None);
    assert_eq!(places.resolve("#none"), None);
    assert_eq!(places.resolve("https://elsewhere.test/x#/$defs/old"), None);
    assert_eq!(places.resolve("#/$defs/%ff"), None);
    let twice = json!({"a": {"$dynamicAnchor": "node"}, "b": {"$dynamicAnchor": "node"}});
    assert_eq!(SchemaLocations::of(&twice).resolve("#node"), None);
}
