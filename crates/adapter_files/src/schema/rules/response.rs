//! The rules of the blocks about answers, errors and computed fields.
//!
//! The name of a block in, schemas out, as in `rules` itself.

use super::super::super::keys::PATH_PATTERN;
use super::{SLOTTED, kinds};
use aqueduct_operations::failure::Code;
use serde_json::{Value, json};

/// Text with `{paths}` in it; a brace itself is written twice.
const TEMPLATE: &str = r"^([^{}]|\{\{|\}\}|\{[^{}.][^}.]*(\.[^}.]+)*\})*$";

/// The rules of a block.
pub(super) fn of(block: &str) -> Vec<Value> {
    match block {
        "fields" => vec![presets(), json!({"properties": {"known": {"not": {"const": true}}}})],
        "pagination" => vec![json!({"properties": {"per_page_param": {"not": {"const": true}}}})],
        "collection" => vec![json!({"properties": {"filter": {"propertyNames": {"pattern": PATH_PATTERN}}}})],
        "collection_filter" => vec![json!({"properties": {"values": {"minItems": 1}}})],
        "collection_sort" => vec![json!({"properties": {"fields": {
            "minItems": 1, "minProperties": 1, "propertyNames": {"pattern": PATH_PATTERN},
        }}})],
        "computed" => vec![json!({"properties": {"type": {"pattern": kinds()}}})],
        "computed_value" => vec![value()],
        "error" => {
            let codes: Vec<&str> = Code::ALL.iter().map(|code| code.name()).collect();
            vec![json!({"properties": {"code": {"enum": codes}, "message_template": {"pattern": SLOTTED}}})]
        }
        _ => Vec::new(),
    }
}

/// Named choices of fields have plain names, and fields.
pub(super) fn presets() -> Value {
    json!({"properties": {"presets": {
        "propertyNames": {"pattern": "^[a-z][a-z0-9_]*$"},
        "additionalProperties": {"minItems": 1},
    }}})
}

/// Exactly one way, with as many operands as it takes.
fn value() -> Value {
    let several = json!({"minItems": 2});
    let two = json!({"minItems": 2, "maxItems": 2});
    json!({
        "minProperties": 1,
        "maxProperties": 1,
        "properties": {
            "template": {"pattern": TEMPLATE},
            "add": several, "sub": several, "mul": several, "div": several,
            "eq": two, "gt": two, "lt": two,
        },
    })
}
