//! Fills a path template: segments and values come in, an encoded path goes out (runtime specification, section 6.2;
//! ruling S6).
//!
//! Invariant: a value never adds a path segment, never removes one and never ends the path.

use super::{encode, param_style};
use crate::error::RequestBuildError;
use aqueduct_operations::params::{Param, ParamEncoding};
use aqueduct_operations::target::{DotSegments, Segment};
use serde_json::{Map, Value};

/// Values longer than this, once encoded, are worth a warning: many servers refuse them.
const LONG_VALUE: usize = 2048;

/// The template as text, for logs.
pub(crate) fn template(segments: &[Segment]) -> String {
    let piece = |segment: &Segment| match segment {
        Segment::Literal(text) => text.clone(),
        Segment::Placeholder(name) => format!("{{{name}}}"),
    };
    segments.iter().map(piece).collect()
}

/// Puts the values into the template, in the styles of the parameters that are known.
pub(crate) fn fill(
    segments: &[Segment],
    values: &Map<String, Value>,
    params: &[Param],
    dot_segments: DotSegments,
) -> Result<String, RequestBuildError> {
    let mut path = String::new();
    let mut last_param = None;
    for segment in segments {
        match segment {
            Segment::Literal(text) => path.push_str(text),
            Segment::Placeholder(param) => {
                let value = values.get(param);
                if dot_segments == DotSegments::Refuse && value.is_some_and(holds_dots) {
                    return Err(RequestBuildError::HiddenDotSegment(param.clone()));
                }
                let known = params.iter().find(|known| known.name == *param);
                path.push_str(&match known.and_then(|known| Some((known, known.writing?))) {
                    Some((known, writing)) => in_style(known, value, writing)?,
                    None => encoded(param, value)?,
                });
                last_param = Some(param);
            }
        }
    }
    // Two harmless values, or a value beside a literal dot, can still make a dot segment together.
    match last_param {
        Some(param) if path.split('/').any(is_dots) => Err(RequestBuildError::DotSegment(param.clone())),
        _ => Ok(path),
    }
}

fn encoded(param: &str, value: Option<&Value>) -> Result<String, RequestBuildError> {
    let text = match value {
        None | Some(Value::Null) => {
            return Err(RequestBuildError::MissingPathParam(param.to_owned()));
        }
        Some(Value::Object(_)) => return Err(RequestBuildError::InvalidType(param.to_owned())),
        Some(Value::Array(items)) => joined(param, items)?,
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    };
    if text.is_empty() {
        return Err(RequestBuildError::EmptyPathParam(param.to_owned()));
    }
    if encode::decode_lossy(&text).contains('\0') {
        return Err(RequestBuildError::NulCharacter(param.to_owned()));
    }
    if is_dots(&text) {
        return Err(RequestBuildError::DotSegment(param.to_owned()));
    }
    let encoded = member(&text);
    warn_if_long(param, &encoded);
    Ok(encoded)
}

/// A value in its style. What has no members has no text: that would be the path of something else.
fn in_style(
    param: &Param,
    value: Option<&Value>,
    writing: ParamEncoding,
) -> Result<String, RequestBuildError> {
    let Param { name: param, upstream_name, .. } = param;
    let missing = || RequestBuildError::MissingPathParam(param.to_owned());
    let value = value.ok_or_else(missing)?;
    if param_style::holds_nul(value) {
        return Err(RequestBuildError::NulCharacter(param.to_owned()));
    }
    if value.as_str().is_some_and(is_dots) {
        return Err(RequestBuildError::DotSegment(param.to_owned()));
    }
    let escape = if writing.allow_reserved { encode::reserved_in_path } else { member };
    let text = param_style::flat(upstream_name, value, writing, escape).ok_or_else(missing)?;
    // A style that writes something for nothing, such as `;name`, leaves the path what it is.
    if text.is_empty() {
        return Err(RequestBuildError::EmptyPathParam(param.to_owned()));
    }
    warn_if_long(param, &text);
    Ok(text)
}

/// One value, or one of several; kept as it is when it is encoded already (ruling S6).
fn member(text: &str) -> String {
    if encode::is_encoded(text) { text.to_owned() } else { encode::path_component(text) }
}

fn warn_if_long(param: &str, encoded: &str) {
    if encoded.len() > LONG_VALUE {
        tracing::warn!(param, length = encoded.len(), "path parameter is very long");
    }
}

fn joined(param: &str, items: &[Value]) -> Result<String, RequestBuildError> {
    let part = |item: &Value| match item {
        Value::Object(_) | Value::Array(_) | Value::Null => {
            Err(RequestBuildError::InvalidType(param.to_owned()))
        }
        Value::String(text) => Ok(text.clone()),
        other => Ok(other.to_string()),
    };
    Ok(items.iter().map(part).collect::<Result<Vec<_>, _>>()?.join(","))
}

/// True when a text in the value has a dot segment, as it is or decoded once or twice: what an API sees that decodes
/// before it routes, on either kind of slash.
fn holds_dots(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(holds_dots),
        Value::Object(fields) => {
            fields.iter().any(|(name, field)| holds_dots(field) || holds_dots(&Value::from(name.as_str())))
        }
        Value::String(text) => {
            let once = encode::decode_lossy(text);
            let twice = encode::decode_lossy(&once);
            let has_dots = |text: &str| text.split(['/', '\\']).any(|part| matches!(part, "." | ".."));
            has_dots(text) || has_dots(&once) || has_dots(&twice)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// True for `.` and `..`, encoded or not.
fn is_dots(text: &str) -> bool {
    matches!(&*encode::decode_lossy(text), "." | "..")
}

#[cfg(test)]
mod tests;
