//! How deep a JSON value may nest before it is cut or refused.
//!
//! Any value in; a copy without what lies too deep, or whether it is too deep, out. Everything that walks a value by
//! calling itself relies on this bound, so that no document and no value can exhaust the stack.

use serde_json::{Map, Value};

/// Levels of a schema that are looked into; what lies deeper accepts everything. Parsed JSON never has more.
pub(crate) const SCHEMA_LEVELS: usize = 160;
/// Levels that a value may have to be checked.
pub(crate) const VALUE_LEVELS: usize = 256;

/// True when the value has more levels than this.
pub(crate) fn is_deeper_than(value: &Value, levels: usize) -> bool {
    match value {
        Value::Array(items) => levels == 0 || items.iter().any(|item| is_deeper_than(item, levels - 1)),
        Value::Object(map) => levels == 0 || map.values().any(|item| is_deeper_than(item, levels - 1)),
        _ => false,
    }
}

/// A copy in which arrays and objects below the bound are `true`, the schema of everything.
pub(crate) fn cut(value: &Value, levels: usize) -> Value {
    match value {
        Value::Array(_) | Value::Object(_) if levels == 0 => Value::Bool(true),
        Value::Array(items) => Value::Array(items.iter().map(|item| cut(item, levels - 1)).collect()),
        Value::Object(map) => {
            let entries = map.iter().map(|(name, item)| (name.clone(), cut(item, levels - 1)));
            Value::Object(entries.collect::<Map<_, _>>())
        }
        other => other.clone(),
    }
}

/// Takes a value apart level by level: dropping one of many levels otherwise calls itself for each.
pub(crate) fn dismantle(value: Value) {
    let mut rest = vec![value];
    while let Some(next) = rest.pop() {
        match next {
            Value::Array(items) => rest.extend(items),
            Value::Object(map) => rest.extend(map.into_iter().map(|(_, item)| item)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests;
