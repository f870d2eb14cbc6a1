//! Tests of `parts`.

use super::*;
use serde_json::json;

/// References for the same value are found wherever they stand, and those for parts of the value are not.
#[test]
fn references_in_place() {
    let mut schema = json!({
        "$ref": "#/a", "allOf": [{"$ref": "#/b"}, {"not": {"$ref": "#/c"}}], "if": {"$ref": "#/d"},
        "dependentSchemas": {"x": {"$ref": "#/e"}},
        "properties": {"allOf": {"$ref": "#/f"}}, "items": {"$ref": "#/g"}, "not": true,
    });
    let found = |schema: &Value| {
        let mut found = Vec::new();
        each_reference_in_place(schema, &mut |reference| found.push(reference.to_owned()));
        found
    };
    assert_eq!(found(&schema), ["#/a", "#/b", "#/c", "#/d", "#/e"]);
    for gone in ["#/a", "#/c", "#/e", "#/f"] {
        remove_reference_in_place(&mut schema, gone);
    }
    assert_eq!(found(&schema), ["#/b", "#/d"]);
    assert_eq!(schema["properties"]["allOf"]["$ref"], "#/f");
}

/// `oneOf` becomes `anyOf` in place, and stays where an `anyOf` is there already or the value is another one.
#[test]
fn one_of_becomes_any_of() {
    let mut schema = json!({"allOf": [{"oneOf": [true]}, {"oneOf": [false], "anyOf": [true]}],
        "properties": {"x": {"oneOf": [true]}}});
    assert!(has_one_of(&schema));
    any_for_one_of(&mut schema);
    assert_eq!(
        schema,
        json!({"allOf": [{"anyOf": [true]}, {"oneOf": [false], "anyOf": [true]}],
            "properties": {"x": {"oneOf": [true]}}})
    );
    assert!(!has_one_of(&json!({"properties": {"x": {"oneOf": [true]}}})));
}

#[test]
fn what_a_schema_states() {
    let Value::Object(mut schema) = json!({"anyOf": [1], "oneOf": [2], "enum": ["a"], "const": "b",
        "discriminator": {"propertyName": "kind", "mapping": {"x": "X"}}})
    else {
        panic!("an object")
    };
    assert_eq!(alternatives(&schema), [json!(2)]);
    assert_eq!(listed_values(&schema), Some(&[json!("a")][..]));
    let stated = discriminator(&schema).unwrap();
    assert_eq!((stated.property, stated.mapping.map(Map::len)), ("kind", Some(1)));
    assert_eq!(take_alternatives(&mut schema), Some(json!([2])));
    schema.remove("enum");
    assert_eq!(listed_values(&schema), Some(&[json!("b")][..]));
    schema.insert("discriminator".to_owned(), json!("kind"));
    assert_eq!(discriminator(&schema).map(|stated| stated.property), Some("kind"));
}
