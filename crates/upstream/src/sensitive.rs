//! Values of sensitive parameters: an operation and the values of a call in, the redactor of the call knows them after.
//!
//! Errors must not echo them (runtime specification, section 11.3).

use crate::http::encode;
use aqueduct_egress::redact::Redactor;
use aqueduct_operations::operation::Operation;
use serde_json::{Map, Value};

/// Adds the values of sensitive parameters to what errors must not echo.
pub(crate) fn add(redactor: &mut Redactor, operation: &Operation, values: &Map<String, Value>) {
    for param in operation.params.iter().filter(|param| param.sensitive) {
        let Some(value) = values.get(&param.name) else { continue };
        let mut texts: Vec<String> = encode::text(value).into_iter().collect();
        // In a styled query or a form its members stand apart.
        leaves(value, &mut texts);
        redactor.add_sensitive(&texts);
    }
}

/// The scalars in a value, as texts.
fn leaves(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| leaves(item, texts)),
        Value::Object(fields) => fields.values().for_each(|field| leaves(field, texts)),
        Value::Bool(_) => {}
        scalar => texts.extend(encode::text(scalar)),
    }
}

#[cfg(test)]
mod tests;
