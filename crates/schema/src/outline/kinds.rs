//! The type of a schema: what it names, what it says otherwise, and several types as one.
//!
//! The keywords of one schema in, types out; nothing is followed here.

use crate::shape::ValueKind;
use serde_json::{Map, Value};

/// The declared types, without null.
pub(super) fn types_of(object: &Map<String, Value>) -> Vec<&str> {
    let names: Vec<&str> = match object.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    names.into_iter().filter(|name| ValueKind::NAMES.contains(name)).collect()
}

pub(super) fn has_null(object: &Map<String, Value>) -> bool {
    object.get("type").and_then(Value::as_array).is_some_and(|names| names.iter().any(|name| name == "null"))
}

/// The type of a schema that names none, by what it says otherwise.
pub(super) fn guessed(object: &Map<String, Value>) -> Vec<ValueKind> {
    let has = |keys: &[&str]| keys.iter().any(|key| object.contains_key(*key));
    let listed = object.get("enum").and_then(Value::as_array).cloned();
    let values = listed.or_else(|| object.get("const").map(|value| vec![value.clone()])).unwrap_or_default();
    if !values.is_empty() {
        return values.iter().filter_map(kind_of_value).collect();
    }
    if has(&[
        "properties",
        "additionalProperties",
        "patternProperties",
        "required",
        "minProperties",
        "maxProperties",
    ]) {
        return vec![ValueKind::Object];
    }
    if has(&["items", "prefixItems", "minItems", "maxItems", "uniqueItems"]) {
        return vec![ValueKind::Array(None)];
    }
    if has(&["minLength", "maxLength", "pattern", "contentMediaType", "contentEncoding"]) {
        return vec![ValueKind::String];
    }
    if has(&["minimum", "maximum", "multipleOf"]) {
        return vec![ValueKind::Number];
    }
    Vec::new()
}

pub(super) fn kind_of_value(value: &Value) -> Option<ValueKind> {
    match value {
        Value::Null => None,
        Value::Bool(_) => Some(ValueKind::Boolean),
        Value::Number(number) if number.is_f64() => Some(ValueKind::Number),
        Value::Number(_) => Some(ValueKind::Integer),
        Value::String(_) => Some(ValueKind::String),
        Value::Array(_) => Some(ValueKind::Array(None)),
        Value::Object(_) => Some(ValueKind::Object),
    }
}

pub(super) fn alternatives(kind: &ValueKind) -> Vec<ValueKind> {
    match kind {
        ValueKind::Union(kinds) => kinds.clone(),
        other => vec![other.clone()],
    }
}

pub(super) fn union_of(kinds: Vec<ValueKind>) -> Option<ValueKind> {
    let mut distinct: Vec<ValueKind> = Vec::new();
    for kind in kinds {
        if !distinct.contains(&kind) {
            distinct.push(kind);
        }
    }
    match distinct.len() {
        0 | 1 => distinct.pop(),
        _ => Some(ValueKind::Union(distinct)),
    }
}
