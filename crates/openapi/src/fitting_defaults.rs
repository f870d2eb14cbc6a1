//! Defaults of documents that are no values of their own parameters: `"false"` of a boolean, `"ten"` of a number.
//!
//! Operations in; the same with defaults that fit out. What is only spelled as a text becomes what it says; the rest goes,
//! so that the API uses its own, and is remarked.

use aqueduct_operations::operation::{Declaration, Operation};
use aqueduct_operations::params::Param;
use aqueduct_operations::params::check::problems;
use aqueduct_source_kind::report::ImportReport;
use serde_json::Value;

/// Fits the defaults of operations.
pub(crate) fn fit_defaults(operations: &mut [Operation], report: &mut ImportReport) {
    for operation in operations {
        let Declaration { name, params, .. } = &mut operation.declaration;
        for param in params.iter_mut().filter(|param| param.schema.is_none()) {
            let Some(default) = &param.default else { continue };
            if problems(&param.shape, default).is_empty() {
                continue;
            }
            param.default = spelled_value(param, default);
            if param.default.is_none() {
                let what =
                    format!("the default of '{}' does not fit its type and is left to the API", param.name);
                report.warn_about(name, what);
            }
        }
    }
}

/// The value that a text spells, when that fits.
fn spelled_value(param: &Param, default: &Value) -> Option<Value> {
    let candidates = match default {
        Value::String(text) => serde_json::from_str::<Value>(&text.trim().to_lowercase()).ok(),
        Value::Bool(_) | Value::Number(_) => Some(Value::String(default.to_string())),
        _ => None,
    };
    candidates.filter(|value| !value.is_null() && problems(&param.shape, value).is_empty())
}

#[cfg(test)]
mod tests;
