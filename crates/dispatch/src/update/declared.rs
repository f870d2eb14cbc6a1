//! Demands that a caller makes in headers which the operation declares itself, `If-Match` and `If-None-Match` (RFC 9110, 13.1).
//!
//! A checked call in; out, the version that was seen, and whether the call may only create. A declared parameter keeps its
//! name (ruling W14), so what is sent there counts as the control of that name does: a merge must not put it aside.

use crate::stages::validate::CheckedRequest;
use aqueduct_operations::operation::Operation;
use aqueduct_operations::params::{Param, ParamLocation};
use serde_json::Value;

const IF_MATCH: &str = "if-match";
const IF_NONE_MATCH: &str = "if-none-match";

/// The version that the caller has seen, where the operation has a parameter of its own for it.
pub fn version<'c>(checked: &'c CheckedRequest<'_>) -> Option<&'c str> {
    value(checked, IF_MATCH)
}

/// True when the caller wants something new and nothing else.
pub fn only_creates(checked: &CheckedRequest<'_>) -> bool {
    value(checked, IF_NONE_MATCH).is_some_and(|value| value.trim() == "*")
}

/// True when the API declares a way to create and nothing else.
pub fn can_only_create(operation: &Operation) -> bool {
    header(operation, IF_NONE_MATCH).is_some()
}

fn value<'c>(checked: &'c CheckedRequest<'_>, name: &str) -> Option<&'c str> {
    let param = header(&checked.entry.operation, name)?;
    checked.values.get(&param.name).and_then(Value::as_str)
}

fn header<'o>(operation: &'o Operation, name: &str) -> Option<&'o Param> {
    operation
        .params
        .iter()
        .find(|param| param.place == ParamLocation::Header && param.upstream_name.eq_ignore_ascii_case(name))
}
