//! What a job tells of itself: its state, how far it is, what it gave, why it failed.
//!
//! A lifecycle and JSON of its API in; an observation out. Pure. Whatever an API sends, what comes out is bounded: numbers are in range,
//! texts are one short line, a result is kept up to a size.

use aqueduct_operations::execution::{ExecutionState, Observation};
use aqueduct_operations::failure::wording::shortened;
use aqueduct_operations::lifecycle::{Lifecycle, ProgressPaths};
use aqueduct_operations::params::shape;
use aqueduct_operations::response::FieldPath;
use aqueduct_operations::sanitize::seen;
use serde_json::{Map, Value, json};

/// Characters of a message of an API.
const LONGEST_MESSAGE: usize = 300;

/// Characters of an identifier.
const LONGEST_ID: usize = 1_000;

/// Bytes of what an API says of an error, besides the message.
const LARGEST_ERROR: usize = 4_096;

/// What the data of a job says.
pub fn read(lifecycle: &Lifecycle, data: &Value, max_result_size: u64) -> Observation {
    let word = state_word(lifecycle, data);
    let (state, custom) = match word.as_deref().and_then(|word| lifecycle.meaning(word)) {
        Some((state, custom)) => (Some(state), custom),
        None => (None, None),
    };
    let mut observation = Observation { state, custom, ..Observation::default() };
    if let Some(paths) = &lifecycle.progress {
        observation.progress = progress(paths, data).or_else(|| {
            let word = word.as_deref().filter(|_| !state.is_some_and(ExecutionState::is_terminal))?;
            Some(json!({"message": one_line(word)}))
        });
    }
    match state {
        Some(ExecutionState::Completed) => keep_result(lifecycle, data, max_result_size, &mut observation),
        Some(ExecutionState::Failed) => observation.error = Some(error(lifecycle, data)),
        _ => {}
    }
    observation
}

/// The observation of a job that has ended well, whatever it says of its state.
pub fn completed(lifecycle: &Lifecycle, data: &Value, max_result_size: u64) -> Observation {
    let mut observation = Observation { state: Some(ExecutionState::Completed), ..Observation::default() };
    keep_result(lifecycle, data, max_result_size, &mut observation);
    observation
}

/// The identifier in the data: a text or a number.
pub fn identifier(value: Option<&Value>) -> Option<Value> {
    match value? {
        Value::String(text) if !text.is_empty() && text.chars().count() <= LONGEST_ID => {
            Some(Value::from(text.as_str()))
        }
        Value::Number(number) => Some(Value::Number(number.clone())),
        _ => None,
    }
}

/// What is at a path; through a list, the first that is there.
pub fn at<'v>(value: &'v Value, path: &FieldPath) -> Option<&'v Value> {
    fn walk<'v>(value: &'v Value, names: &[String]) -> Option<&'v Value> {
        match (value, names) {
            (value, []) => Some(value),
            (Value::Object(members), [name, rest @ ..]) => walk(members.get(name)?, rest),
            (Value::Array(elements), names) => elements.iter().find_map(|element| walk(element, names)),
            _ => None,
        }
    }
    walk(value, path.names())
}

/// True when the data holds no state at all, not even one that is unknown.
pub fn is_wordless(lifecycle: &Lifecycle, data: &Value) -> bool {
    state_word(lifecycle, data).is_none()
}

fn state_word(lifecycle: &Lifecycle, data: &Value) -> Option<String> {
    let found = match &lifecycle.state_path {
        Some(path) => at(data, path),
        None => ["status", "state"].iter().find_map(|name| data.get(name)),
    };
    match found? {
        Value::String(word) => Some(shortened(word, 100)),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn progress(paths: &ProgressPaths, data: &Value) -> Option<Value> {
    let number = |path: &Option<FieldPath>| path.as_ref().and_then(|path| at(data, path)).and_then(number_of);
    let mut shown = Map::new();
    if let Some(percentage) = number(&paths.percentage) {
        shown.insert("percentage".to_owned(), shape::number(percentage.min(100.0)));
    }
    if let (Some(current), Some(total)) = (number(&paths.current), number(&paths.total)) {
        shown.insert("current".to_owned(), shape::number(current));
        shown.insert("total".to_owned(), shape::number(total));
    }
    let message = paths.message.as_ref().and_then(|path| at(data, path)).and_then(Value::as_str);
    if let Some(message) = message.map(one_line).filter(|message| !message.is_empty()) {
        shown.insert("message".to_owned(), message.into());
    }
    (!shown.is_empty()).then_some(Value::Object(shown))
}

/// A number that is not negative, also as a text such as `45%`.
fn number_of(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().trim_end_matches('%').trim_end().parse().ok(),
        _ => None,
    };
    number.filter(|number: &f64| number.is_finite()).map(|number| number.max(0.0))
}

fn keep_result(lifecycle: &Lifecycle, data: &Value, max_size: u64, observation: &mut Observation) {
    let result = match &lifecycle.result_path {
        Some(path) => at(data, path),
        None => Some(data),
    };
    let Some(result) = result.filter(|result| !result.is_null()) else { return };
    let size = result.to_string().len() as u64;
    if size <= max_size {
        observation.result = Some(result.clone());
    } else {
        observation.result_left_out = Some(size);
    }
}

fn error(lifecycle: &Lifecycle, data: &Value) -> Value {
    let found = match &lifecycle.error_path {
        Some(path) => at(data, path),
        None => data.get("error"),
    };
    let words = found.and_then(|found| match found {
        Value::String(text) => Some(text.as_str()),
        Value::Object(members) => {
            ["message", "detail", "error", "reason"].iter().find_map(|name| members.get(*name)?.as_str())
        }
        _ => None,
    });
    let message = match words.map(one_line).filter(|words| !words.is_empty()) {
        Some(words) => format!("The job failed: {words}"),
        None => "The job failed, and its API does not say why.".to_owned(),
    };
    let mut error = json!({"code": "INTERNAL_ERROR", "message": message});
    if let Some(found) = found.filter(|found| found.is_object() && found.to_string().len() <= LARGEST_ERROR) {
        error["details"] = json!({"upstream": found});
    }
    error
}

fn one_line(text: &str) -> String {
    let line: String = text.chars().take(LONGEST_MESSAGE * 2).map(seen).collect();
    shortened(line.trim(), LONGEST_MESSAGE)
}

#[cfg(test)]
mod tests;
