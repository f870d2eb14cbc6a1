//! What a failed answer says besides its words, for the details of a failure: a JSON body comes in, its excerpt goes out;
//! nothing when the words have said it all.

use aqueduct_egress::redact::Redactor;
use serde_json::Value;

/// The beginning of a body, when it says more than the words and the status.
pub(crate) fn excerpt(body: &Value, words: &str, status: u16, redactor: &Redactor) -> Option<Value> {
    let excerpt = redactor.excerpt(body);
    adds_information(&excerpt, words, status).then_some(excerpt)
}

fn adds_information(value: &Value, words: &str, status: u16) -> bool {
    match value {
        Value::Null | Value::Bool(_) => false,
        Value::Number(number) => {
            number.as_u64() != Some(status.into()) && !words.contains(&number.to_string())
        }
        Value::String(text) => !words.contains(text.as_str()),
        Value::Array(items) => items.iter().any(|item| adds_information(item, words, status)),
        Value::Object(members) => members.values().any(|member| adds_information(member, words, status)),
    }
}

#[cfg(test)]
mod tests;
