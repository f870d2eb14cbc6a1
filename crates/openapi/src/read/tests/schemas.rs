//! Schemas that stand on their own.
//!
//! A schema of a document in, one JSON Schema with everything that it refers to out; values are held against it.

use super::{open_value, schema_of};
use serde_json::{Value, json};

fn accepts(schema: &Value, value: &Value) -> bool {
    jsonschema::validator_for(schema).unwrap().is_valid(value)
}

fn rewritten(version: &str, schema: &Value) -> Value {
    let key = if version == "2.0" { "swagger" } else { "openapi" };
    let document =
        json!({key: version, "definitions": {"S": schema}, "components": {"schemas": {"S": schema}}});
    schema_of(&open_value(&document).library, "S")
}

/// S-openapi-3 S-openapi-4: circles stay references into the schema itself, which checks values of any depth.
#[test]
fn circles_stay_references() {
    let library = open_value(&json!({"openapi": "3.0.0", "components": {"schemas": {
        "Tree": {"type": "object", "required": ["value"], "properties": {"value": {"$ref": "#/components/schemas/Value"},
            "children": {"type": "array", "items": {"$ref": "#/components/schemas/Tree"}}}},
        "Value": {"type": "integer"}, "Unused": {"type": "string"}}}}))
    .library;
    let schema = schema_of(&library, "Tree");
    assert_eq!(schema["$defs"].as_object().unwrap().keys().collect::<Vec<_>>(), ["Tree", "Value"]);
    assert!(accepts(&schema, &json!({"value": 1, "children": [{"value": 2, "children": [{"value": 3}]}]})));
    assert!(!accepts(
        &schema,
        &json!({"value": 1, "children": [{"value": 2, "children": [{"value": "x"}]}]})
    ));
}

