//! Values for parameters, from what introspection says of them: right ones, and ones that break a rule.
//!
//! In: a parameter, and the examples of its operation. Out: a value that its description allows, or one that it refuses. No value
//! is taken from anywhere else.

use crate::operation::{Operation, Parameter};
use crate::pattern;
use serde_json::{Value, json};

/// The word that marks texts as ours.
pub(crate) const MARK: &str = "conformance";

/// A name that no operation has a parameter of.
pub(crate) const UNKNOWN: &str = "no_such_parameter";

/// A value that the description allows.
pub(crate) fn right(operation: &Operation, parameter: &Parameter) -> Value {
    let from_example = operation
        .examples
        .iter()
        .find_map(|example| example.get(&parameter.name))
        .filter(|value| !is_blank(value));
    if let Some(value) = from_example.or_else(|| parameter.allowed().first()) {
        return value.clone();
    }
    made(&parameter.raw)
}

/// A value made of a description.
pub(crate) fn made(description: &Value) -> Value {
    if let Some(value) = description["enum"].as_array().and_then(|values| values.first()) {
        return value.clone();
    }
    if let Some(value) = description.get("default").filter(|value| !value.is_null()) {
        return value.clone();
    }
    match basic(description["type"].as_str().unwrap_or_default()) {
        "integer" => json!(whole(description)),
        "number" => number(description),
        "boolean" => json!(false),
        "array" => match &description["items"] {
            Value::Object(_) => json!([made(&description["items"])]),
            _ => json!([]),
        },
        "object" => json!({}),
        _ => Value::String(text(description)),
    }
}

/// The first basic type of a written type: `string | string[]` is a string.
pub(crate) fn basic(kind: &str) -> &str {
    let first = kind.split('|').next().unwrap_or_default().trim();
    if first.ends_with("[]") { "array" } else { first }
}

/// A value of another type than the one that is described; nothing where every type may be right.
pub(crate) fn of_wrong_type(parameter: &Parameter) -> Option<Value> {
    match parameter.kind.as_str() {
        "integer" | "number" | "boolean" => Some(json!({MARK: 1})),
        "string" => Some(json!({MARK: 1})),
        "object" | "array" => Some(json!(7)),
        _ => None,
    }
}

/// Values that break what is said of a parameter, each with the rule that it breaks.
pub(crate) fn wrong(parameter: &Parameter) -> Vec<(&'static str, Value)> {
    let raw = &parameter.raw;
    let mut found = Vec::new();
    if !parameter.allowed().is_empty() && parameter.kind == "string" {
        found.push(("enum", json!("no_such_value_of_the_enum")));
    }
    if let Some(minimum) = raw["minimum"].as_f64().filter(|_| is_number(parameter)) {
        found.push(("minimum", of_number(parameter, minimum - 1.0)));
    }
    if let Some(maximum) = raw["maximum"].as_f64().filter(|maximum| is_number(parameter) && *maximum < 1e15) {
        found.push(("maximum", of_number(parameter, maximum + 1.0)));
    }
    if parameter.kind == "string" {
        if raw["minLength"].as_u64().is_some_and(|least| least > 0) {
            found.push(("minLength", json!("")));
        }
        if let Some(most) = raw["maxLength"].as_u64().filter(|most| *most < 10_000) {
            found.push(("maxLength", json!("x".repeat(usize::try_from(most).unwrap_or_default() + 1))));
        }
        if raw["pattern"].as_str().is_some_and(|pattern| pattern::matching(pattern).is_some()) {
            found.push(("pattern", json!("\u{1f512} matches no usual pattern")));
        }
        if matches!(raw["format"].as_str(), Some("date" | "date-time" | "uuid" | "email" | "uri")) {
            found.push(("format", json!("of no format")));
        }
    }
    found
}

fn is_number(parameter: &Parameter) -> bool {
    matches!(parameter.kind.as_str(), "integer" | "number")
}

fn of_number(parameter: &Parameter, value: f64) -> Value {
    if parameter.kind == "integer" { json!(value.round() as i64) } else { json!(value) }
}

fn is_blank(value: &Value) -> bool {
    value.is_null() || value == ""
}

fn whole(description: &Value) -> i64 {
    let (low, high) = (description["minimum"].as_f64(), description["maximum"].as_f64());
    let value = low.map_or(1, |low| low.ceil() as i64).max(if low.is_none() { 1 } else { i64::MIN });
    high.map_or(value, |high| value.min(high.floor() as i64))
}

fn number(description: &Value) -> Value {
    let (low, high) = (description["minimum"].as_f64(), description["maximum"].as_f64());
    let value = low.map_or(1.0, f64::ceil);
    json!(high.map_or(value, |high| value.min(high)))
}

fn text(description: &Value) -> String {
    if let Some(text) = description["pattern"].as_str().and_then(pattern::matching) {
        return text;
    }
    let usual = match description["format"].as_str().unwrap_or_default() {
        "date" => "2026-02-04",
        "date-time" => "2026-02-04T10:30:00Z",
        "email" => "conformance@example.com",
        "uri" => "https://example.com/conformance",
        "uuid" => "123e4567-e89b-42d3-a456-426614174000",
        _ => return of_length(description),
    };
    usual.to_owned()
}

fn of_length(description: &Value) -> String {
    let length = |key: &str| description[key].as_u64().and_then(|length| usize::try_from(length).ok());
    let mut text = MARK.to_owned();
    while length("minLength").is_some_and(|least| text.len() < least && text.len() < 10_000) {
        text.push('x');
    }
    if let Some(most) = length("maxLength") {
        text.truncate(most);
    }
    text
}
