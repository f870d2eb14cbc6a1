//! Tests of `sample`.

use crate::from_schema;
use serde_json::{Value, json};

fn sample(schema: Value) -> Value {
    let schema = from_schema(&schema);
    let made = schema.sample("word").unwrap_or_else(|| panic!("{}", schema.document()));
    assert!(schema.accepts(&made), "{made}");
    made
}

/// What is required and no more, by the schema's own words where it has any.
#[test]
fn small_values_that_fit() {
    assert_eq!(sample(json!({"type": "string"})), "word");
    assert_eq!(sample(json!({"type": "integer", "minimum": 7})), 7);
    assert_eq!(sample(json!({"type": "integer", "exclusiveMaximum": -2, "multipleOf": 3})), -3);
    assert_eq!(sample(json!({"enum": ["b", "a"]})), "b");
    assert_eq!(sample(json!({"type": ["null", "boolean"]})), true);
    assert_eq!(sample(json!({"type": "array", "items": {"type": "number"}, "minItems": 2})), json!([1, 1]));
    let object = json!({
        "type": "object", "required": ["id", "when"],
        "properties": {"id": {"type": "string", "pattern": "^sha256:[a-f0-9]{64}$"},
                       "when": {"type": "string", "format": "date-time"}, "more": {"type": "string"}},
    });
    let made = sample(object);
    assert_eq!(made.as_object().unwrap().len(), 2, "{made}");
    assert_eq!(made["id"].as_str().unwrap().len(), 71);
}

/// Alternatives and parts are put together; what cannot be made is not guessed.
#[test]
fn alternatives_and_parts() {
    let either = json!({
        "type": "object", "properties": {"id": {"type": "integer"}, "name": {"type": "string"}},
        "oneOf": [{"required": ["id"]}, {"required": ["name"]}],
    });
    assert_eq!(sample(either), json!({"id": 1}));
    let all = json!({"allOf": [
        {"type": "object", "required": ["a"], "properties": {"a": {"const": 1}}},
        {"type": "object", "required": ["b"], "properties": {"b": {"type": "boolean"}}},
    ]});
    assert_eq!(sample(all), json!({"a": 1, "b": true}));
    let circle = json!({"$defs": {"n": {"type": "object", "required": ["n"], "properties": {"n": {"$ref": "#/$defs/n"}}}},
                            "$ref": "#/$defs/n"});
    assert_eq!(from_schema(&circle).sample("x"), None);
    assert_eq!(from_schema(&json!({"type": "string", "maxLength": 1, "minLength": 3})).sample("x"), None);
}

/// The same candidates as for parameters: 1 where it fits, else what is nearest to a bound.
#[test]
fn plain_values() {
    assert_eq!(sample(json!({"type": "integer", "minimum": -5})), 1);
    assert_eq!(sample(json!({"type": "number", "exclusiveMinimum": 2, "exclusiveMaximum": 4})), 3);
    assert_eq!(sample(json!({"type": "integer", "exclusiveMaximum": 6, "minimum": 4, "multipleOf": 1})), 4);
    assert_eq!(sample(json!({"type": "number", "minimum": 1.25, "maximum": 1.5})), 1.25);
    assert_eq!(sample(json!({"type": "string", "format": "ipv4"})), "192.0.2.1");
    assert_eq!(sample(json!({"type": "string", "minLength": 6, "maxLength": 6})), "wordwo");
    assert_eq!(sample(json!({"type": "string", "pattern": "^w", "format": "slug"})), "word");
}

/// What one part requires is made as another part declares it, behind a reference too.
#[test]
fn required_here_and_declared_there() {
    let transaction = json!({
        "allOf": [{"required": ["account_id", "amount"]}, {"$ref": "#/$defs/Fields"}],
        "$defs": {"Fields": {"type": "object", "properties": {
            "account_id": {"type": "string", "format": "uuid"}, "amount": {"type": "integer"},
        }}},
    });
    let made = sample(transaction.clone());
    assert!(made["amount"].is_i64() && made["account_id"].is_string(), "{made}");
    let list = json!({"type": "array", "items": {"$ref": "#/$defs/One"},
                      "$defs": {"One": {"allOf": transaction["allOf"]}, "Fields": transaction["$defs"]["Fields"]}});
    assert!(sample(list)[0]["amount"].is_i64());
}

/// Alternatives that all take an empty object are told apart by a property.
#[test]
fn alternatives_that_need_nothing() {
    let labels =
        |items: Value| json!({"type": "object", "properties": {"labels": {"type": "array", "items": items}}});
    let either = json!({"oneOf": [
        labels(json!({"type": "string"})),
        labels(json!({"type": "object", "properties": {"name": {"type": "string"}}})),
    ]});
    assert_eq!(sample(either), json!({"labels": ["labels"]}));
}
