//! Puts the answer into the success envelope. The upstream's JSON goes through as text.

use super::call::Outcome;
use super::validate::Checked;
use aqueduct_operations::reply::Success;
use aqueduct_upstream::Answer;
use serde_json::{Map, Value, json};

/// Wraps what came back.
pub fn shape(checked: &Checked<'_>, outcome: Outcome) -> Success {
    match outcome {
        // Introspection answers have no room for warnings or metadata.
        Outcome::BuiltIn(data) => Success::of(data),
        Outcome::Answered(answer) => {
            let mut meta = Map::new();
            if checked.wants_http {
                meta.insert("http".to_owned(), http_facts(&answer));
            }
            Success { data: answer.data, warnings: checked.warnings.clone(), meta }
        }
    }
}

fn http_facts(answer: &Answer) -> Value {
    let mut headers: Map<String, Value> = Map::new();
    for (name, value) in &answer.headers {
        // A header that came several times is one list (RFC 9110, section 5.3).
        let whole = match headers.get(name).and_then(Value::as_str) {
            Some(before) => format!("{before}, {value}"),
            None => value.clone(),
        };
        headers.insert(name.clone(), whole.into());
    }
    json!({"status": answer.status, "headers": headers, "content_type": answer.content_type})
}