/// S-openapi-4: a schema that asks for itself on the same value would never end; the circle is cut and said.
#[test]
fn endless_circles_are_cut() {
    let library = open_value(&json!({"openapi": "3.0.0", "components": {"schemas": {
        "Base": {"type": "object", "required": ["kind"], "oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}]},
        "Cat": {"allOf": [{"$ref": "#/components/schemas/Base"}, {"properties": {"meow": {"type": "integer"}}}]},
        "Dog": {"allOf": [{"$ref": "#/components/schemas/Base"}, {"properties": {"bark": {"type": "integer"}}}]},
        "Self": {"allOf": [{"$ref": "#/components/schemas/Self"}], "type": "string"},
        "Holder": {"properties": {"base": {"$ref": "#/components/schemas/Base"}, "own": {"$ref": "#/components/schemas/Self"}}}}}}))
    .library;
    let node = library.component("schemas", "Holder").unwrap();
    let told = library.schema_with_notes(&library.value(&node), &node);
    assert!(told.warnings.iter().any(|warning| warning.contains("without end")), "{:?}", told.warnings);
    assert!(accepts(&told.schema, &json!({"base": {"kind": "cat", "meow": 1}, "own": "x"})));
    assert!(!accepts(&told.schema, &json!({"base": {"meow": 1}})));
    assert!(!accepts(&told.schema, &json!({"base": {"kind": 1, "meow": "x", "bark": "y"}})));
    assert!(!accepts(&told.schema, &json!({"own": 1})));
    for name in ["Base", "Cat"] {
        let schema = schema_of(&library, name);
        assert!(accepts(&schema, &json!({"kind": "cat", "meow": 1})), "{name}");
        assert!(!accepts(&schema, &json!({"meow": 1})), "{name}");
    }
}

#[test]
fn the_words_of_3_0_become_those_of_json_schema() {
    for (old, new) in [
        (json!({"type": "string", "nullable": true}), json!({"type": ["string", "null"]})),
        (json!({"type": "string", "nullable": false}), json!({"type": "string"})),
        (
            json!({"type": "string", "enum": ["a"], "nullable": true}),
            json!({"type": ["string", "null"], "enum": ["a", null]}),
        ),
        (
            json!({"nullable": true, "allOf": [{"type": "string"}]}),
            json!({"anyOf": [{"allOf": [{"type": "string"}]}, {"type": "null"}]}),
        ),
        (
            json!({"nullable": true, "oneOf": [{"type": "string"}]}),
            json!({"oneOf": [{"type": "string"}, {"type": "null"}]}),
        ),
        (
            json!({"nullable": true, "anyOf": [{"type": "string"}]}),
            json!({"anyOf": [{"type": "string"}, {"type": "null"}]}),
        ),
        (json!({"minimum": 1, "exclusiveMinimum": true}), json!({"exclusiveMinimum": 1})),
        (json!({"maximum": 1, "exclusiveMaximum": false}), json!({"maximum": 1})),
        (
            json!({"type": "object", "example": 1, "xml": {}, "externalDocs": {}, "x-y": 1, "readOnly": true, "writeOnly": false,
                "discriminator": {"propertyName": "k"}, "properties": {"example": {"type": "string"}, "xml": true, "x-z": {}}}),
            json!({"type": "object", "readOnly": true, "writeOnly": false, "discriminator": {"propertyName": "k"},
                "properties": {"example": {"type": "string"}, "xml": true, "x-z": {}}}),
        ),
    ] {
        assert_eq!(rewritten("3.0.3", &old), new, "{old}");
    }
    assert_eq!(
        rewritten("2.0", &json!({"type": "file"})),
        json!({"type": "string", "contentEncoding": "base64"})
    );
    assert_eq!(
        rewritten("2.0", &json!({"type": "string", "x-nullable": true})),
        json!({"type": ["string", "null"]})
    );
}

#[test]
fn the_words_of_3_1_stay() {
    let schema = json!({"type": ["string", "null"], "const": "a", "exclusiveMinimum": 3, "prefixItems": [{"const": 1}],
        "not": {"type": "array"}, "if": true, "then": {"minLength": 1}, "patternProperties": {"^x": {"type": "null"}},
        "contentMediaType": "image/png", "unevaluatedProperties": false, "dependentRequired": {"a": ["b"]}});
    assert_eq!(rewritten("3.1.0", &schema), schema);
    assert_eq!(rewritten("3.1.0", &json!({"type": "string", "nullable": true})), json!({"type": "string"}));
}

/// What stands beside a reference counts in 3.1; in 3.0 only words about it do, and a `nullable` that is clearly meant.
#[test]
fn beside_a_reference() {
    let beside = |version: &str, extra: Value| {
        let mut property = json!({"$ref": "#/components/schemas/N"});
        property.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        let document = json!({"openapi": version, "components": {"schemas": {"N": {"type": "integer"},
            "S": {"properties": {"n": property}}}}});
        schema_of(&open_value(&document).library, "S")["properties"]["n"].clone()
    };
    let reference = json!("#/$defs/N");
    assert_eq!(
        beside("3.0.0", json!({"description": "d", "minimum": 3})),
        json!({"description": "d", "$ref": reference})
    );
    assert_eq!(
        beside("3.1.0", json!({"description": "d", "minimum": 3})),
        json!({"description": "d", "minimum": 3, "$ref": reference})
    );
    assert_eq!(
        beside("3.0.0", json!({"nullable": true})),
        json!({"anyOf": [{"$ref": reference}, {"type": "null"}]})
    );
}

/// One slip in a schema does not make all of it useless.
#[test]
fn wrong_values_of_keywords_are_dropped() {
    for (odd, repaired) in [
        (json!({"type": "any"}), json!({})),
        (json!({"type": ["string", "date"]}), json!({})),
        (
            json!({"type": null, "minLength": "3", "maxLength": 4.0, "pattern": 5}),
            json!({"minLength": 3, "maxLength": 4}),
        ),
        (json!({"minLength": -1, "minimum": "x", "maximum": "7.5"}), json!({"maximum": 7.5})),
        (
            json!({"required": true, "properties": {"a": {"type": "string", "required": true}}}),
            json!({"properties": {"a": {"type": "string"}}}),
        ),
        (
            json!({"required": ["a", 1, "a"], "enum": [], "allOf": [], "items": null}),
            json!({"required": ["a"]}),
        ),
        (
            json!({"properties": [], "additionalProperties": "true", "items": [{"const": 1}]}),
            json!({"additionalProperties": true, "prefixItems": [{"const": 1}]}),
        ),
        (json!(7), json!(true)),
        (json!("string"), json!(true)),
    ] {
        let schema = rewritten("3.0.0", &odd);
        assert_eq!(schema, repaired, "{odd}");
        assert!(jsonschema::validator_for(&schema).is_ok());
    }
}

/// Equal names from different places stay apart.
#[test]
fn names_are_unique() {
    let library = open_value(&json!({"openapi": "3.1.0", "components": {
        "schemas": {"A": {"properties": {"x": {"$ref": "#/components/schemas/odd name"}, "y": {"$ref": "#/components/x/odd_name"}}},
            "odd name": {"type": "string"}}, "x": {"odd_name": {"type": "null"}}}}))
    .library;
    let schema = schema_of(&library, "A");
    assert_eq!(
        schema["properties"],
        json!({"x": {"$ref": "#/$defs/odd_name"}, "y": {"$ref": "#/$defs/odd_name_2"}})
    );
    assert_eq!(schema["$defs"], json!({"odd_name": {"type": "string"}, "odd_name_2": {"type": "null"}}));
}

/// A schema is never larger than what can be handled; what is cut accepts anything and is said.
#[test]
fn schemas_are_bounded() {
    let mut schemas = serde_json::Map::new();
    for number in 0..2_500 {
        let next = json!({"properties": {"next": {"$ref": format!("#/components/schemas/S{}", number + 1)}}});
        schemas.insert(format!("S{number}"), next);
    }
    schemas.insert("S2500".to_owned(), json!({}));
    for number in 0..6 {
        schemas.insert(format!("Big{number}"), json!({"description": "x".repeat(1_000_000)}));
    }
    let all: Vec<Value> =
        (0..6).map(|number| json!({"$ref": format!("#/components/schemas/Big{number}")})).collect();
    schemas.insert("All".to_owned(), json!({ "anyOf": all }));
    let library = open_value(&json!({"openapi": "3.0.0", "components": {"schemas": schemas}})).library;
    let told = |name: &str| {
        let node = library.component("schemas", name).unwrap();
        library.schema_with_notes(&library.value(&node), &node)
    };
    let many = told("S0");
    assert_eq!(many.schema["$defs"].as_object().unwrap().len(), 2_001);
    assert_eq!(many.schema["$defs"]["S2001"], json!(true), "the first that has no room accepts anything");
    assert_eq!(many.warnings.len(), 1, "{:?}", many.warnings);
    let large = told("All");
    assert!(large.schema.to_string().len() < 5_500_000);
    assert_eq!(large.schema["$defs"]["Big5"], json!(true));
    assert!(!large.warnings.is_empty());
}

/// The deepest schema that a document can hold is put together on an ordinary stack.
#[test]
fn deep_schemas() {
    let mut schema = json!({"type": "string"});
    for _ in 0..56 {
        schema = json!({"properties": {"a": schema}});
    }
    assert_eq!(rewritten("3.0.0", &schema), schema);
}
