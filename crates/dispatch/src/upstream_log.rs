//! Failures of an upstream in the log, at a level that is written unless the operator says otherwise: which operation, which
//! status, and the upstream's own words.
//!
//! A failure in, one line in the log out. Its message has been redacted and is one line; what the caller sent is taken out of it
//! as well, for an upstream may quote it, and no value of a parameter is ever logged.

use aqueduct_operations::failure::Failure;
use aqueduct_operations::gatekeeper::PermitRecord;
use aqueduct_operations::visible::one_line;
use serde_json::{Map, Value};

/// Shorter texts and numbers are in every sentence, so they stay.
const SHORTEST: usize = 3;

/// Logs that the upstream failed a call, with its status where it has one; gives the failure back.
pub fn failed(record: &PermitRecord<'_>, status: Option<u16>, failure: Failure) -> Failure {
    let words = one_line(&without_values(&failure.message, record.values()));
    tracing::warn!(
        target: "aqueduct::upstream",
        operation = record.entry().public_name,
        source = record.entry().source.name,
        caller = record.caller().name(),
        session = %record.session(),
        status,
        code = failure.code.name(),
        words,
        "a call of the upstream failed"
    );
    failure
}

/// The text without what the caller sent, in the forms in which an upstream may quote it.
fn without_values(text: &str, values: &Map<String, Value>) -> String {
    let mut sent = Vec::new();
    values.values().for_each(|value| gather(value, &mut sent));
    // What is part of something longer goes with it.
    sent.sort_unstable_by_key(|value| std::cmp::Reverse(value.len()));
    sent.dedup();
    sent.iter().fold(text.to_owned(), |text, value| text.replace(value.as_str(), "[value]"))
}

fn gather(value: &Value, sent: &mut Vec<String>) {
    match value {
        Value::String(text) => {
            let quoted = value.to_string();
            let escaped: String = text.bytes().map(percent).collect();
            let forms = [text.clone(), quoted[1..quoted.len() - 1].to_owned(), one_line(text), escaped];
            sent.extend(forms.into_iter().filter(|form| form.chars().count() >= SHORTEST));
        }
        Value::Number(number) => sent.extend(Some(number.to_string()).filter(|text| text.len() > SHORTEST)),
        Value::Array(items) => items.iter().for_each(|item| gather(item, sent)),
        Value::Object(members) => members.values().for_each(|member| gather(member, sent)),
        Value::Null | Value::Bool(_) => {}
    }
}

fn percent(byte: u8) -> String {
    if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
        char::from(byte).to_string()
    } else {
        format!("%{byte:02X}")
    }
}

#[cfg(test)]
mod tests;
