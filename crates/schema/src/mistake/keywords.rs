//! What the keywords of the 2020-12 draft, and the older ones that it still knows, are written with.
//!
//! Nothing in; a schema of schemas out.

use serde_json::{Map, Value, json};

/// The names of the seven types.
const TYPES: [&str; 7] = ["array", "boolean", "integer", "null", "number", "object", "string"];
const SCHEMAS: &[&str] = &[
    "items",
    "contains",
    "additionalProperties",
    "propertyNames",
    "if",
    "then",
    "else",
    "not",
    "unevaluatedItems",
    "unevaluatedProperties",
    "contentSchema",
];
const LISTS_OF_SCHEMAS: &[&str] = &["prefixItems", "allOf", "anyOf", "oneOf"];
const NAMED_SCHEMAS: &[&str] =
    &["$defs", "definitions", "properties", "patternProperties", "dependentSchemas"];
const TEXTS: &[&str] = &[
    "$schema",
    "$ref",
    "$dynamicRef",
    "$recursiveRef",
    "$comment",
    "pattern",
    "format",
    "title",
    "description",
    "contentMediaType",
    "contentEncoding",
];
const ANCHORS: &[&str] = &["$anchor", "$dynamicAnchor", "$recursiveAnchor"];
const FLAGS: &[&str] = &["uniqueItems", "deprecated", "readOnly", "writeOnly"];
const LISTS: &[&str] = &["enum", "examples"];
const NUMBERS: &[&str] = &["maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum"];
const COUNTS: &[&str] = &[
    "maxLength",
    "minLength",
    "maxItems",
    "minItems",
    "maxContains",
    "minContains",
    "maxProperties",
    "minProperties",
];

/// The schema.
pub(super) fn schema() -> Value {
    let any = json!({"$ref": "#"});
    let names = json!({"type": "array", "items": {"type": "string"}, "uniqueItems": true});
    let mut keywords = Map::new();
    let mut put = |all: &[&str], rule: Value| {
        keywords.extend(all.iter().map(|keyword| ((*keyword).to_owned(), rule.clone())));
    };
    put(SCHEMAS, any.clone());
    put(LISTS_OF_SCHEMAS, json!({"type": "array", "minItems": 1, "items": any}));
    put(NAMED_SCHEMAS, json!({"type": "object", "additionalProperties": any}));
    put(TEXTS, json!({"type": "string"}));
    put(ANCHORS, json!({"type": "string", "pattern": "^[A-Za-z_][-A-Za-z0-9._]*$"}));
    put(&["$id"], json!({"type": "string", "pattern": "^[^#]*#?$"}));
    put(&["$vocabulary"], json!({"type": "object", "additionalProperties": {"type": "boolean"}}));
    put(FLAGS, json!({"type": "boolean"}));
    put(LISTS, json!({"type": "array"}));
    put(NUMBERS, json!({"type": "number"}));
    put(&["multipleOf"], json!({"type": "number", "exclusiveMinimum": 0}));
    put(COUNTS, json!({"type": "integer", "minimum": 0}));
    put(&["required"], names.clone());
    put(&["dependentRequired"], json!({"type": "object", "additionalProperties": names}));
    put(&["dependencies"], json!({"type": "object", "additionalProperties": {"anyOf": [any, names]}}));
    let one = json!({"enum": TYPES});
    let several = json!({"type": "array", "minItems": 1, "uniqueItems": true, "items": one});
    put(&["type"], json!({"anyOf": [one, several]}));
    json!({"type": ["object", "boolean"], "properties": keywords})
}
