//! Older and other spellings, and keywords of the wrong type.
//!
//! A document in; values that must fit and values that must not are held against what is understood of it.

use crate::from_schema;
use serde_json::{Value, json};

fn check(document: Value, fitting: &[Value], others: &[Value]) {
    let schema = from_schema(&document);
    for value in fitting {
        assert!(schema.accepts(value), "{document} refuses {value}");
    }
    for value in others {
        assert!(!schema.accepts(value), "{document} accepts {value}");
    }
}

/// S-schema-8: position by position, in the older spelling as in the newer.
#[test]
fn lists_under_items_are_tuples() {
    let pair = [json!([1, "a"]), json!([1]), json!([1, "a", true])];
    let wrong = [json!(["a", 1]), json!([1, 1]), json!([1, "a", 3])];
    let items = json!([{"type": "integer"}, {"type": "string"}]);
    check(json!({"type": "array", "items": items, "additionalItems": {"type": "boolean"}}), &pair, &wrong);
    check(json!({"type": "array", "prefixItems": items, "items": {"type": "boolean"}}), &pair, &wrong);
    let draft = "http://json-schema.org/draft-07/schema#";
    check(json!({"$schema": draft, "items": items, "additionalItems": {"type": "boolean"}}), &pair, &wrong);
}

#[test]
fn nullable_admits_null() {
    check(json!({"type": "string", "nullable": true}), &[json!("a"), json!(null)], &[json!(1)]);
    check(
        json!({"type": "string", "enum": ["a"], "nullable": true}),
        &[json!("a"), json!(null)],
        &[json!("b")],
    );
    let document = json!({
        "properties": {"a": {"nullable": true, "allOf": [{"$ref": "#/definitions/s"}]}},
        "definitions": {"s": {"type": "string"}}
    });
    check(document, &[json!({"a": null}), json!({"a": "x"})], &[json!({"a": 1})]);
    check(json!({"type": "string", "nullable": false}), &[json!("a")], &[json!(null)]);
}

#[test]
fn boolean_exclusive_bounds_are_understood() {
    let document = json!({"minimum": 1, "exclusiveMinimum": true, "maximum": 3, "exclusiveMaximum": false});
    check(document, &[json!(2), json!(3)], &[json!(1), json!(4)]);
    check(json!({"exclusiveMinimum": 1}), &[json!(2)], &[json!(1)]);
    let draft = "http://json-schema.org/draft-04/schema#";
    check(json!({"$schema": draft, "minimum": 1, "exclusiveMinimum": true}), &[json!(2)], &[json!(1)]);
}

#[test]
fn keywords_beside_a_reference_count_unless_the_draft_says_otherwise() {
    let document =
        json!({"$ref": "#/definitions/s", "maxLength": 2, "definitions": {"s": {"type": "string"}}});
    check(document.clone(), &[json!("ab")], &[json!("abc"), json!(1)]);
    let mut older = document;
    older["$schema"] = json!("http://json-schema.org/draft-07/schema#");
    check(older, &[json!("abc")], &[json!(1)]);
}

#[test]
fn older_dependencies_are_understood() {
    let document = json!({"dependencies": {"a": ["b"], "c": {"required": ["d"]}, "e": 1}});
    check(document, &[json!({"a": 1, "b": 1}), json!({"e": 1})], &[json!({"a": 1}), json!({"c": 1})]);
}

/// S-schema-17: a keyword of the wrong type says nothing, and the others are still checked.
#[test]
fn wrong_keywords_are_left_out_alone() {
    for (keyword, value) in [
        ("type", json!("file")),
        ("type", json!(["string", "date"])),
        ("required", json!(true)),
        ("properties", json!(["a"])),
        ("minLength", json!(-1)),
        ("maxLength", json!("3")),
        ("enum", json!("a")),
        ("enum", json!([])),
        ("anyOf", json!([])),
        ("allOf", json!({})),
        ("multipleOf", json!(0)),
        ("pattern", json!(1)),
        ("format", json!(["date"])),
        ("items", json!("string")),
        ("not", json!("x")),
        ("description", json!(null)),
        ("examples", json!("x")),
        ("$id", json!("not a uri \\")),
        ("$schema", json!("https://unknown.test/dialect")),
        ("$ref", json!("https://elsewhere.test/schema.json")),
        ("$ref", json!("#/definitions/missing")),
        ("discriminator", json!({"propertyName": "kind"})),
    ] {
        let document = json!({keyword: value, "minProperties": 1, "uniqueItems": true});
        check(document, &[json!({"a": 1}), json!("text"), json!([1, 2])], &[json!({}), json!([1, 1])]);
    }
    check(
        json!({"properties": {"a": null, "b": {"type": "string"}}}),
        &[json!({"a": 1})],
        &[json!({"b": 1})],
    );
}

#[test]
fn booleans_are_schemas() {
    check(json!({"properties": {"a": true, "b": false}}), &[json!({"a": 1})], &[json!({"b": 1})]);
    check(json!(false), &[], &[json!(1)]);
    check(json!({"not": {"type": "string"}}), &[json!(1)], &[json!("a")]);
}

/// Decision 23: a reference into the document is followed wherever it leads, in circles too.
#[test]
fn references_lead_anywhere_in_the_document() {
    let document = json!({
        "$ref": "#/components/schemas/Tree",
        "components": {"schemas": {"Tree": {
            "type": "object",
            "required": ["name"],
            "properties": {"name": {"type": "string"}, "children": {"items": {"$ref": "#/components/schemas/Tree"}}}
        }}}
    });
    let deep = |name: Value| json!({"name": "a", "children": [{"name": "b", "children": [{"name": name}]}]});
    check(document, &[deep(json!("c"))], &[deep(json!(1)), json!({"name": "a", "children": [{}]})]);
}

/// What an unknown schema would have declared cannot be refused as left over.
#[test]
fn a_lost_reference_leaves_nothing_unevaluated() {
    let document = json!({
        "allOf": [{"$ref": "https://elsewhere.test/base.json"}],
        "properties": {"a": {"type": "string"}},
        "unevaluatedProperties": false
    });
    check(document, &[json!({"a": "x", "b": 1})], &[json!({"a": 1})]);
    let complete = json!({"allOf": [{"properties": {"b": true}}], "unevaluatedProperties": false});
    check(complete, &[json!({"b": 1})], &[json!({"a": 1})]);
}

#[test]
fn what_says_nothing_accepts_anything() {
    for document in [
        json!({}),
        json!(true),
        json!(null),
        json!("schema"),
        json!({"description": "x", "type": "unknown"}),
        json!({"$ref": "#/$defs/a", "$defs": {"a": {"title": "x"}}}),
    ] {
        assert!(from_schema(&document).accepts_anything(), "{document}");
    }
    assert!(!from_schema(&json!({"type": "string"})).accepts_anything());
    assert!(!from_schema(&json!(false)).accepts_anything());
}
