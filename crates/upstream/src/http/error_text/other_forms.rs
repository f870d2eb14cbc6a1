//! How APIs say what is wrong, besides the forms of the specification: problem details (RFC 9457), `detail`, `msg`,
//! `reason` and the like, faults, lists of complaints, and maps from a field to what is wrong with it.
//!
//! A JSON value in; words such as `name: may not be blank; age: must be positive` out, or nothing when no form fits.

use serde_json::{Map, Value};

/// Where one text is, most telling first.
const TEXTS: [&str; 13] = [
    "detail",
    "msg",
    "reason",
    "error_description",
    "description",
    "error_message",
    "errorMessage",
    "errorMessages",
    "error_msg",
    "status_message",
    "Message",
    "faultstring",
    "fault",
];
/// Where the single complaints are.
const LISTS: [&str; 6] = ["errors", "error", "details", "violations", "invalid-params", "invalid_params"];
/// Where a map from fields to texts is, also to single ones: anywhere else those could be anything.
const FIELD_MAPS: [&str; 3] = ["errors", "fieldErrors", "field_errors"];
/// What names the field that a complaint is about.
const FIELDS: [&str; 10] = [
    "field",
    "param",
    "parameter",
    "property",
    "propertyPath",
    "attribute",
    "path",
    "loc",
    "pointer",
    "name",
];
/// Keys of field maps that stand for the whole request.
const NO_FIELD: [&str; 7] = ["non_field_errors", "nonFieldErrors", "__all__", "_errors", "base", "$", ""];
/// Parts of a request that a `loc` begins with.
const REQUEST_PARTS: [&str; 5] = ["body", "query", "path", "header", "cookie"];
/// Longest name of a field, in bytes.
const LONGEST_FIELD: usize = 80;

/// The reason that a body gives.
pub(super) fn reason(body: &Value) -> Option<String> {
    match body {
        Value::String(text) => filled(text),
        _ => structure(body),
    }
}

/// The words of a list or an object.
pub(super) fn structure(value: &Value) -> Option<String> {
    match value {
        Value::Array(entries) => joined(entries.iter().filter_map(entry).collect()),
        Value::Object(object) => of_object(object).or_else(|| joined(field_map(object, "", false)?)),
        _ => None,
    }
}

/// One complaint of a list, with the field that it is about.
pub(super) fn entry(entry: &Value) -> Option<String> {
    let object = match entry {
        Value::String(text) => return filled(text),
        Value::Object(object) => object,
        _ => return None,
    };
    let words = object.get("message").and_then(reason).or_else(|| of_object(object))?;
    Some(match field(object) {
        Some(field) => format!("{field}: {words}"),
        None => words,
    })
}

/// Title, text and single complaints, as far as they are there.
fn of_object(object: &Map<String, Value>) -> Option<String> {
    let title = object.get("title").and_then(Value::as_str).and_then(filled);
    let text = TEXTS.iter().find_map(|key| reason(object.get(*key)?));
    let listed = LISTS.iter().find_map(|key| reason(object.get(*key)?));
    let mapped =
        || FIELD_MAPS.iter().find_map(|key| joined(field_map(object.get(*key)?.as_object()?, "", true)?));
    let mut messages = String::new();
    for part in [title, text, listed.or_else(mapped)].into_iter().flatten() {
        if part.contains(messages.as_str()) {
            messages = part;
        } else if !messages.contains(part.as_str()) {
            messages = format!("{}: {part}", messages.trim_end_matches(['.', ':', ' ']));
        }
    }
    filled(&messages)
}

/// What is wrong with each field. Strictly, every value is a list of complaints or a map of such; else single texts count
/// too, and the rest is passed over.
fn field_map(fields: &Map<String, Value>, above: &str, loosely: bool) -> Option<Vec<String>> {
    let mut messages = Vec::new();
    for (key, value) in fields {
        let field = match (NO_FIELD.contains(&key.as_str()), above.is_empty()) {
            (true, _) => above.to_owned(),
            (false, true) => key.clone(),
            (false, false) => format!("{above}.{key}"),
        };
        let complaint = |words: String| match field.as_str() {
            "" => words,
            field => format!("{field}: {words}"),
        };
        match value {
            Value::String(text) if loosely => messages.extend(filled(text).map(complaint)),
            Value::Array(entries) => {
                let found: Vec<_> = entries.iter().filter_map(entry).map(complaint).collect();
                if !loosely && found.len() < entries.len() {
                    return None;
                }
                messages.extend(found);
            }
            Value::Object(inner) => match field_map(inner, &field, loosely) {
                Some(inner) => messages.extend(inner),
                None if loosely => {}
                None => return None,
            },
            _ if loosely => {}
            _ => return None,
        }
    }
    Some(messages)
}

/// The field that a complaint is about: a name, a list of steps, or a pointer into the body.
fn field(object: &Map<String, Value>) -> Option<String> {
    let source = object.get("source").and_then(Value::as_object);
    let pointed = source.and_then(|source| source.get("pointer").or_else(|| source.get("parameter")));
    let named = FIELDS.iter().find_map(|key| object.get(*key).filter(|value| !value.is_null()));
    let name = match pointed.or(named)? {
        Value::String(text) => without_pointer(text),
        Value::Array(steps) => steps_of(steps),
        _ => return None,
    };
    Some(name).filter(|name| !name.is_empty() && name.len() <= LONGEST_FIELD)
}

/// `/data/attributes/name` and `#/name` as `name`.
fn without_pointer(text: &str) -> String {
    match text.strip_prefix('#').unwrap_or(text).strip_prefix('/') {
        Some(path) => path.strip_prefix("data/attributes/").unwrap_or(path).replace('/', "."),
        None => text.to_owned(),
    }
}

/// `["body", "items", 0, "name"]` as `items.0.name`.
fn steps_of(steps: &[Value]) -> String {
    let is_part = |step: &Value| step.as_str().is_some_and(|text| REQUEST_PARTS.contains(&text));
    let steps = match steps {
        [first, rest @ ..] if !rest.is_empty() && is_part(first) => rest,
        all => all,
    };
    let texts = steps.iter().map(|step| step.as_str().map_or_else(|| step.to_string(), str::to_owned));
    texts.collect::<Vec<_>>().join(".")
}

fn joined(messages: Vec<String>) -> Option<String> {
    filled(&messages.join("; "))
}

fn filled(text: &str) -> Option<String> {
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests;
