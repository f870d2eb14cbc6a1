//! Values of keywords, each made such that checks can use it.
//!
//! The value as it was written in; the value to use out, or nothing when the keyword says nothing.

use super::SchemaDialect;
use crate::keywords::TYPES;
use serde_json::{Number, Value};
use std::collections::HashSet;

/// The types, unless one of them is unknown: then any type may be meant.
pub(super) fn types(value: &Value) -> Option<Value> {
    let known = |value: &Value| value.as_str().is_some_and(|name| TYPES.contains(&name));
    match value {
        Value::Array(all) => (!all.is_empty() && all.iter().all(known)).then(|| unique(all)),
        one => known(one).then(|| one.clone()),
    }
}

/// The list without repetitions.
pub(crate) fn unique(values: &[Value]) -> Value {
    let mut seen = HashSet::new();
    Value::Array(values.iter().filter(|value| seen.insert(*value)).cloned().collect())
}

/// The texts of a list, each once; nothing when there are none.
pub(crate) fn names(value: &Value) -> Option<Value> {
    let mut seen = HashSet::new();
    let texts = value.as_array()?.iter().filter(|name| name.is_string() && seen.insert(*name));
    let texts: Vec<Value> = texts.cloned().collect();
    (!texts.is_empty()).then_some(Value::Array(texts))
}

/// True or false.
pub(super) fn flag(dialect: SchemaDialect, value: &Value) -> Option<Value> {
    match value {
        Value::Bool(_) => Some(value.clone()),
        Value::String(text) if dialect == SchemaDialect::OpenApi => text.parse().ok().map(Value::Bool),
        _ => None,
    }
}

/// A number.
pub(super) fn number(dialect: SchemaDialect, value: &Value) -> Option<Value> {
    match value {
        Value::Number(_) => Some(value.clone()),
        Value::String(text) if dialect == SchemaDialect::OpenApi => {
            text.trim().parse::<Number>().ok().map(Value::Number)
        }
        _ => None,
    }
}

/// A whole number, zero or more.
pub(super) fn count(dialect: SchemaDialect, value: &Value) -> Option<Value> {
    let number = number(dialect, value)?;
    let whole =
        |number: f64| (number.fract() == 0.0 && (0.0..9e15).contains(&number)).then_some(number as u64);
    number.as_u64().or_else(|| number.as_f64().and_then(whole)).map(Value::from)
}

/// A number or a truth value as the text that it is written as.
pub(crate) fn as_text(value: &mut Value) {
    if matches!(value, Value::Number(_) | Value::Bool(_)) {
        *value = Value::String(value.to_string());
    }
}
