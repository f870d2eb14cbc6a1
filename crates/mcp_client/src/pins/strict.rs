//! The stricter of two claims: a tool that has changed is never milder than it was when it was approved.
//!
//! Two definitions in; the newer one with the claims that count out, or nothing when its own are no milder.

use serde_json::{Map, Value};

const READ_ONLY: &str = "readOnlyHint";
const DESTRUCTIVE: &str = "destructiveHint";
const IDEMPOTENT: &str = "idempotentHint";

/// The newer definition, with what was claimed before where that is stricter.
pub(super) fn stricter(before: &Value, now: &Value) -> Option<Value> {
    let hint =
        |tool: &Value, key: &str| tool.pointer(&format!("/annotations/{key}")).and_then(Value::as_bool);
    // Silence stands between the two: it is decided by the name.
    let harmless = |key: &str| match (hint(before, key), hint(now, key)) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (None, _) | (_, None) => None,
        (Some(true), Some(true)) => Some(true),
    };
    let destroys = match (hint(before, DESTRUCTIVE), hint(now, DESTRUCTIVE)) {
        (Some(true), _) => Some(true),
        (_, now) => now,
    };
    let counts =
        [(READ_ONLY, harmless(READ_ONLY)), (DESTRUCTIVE, destroys), (IDEMPOTENT, harmless(IDEMPOTENT))];
    if counts.iter().all(|(key, value)| hint(now, key) == *value) {
        return None;
    }
    let mut annotations: Map<String, Value> =
        now.get("annotations").and_then(Value::as_object).cloned().unwrap_or_default();
    for (key, value) in counts {
        match value {
            Some(value) => annotations.insert(key.to_owned(), value.into()),
            None => annotations.remove(key),
        };
    }
    let mut tool = now.as_object()?.clone();
    tool.insert("annotations".to_owned(), annotations.into());
    Some(Value::Object(tool))
}

#[cfg(test)]
mod tests;
