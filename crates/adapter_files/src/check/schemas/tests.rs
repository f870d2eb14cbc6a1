//! Documents that are put together from named schemas.
//!
//! A library of named schemas and one that refers to them in, one document that stands on its own out.

use super::{NamedSchemas, complete};
use serde_json::{Value as Json, json};

fn library(json: Json) -> NamedSchemas {
    NamedSchemas::of(
        json.as_object().unwrap().iter().map(|(name, schema)| (name.clone(), schema.clone())).collect(),
    )
}

#[test]
fn what_is_referred_to_comes_along_and_nothing_else() {
    let library = library(json!({
        "A": {"properties": {"b": {"$ref": "#/schemas/B"}, "self": {"$ref": "#/schemas/A"}}},
        "B": {"type": "string"},
        "C": {"type": "integer"},
    }));
    let made = complete(json!({"items": {"$ref": "#/schemas/A"}}), &library);
    assert_eq!(
        made,
        json!({
            "items": {"$ref": "#/$defs/A"},
            "$defs": {
                "A": {"properties": {"b": {"$ref": "#/$defs/B"}, "self": {"$ref": "#/$defs/A"}}},
                "B": {"type": "string"},
            },
        })
    );
    let compiled = aqueduct_schema::from_schema(&made);
    assert!(compiled.accepts(&json!([{"b": "x", "self": {"b": "y"}}])));
    assert!(!compiled.accepts(&json!([{"self": {"b": 1}}])));
}

#[test]
fn own_definitions_and_roots_stay_apart() {
    let library = library(json!({
        "A": {"$defs": {"X": {"type": "string"}}, "properties": {"x": {"$ref": "#/$defs/X"}, "more": {"$ref": "#"}}},
    }));
    let own = json!({
        "$defs": {"A": {"type": "integer"}},
        "properties": {"own": {"$ref": "#/$defs/A"}, "theirs": {"$ref": "#/schemas/A"}},
    });
    let compiled = aqueduct_schema::from_schema(&complete(own, &library));
    assert!(compiled.accepts(&json!({"own": 1, "theirs": {"x": "a", "more": {"x": "b"}}})));
    assert!(!compiled.accepts(&json!({"own": "1"})));
    assert!(!compiled.accepts(&json!({"theirs": {"more": {"x": 1}}})));
}

/// A reference in a value is data.
#[test]
fn data_is_left_alone() {
    let library = library(json!({"A": true}));
    let data = json!({"enum": [{"$ref": "#/schemas/A"}], "default": {"$ref": "#/schemas/A"}});
    assert_eq!(complete(data.clone(), &library), data);
    let property = json!({"properties": {"default": {"$ref": "#/schemas/A"}}});
    assert_eq!(complete(property, &library)["properties"]["default"]["$ref"], "#/$defs/A");
}
