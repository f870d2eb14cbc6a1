//! The type of a schema: what it names, what it says otherwise, and several types as one.
//!
//! The keywords of one schema in, types out; nothing is followed here.

use crate::keywords::stated_types;
use crate::parts::listed_values;
use crate::shape::{ValueKind, type_name};
use serde_json::{Map, Value};

/// The declared types, without null.
pub(super) fn types_of(object: &Map<String, Value>) -> Vec<&str> {
    let mut names = stated_types(object);
    names.retain(|name| ValueKind::NAMES.contains(name));
    names
}

pub(super) fn has_null(object: &Map<String, Value>) -> bool {
    object.get("type").is_some_and(Value::is_array) && stated_types(object).contains(&"null")
}

/// The type of a schema that names none, by what it says otherwise.
pub(super) fn guessed(object: &Map<String, Value>) -> Vec<ValueKind> {
    let has = |keys: &[&str]| keys.iter().any(|key| object.contains_key(*key));
    let values = listed_values(object).unwrap_or_default();
    if !values.is_empty() {
        return values.iter().filter_map(|value| ValueKind::parse(type_name(value))).collect();
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
