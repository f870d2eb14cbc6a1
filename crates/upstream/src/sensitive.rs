//! Values of parameters that must not be repeated: secret ones in errors (runtime specification, section 11.3), any in the log.
//!
//! An operation and the values of a call in, the redactor of the call knows them after; or a text in, the same without them out.

use crate::http::encode;
use aqueduct_egress::redact::Redactor;
use aqueduct_operations::operation::Operation;
use aqueduct_operations::sanitize::one_line;
use aqueduct_operations::secrets::names::{NamePlace, is_secret};
use serde_json::{Map, Value};

/// Adds the values of secret parameters to what errors must not echo.
pub(crate) fn add(redactor: &mut Redactor, operation: &Operation, values: &Map<String, Value>) {
    for param in &operation.params {
        let Some(value) = values.get(&param.name).filter(|_| param.is_secret()) else { continue };
        let mut texts: Vec<String> = encode::text(value).into_iter().collect();
        // In a styled query or a form its members stand apart.
        leaves(value, &mut texts);
        redactor.add_sensitive(&texts);
    }
}

/// Adds what stands under names of credentials within the values of a call, however deep.
pub(crate) fn add_members(redactor: &mut Redactor, values: &Map<String, Value>) {
    let mut texts = Vec::new();
    values.values().for_each(|value| secret_members(value, &mut texts));
    redactor.add_sensitive(&texts);
}

fn secret_members(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| secret_members(item, texts)),
        Value::Object(fields) => {
            for (name, field) in fields {
                if is_secret(name, NamePlace::Parameter) {
                    leaves(field, texts);
                } else {
                    secret_members(field, texts);
                }
            }
        }
        _ => {}
    }
}

/// True for the name of a pair that is a member by the name of a credential: `login[password]`, `login[password][0]`.
pub(crate) fn is_secret_member(pair: &str) -> bool {
    pair.split(['[', ']']).any(|name| is_secret(name, NamePlace::Parameter))
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

/// The text without what a caller sent, in every form in which an upstream may quote it.
pub fn without_sent(text: &str, values: &Map<String, Value>) -> String {
    let mut sent = Vec::new();
    values.values().for_each(|value| texts_of(value, &mut sent));
    let mut redactor = Redactor::default();
    redactor.add_sent(&sent);
    redactor.error(text).into_owned()
}

/// The texts of a value, as they are and as they stand in a line. Short numbers stay: they are in every sentence.
fn texts_of(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => {
            let line = Some(one_line(text)).filter(|line| line != text);
            texts.extend([text.clone()].into_iter().chain(line));
        }
        Value::Number(number) => texts.extend(Some(number.to_string()).filter(|text| text.len() > 3)),
        Value::Array(items) => items.iter().for_each(|item| texts_of(item, texts)),
        Value::Object(members) => members.values().for_each(|member| texts_of(member, texts)),
        Value::Null | Value::Bool(_) => {}
    }
}

#[cfg(test)]
mod tests;
