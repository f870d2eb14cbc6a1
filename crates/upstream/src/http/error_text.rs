//! The words of a failed answer: a JSON body comes in, the text that it gives as its reason goes out, and whether it
//! complains of a parameter that is missing (error-code document, 6.2).
//!
//! The four forms of the runtime specification, section 7.3, come first and in its order; the many others that APIs use
//! (`other_forms`) only when none of them says anything.

mod excerpt;
mod other_forms;

pub(crate) use excerpt::excerpt;

use serde_json::{Map, Value};

/// Values of a body that are looked at, and how deep: the forms are tried one after the other, so a body made to be looked
/// through forever must be cut. What a message can hold is found in far less.
const MOST_VALUES: usize = 400;
const DEEPEST: usize = 7;

/// The reason that the body gives; none when it gives none.
pub(crate) fn reason(body: &Value) -> Option<String> {
    let body = &beginning(body, DEEPEST, &mut { MOST_VALUES });
    specified(body).or_else(|| other_forms::reason(body))
}

/// The body without what is too deep or too far down in it.
fn beginning(value: &Value, deepest: usize, left: &mut usize) -> Value {
    *left = left.saturating_sub(1);
    match value {
        Value::Array(_) | Value::Object(_) if deepest == 0 => Value::Null,
        Value::Array(items) => {
            let mut shortened = Vec::new();
            for item in items {
                if *left == 0 {
                    break;
                }
                shortened.push(beginning(item, deepest - 1, left));
            }
            shortened.into()
        }
        Value::Object(members) => {
            let mut shortened = Map::new();
            for (key, member) in members {
                if *left == 0 {
                    break;
                }
                shortened.insert(key.clone(), beginning(member, deepest - 1, left));
            }
            shortened.into()
        }
        scalar => scalar.clone(),
    }
}

/// The four forms of the specification, first match first.
fn specified(body: &Value) -> Option<String> {
    if let Some(message) = body.get("message") {
        let message = text(message);
        if message.is_some() {
            return message;
        }
    }
    match body.get("error") {
        Some(Value::String(error)) if !error.trim().is_empty() => return Some(error.clone()),
        Some(error) => {
            let message = error.get("message").and_then(text);
            if message.is_some() {
                return message;
            }
        }
        None => {}
    }
    let errors = body.get("errors")?.as_array().filter(|errors| !errors.is_empty())?;
    Some(errors.iter().map(of_element).collect::<Vec<_>>().join("; "))
}

/// An element's message, or the element as text.
fn of_element(element: &Value) -> String {
    let message = element.get("message").and_then(text);
    message.or_else(|| other_forms::entry(element)).unwrap_or_else(|| element.to_string())
}

/// A value as text: lists and maps of texts as readable lines, other structures as JSON; none for null and blank text.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()).filter(|text| !text.trim().is_empty()),
        Value::Array(_) | Value::Object(_) => {
            Some(other_forms::structure(value).unwrap_or_else(|| value.to_string()))
        }
        scalar => Some(scalar.to_string()),
    }
}

/// The status in words: `404 Not Found`.
pub(crate) fn of_status(status: http::StatusCode) -> String {
    format!("{} {}", status.as_u16(), status.canonical_reason().unwrap_or_default()).trim_end().to_owned()
}

/// True when the body says that something required was not sent.
pub(crate) fn reports_missing_parameter(body: &Value, reason: Option<&str>) -> bool {
    let is_missing_code = |entry: &Value| {
        ["code", "type", "keyword"].iter().filter_map(|key| entry.get(key)?.as_str()).any(|code| {
            let code = code.to_ascii_lowercase();
            matches!(code.as_str(), "missing" | "required" | "blank" | "value_error.missing")
                || code.contains("missing_")
                || code.ends_with("_missing")
                || code.ends_with("_required")
        })
    };
    let entries =
        ["errors", "detail", "details"].iter().filter_map(|key| body.get(key)?.as_array()).flatten();
    let is_missing_coded = body.get("error").into_iter().chain(entries).chain([body]).any(is_missing_code);
    let reason_text = reason.unwrap_or_default().to_lowercase();
    let is_missing_text =
        ["missing required", "is required", "are required", "is missing", "can't be blank", "missing param"]
            .iter()
            .any(|words| reason_text.contains(words));
    is_missing_coded || is_missing_text
}

#[cfg(test)]
mod tests;
