//! Tests of `members`.

use super::SchemaMembers;
use crate::resolver::{DocumentPart, SchemaDocuments};
use serde_json::{Value, json};
use std::sync::Arc;

fn members(schema: Value) -> SchemaMembers<DocumentPart> {
    let mut documents = SchemaDocuments::default();
    let schema = Arc::new(schema);
    let root = documents.add(Arc::clone(&schema));
    SchemaMembers::of(&documents, &schema, &root)
}

fn shown(members: &SchemaMembers<DocumentPart>) -> Vec<String> {
    let mark = |required| if required { "!" } else { "" };
    members.list.iter().map(|member| format!("{}{}", member.name, mark(member.is_required))).collect()
}

/// All parts of an `allOf` count, each once, and circles end.
#[test]
fn fields_of_all_parts() {
    let found = members(json!({
        "properties": {"own": {}},
        "allOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}, {"$ref": "#/$defs/A"}, {"$ref": "#"}],
        "$defs": {
            "A": {"type": "object", "properties": {"a": {}}, "required": ["a", "b"]},
            "B": {"type": "object", "properties": {"b": {}, "own": {}}},
        },
    }));
    assert_eq!(shown(&found), ["own", "a!", "b!"]);
    assert!(found.is_object && !found.has_alternatives());
}

#[test]
fn a_field_that_two_parts_describe_has_both_schemas() {
    let found = members(json!({
        "properties": {"a": {"type": "string"}},
        "allOf": [{"properties": {"a": {"maxLength": 3}}}],
    }));
    assert_eq!(found.list[0].schema, json!({"allOf": [{"type": "string"}, {"maxLength": 3}]}));
}

#[test]
fn required_without_a_description() {
    let found = members(json!({"type": "object", "properties": {"a": {}}, "required": ["x"]}));
    assert_eq!(shown(&found), ["a", "x!"]);
    assert!(found.list[0].is_declared && !found.list[1].is_declared);
}

/// What the fields do not say is told apart: rules, alternatives, other types.
#[test]
fn what_fields_do_not_say() {
    let rule = members(json!({"properties": {"a": {}}, "anyOf": [{"required": ["a"]}], "minProperties": 1}));
    assert_eq!(rule.rules, ["anyOf", "minProperties"]);
    assert!(!rule.has_alternatives());
    let choice = members(json!({"properties": {"a": {}}, "oneOf": [{"properties": {"b": {}}}]}));
    assert_eq!(choice.alternatives, ["oneOf"]);
    assert!(choice.has_alternatives() && choice.is_object);
    let text = members(json!({"type": ["object", "string"], "properties": {"a": {}}}));
    assert!(text.has_other_types && text.has_alternatives() && !text.is_object);
    assert!(members(json!({"type": ["object", "null"]})).is_object);
    assert!(!members(json!({})).is_object);
}

#[test]
fn open_and_closed() {
    assert!(members(json!({"type": "object", "additionalProperties": {}})).is_open);
    assert!(members(json!({"type": "object", "patternProperties": {"^x": {}}})).is_open);
    let closed = members(json!({"type": "object", "additionalProperties": false}));
    assert!(closed.is_closed && !closed.is_open);
    let silent = members(json!({"type": "object"}));
    assert!(!silent.is_closed && !silent.is_open);
}
