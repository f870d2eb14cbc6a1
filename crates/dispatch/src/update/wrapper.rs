//! Objects that an API wraps in another one when it is asked for them: `{"data": {...}}`.
//!
//! What was read in; out, the object that an update writes. Only what cannot be meant otherwise is taken for a wrapper: the update
//! declares fields of what is inside, and none of what is outside.

use aqueduct_operations::operation::Operation;
use aqueduct_query::peek;

/// What stands beside the object in a wrapper, and is no part of it.
const BESIDE: [&str; 9] =
    ["meta", "links", "_links", "included", "jsonapi", "errors", "warnings", "messages", "success"];

/// The object that the update writes: what was read, or what is wrapped in it.
pub fn unwrapped<'t>(stored: &'t str, update: &Operation) -> &'t str {
    let is_declared =
        |name: &str| update.params.iter().any(|param| param.is_body() && param.upstream_name == name);
    let mut inside = None;
    for (name, value) in peek::members(stored) {
        if is_declared(&name) {
            return stored;
        }
        if BESIDE.contains(&name.as_ref()) {
            continue;
        }
        if inside.is_some() || !value.starts_with('{') {
            return stored;
        }
        inside = Some(value);
    }
    inside.filter(|inside| peek::members(inside).any(|(name, _)| is_declared(&name))).unwrap_or(stored)
}
