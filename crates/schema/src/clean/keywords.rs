//! Values of keywords that check something, made such that the validator takes them.
//!
//! The value as it was written in; the value to use, or nothing when the keyword says nothing, out.

use serde_json::{Map, Value};
use std::collections::HashSet;

const TYPES: [&str; 7] = ["null", "boolean", "integer", "number", "string", "array", "object"];

/// The types, unless one of them is unknown: then any type may be meant.
pub(super) fn types(value: &Value) -> Option<Value> {
    let known = |value: &Value| value.as_str().is_some_and(|name| TYPES.contains(&name));
    match value {
        Value::Array(all) => (!all.is_empty() && all.iter().all(known)).then(|| unique(all)),
        one => known(one).then(|| one.clone()),
    }
}

/// The list without repetitions.
pub(super) fn unique(values: &[Value]) -> Value {
    let mut seen = HashSet::new();
    Value::Array(values.iter().filter(|value| seen.insert(*value)).cloned().collect())
}

/// The texts of a list, each once; nothing when it is no list.
pub(super) fn names(value: &Value) -> Option<Value> {
    let mut seen = HashSet::new();
    let texts = value.as_array()?.iter().filter(|name| name.is_string() && seen.insert(*name));
    Some(Value::Array(texts.cloned().collect()))
}

/// A number.
pub(super) fn limit(value: &Value) -> Option<Value> {
    value.is_number().then(|| value.clone())
}

/// A number above zero.
pub(super) fn positive(value: &Value) -> Option<Value> {
    value.as_f64().is_some_and(|number| number > 0.0).then(|| value.clone())
}

/// A whole number, zero or more.
pub(super) fn count(value: &Value) -> Option<Value> {
    let whole =
        |number: f64| (number.fract() == 0.0 && (0.0..=1e15).contains(&number)).then_some(number as u64);
    value.as_u64().or_else(|| value.as_f64().and_then(whole)).map(Value::from)
}

/// Exclusive bounds: numbers of their own, or the older `true` which makes the bound beside it exclusive.
pub(super) fn bounds(schema: &Map<String, Value>, out: &mut Map<String, Value>) {
    for (exclusive, inclusive) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] {
        match schema.get(exclusive) {
            Some(Value::Bool(true)) => {
                if let Some(bound) = out.remove(inclusive) {
                    out.insert(exclusive.to_owned(), bound);
                }
            }
            Some(bound @ Value::Number(_)) => {
                out.insert(exclusive.to_owned(), bound.clone());
            }
            _ => {}
        }
    }
}
