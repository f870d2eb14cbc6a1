//! First look at a request: is it clean text, within the limits, and a request at all? (core specification, sections
//! 4.1 and 4.7; ruling W4). Raw arguments in, a `RequestEnvelope` out.

use crate::discovery::task_sent;
use aqueduct_operations::failure::wording::shortened;
use aqueduct_operations::json_text::{PARSER_DEPTH, nesting_depth};
use aqueduct_operations::limits::Limits;
use aqueduct_operations::params::shape::type_name;
use serde_json::{Map, Value};
use std::{fmt, io};

/// A request taken apart.
#[derive(Clone)]
pub struct RequestEnvelope {
    /// The operation requested.
    pub operation: String,
    /// The content of `params`.
    pub params: Map<String, Value>,
    /// Everything beside `operation` and `params`.
    pub top_level: Map<String, Value>,
    /// `params` came as JSON text and was parsed.
    pub params_repaired: bool,
}

// The values may be sensitive: only the operation's name is printed.
impl fmt::Debug for RequestEnvelope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Envelope").field("operation", &self.operation).finish_non_exhaustive()
    }
}

/// Why something is not a request.
#[derive(Debug, Clone, PartialEq)]
pub enum EnvelopeError {
    /// A NUL in this string.
    Encoding {
        /// Where, such as `params.note`.
        location: String,
    },
    /// Over a limit.
    TooLarge {
        /// Which, named as in the error-code document.
        limit_type: &'static str,
        /// What it is.
        limit: u64,
        /// What came.
        actual: u64,
        /// Of what.
        unit: &'static str,
    },
    /// No `operation`.
    NoOperation {
        /// Texts under keys that may have been meant for it, such as `op`.
        instead: Vec<(String, String)>,
        /// The task that the request speaks of.
        task: Option<String>,
    },
    /// An `operation` of this JSON type.
    OperationType(&'static str),
    /// A `params` of another JSON type.
    ParamsType {
        /// The operation requested.
        operation: String,
        /// The type.
        found: &'static str,
    },
}

/// Keys under which models send the operation when they forget how it is called here, in any letter case.
const MISTAKEN_FOR_OPERATION: [&str; 8] =
    ["operation", "op", "operation_name", "operationName", "name", "tool", "method", "action"];

/// A request, or several in one.
pub enum ParsedRequest {
    /// One operation.
    One(RequestEnvelope),
    /// The `operations` of a batch, whatever they are, and what stands beside them.
    Batch(Value, Map<String, Value>),
}

/// Takes a request apart.
pub fn open(mut arguments: Map<String, Value>, limits: &Limits) -> Result<ParsedRequest, EnvelopeError> {
    let params_repaired = parse_text_params(&mut arguments, limits)?;
    let whole = Value::Object(arguments);
    if let Some(location) = first_nul(&whole) {
        return Err(EnvelopeError::Encoding { location });
    }
    let (actual, limit) = (json_size(&whole), limits.max_request_size);
    if actual > limit {
        return Err(EnvelopeError::TooLarge { limit_type: "request_size", limit, actual, unit: "bytes" });
    }
    check_nested(&whole, 1, limits)?;
    let Value::Object(mut top_level) = whole else {
        return Err(EnvelopeError::NoOperation { instead: Vec::new(), task: None });
    };
    let operation = match top_level.remove("operation") {
        Some(Value::String(name)) if !name.is_empty() => name,
        None if top_level.contains_key("operations") => {
            let operations = parsed(top_level.remove("operations"));
            return Ok(ParsedRequest::Batch(operations, top_level));
        }
        None | Some(Value::String(_)) => {
            let params = top_level.get("params").and_then(Value::as_object);
            let places: Vec<&Map<String, Value>> = params.into_iter().chain([&top_level]).collect();
            let task = task_sent(&places);
            return Err(EnvelopeError::NoOperation { instead: mistaken(&top_level), task });
        }
        Some(other) => return Err(EnvelopeError::OperationType(type_name(&other))),
    };
    let params = match top_level.remove("params") {
        None => Map::new(),
        Some(Value::Object(params)) => params,
        Some(other) => return Err(EnvelopeError::ParamsType { operation, found: type_name(&other) }),
    };
    if operation == "batch" {
        let (mut beside, mut params) = (top_level, params);
        let operations = params.remove("operations").or_else(|| beside.remove("operations"));
        beside.extend(params);
        return Ok(ParsedRequest::Batch(parsed(operations), beside));
    }
    Ok(ParsedRequest::One(RequestEnvelope { operation, params, top_level, params_repaired }))
}

/// A list that came as JSON text is read (ruling W10); its items are checked one by one.
fn parsed(operations: Option<Value>) -> Value {
    let operations = operations.unwrap_or(Value::Null);
    match operations.as_str().map(serde_json::from_str::<Value>) {
        Some(Ok(list @ Value::Array(_))) => list,
        _ => operations,
    }
}

fn mistaken(top_level: &Map<String, Value>) -> Vec<(String, String)> {
    let keys_like =
        |expected: &'static str| top_level.iter().filter(move |(key, _)| key.eq_ignore_ascii_case(expected));
    MISTAKEN_FOR_OPERATION
        .into_iter()
        .flat_map(keys_like)
        .filter_map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned())))
        .collect()
}

/// Parses `params` that came as JSON text (ruling W10), before anything is checked, so that nothing hides in the text.
fn parse_text_params(arguments: &mut Map<String, Value>, limits: &Limits) -> Result<bool, EnvelopeError> {
    let Some(params) = arguments.get_mut("params") else { return Ok(false) };
    let Some(text) = params.as_str() else { return Ok(false) };
    match serde_json::from_str::<Value>(text) {
        Ok(parsed @ Value::Object(_)) => {
            *params = parsed;
            Ok(true)
        }
        Err(_) if text.trim_start().starts_with('{') && nesting_depth(text.as_bytes()) > PARSER_DEPTH => {
            let (limit, actual) = (limits.max_nesting_depth, nesting_depth(text.as_bytes()) as u64 + 1);
            Err(EnvelopeError::TooLarge { limit_type: "nesting_depth", limit, actual, unit: "levels" })
        }
        _ => Ok(false),
    }
}

/// Whether a value that came as JSON text is as clean and as small as the request around it must be. `depth` is the
/// level on which the value stands.
pub fn may_join(value: &Value, depth: u64, limits: &Limits) -> bool {
    first_nul(value).is_none() && check_nested(value, depth, limits).is_ok()
}

/// The place of the first string or key with a NUL in it. Built on the way back, so that a request of a million
/// values does not make a million paths.
fn first_nul(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => text.contains('\0').then(String::new),
        Value::Array(values) => values
            .iter()
            .enumerate()
            .find_map(|(index, each)| Some(joined(&format!("[{index}]"), &first_nul(each)?))),
        Value::Object(object) => object.iter().find_map(|(key, each)| {
            if key.contains('\0') {
                return Some(String::new());
            }
            Some(joined(&shortened(key, 60), &first_nul(each)?))
        }),
        _ => None,
    }
}

fn joined(place: &str, rest: &str) -> String {
    let dot = if rest.is_empty() || rest.starts_with('[') { "" } else { "." };
    format!("{place}{dot}{rest}")
}

fn check_nested(whole: &Value, depth: u64, limits: &Limits) -> Result<(), EnvelopeError> {
    let too_large =
        |limit_type, limit, actual, unit| EnvelopeError::TooLarge { limit_type, limit, actual, unit };
    let mut pending = vec![(depth, whole)];
    while let Some((depth, value)) = pending.pop() {
        if depth > limits.max_nesting_depth && (value.is_object() || value.is_array()) {
            return Err(too_large("nesting_depth", limits.max_nesting_depth, depth, "levels"));
        }
        match value {
            Value::String(text) if text.len() as u64 > limits.max_string_length => {
                return Err(too_large("string_length", limits.max_string_length, text.len() as u64, "bytes"));
            }
            Value::Array(values) => {
                let count = values.len() as u64;
                if count > limits.max_array_elements {
                    return Err(too_large("array_elements", limits.max_array_elements, count, "elements"));
                }
                pending.extend(values.iter().map(|each| (depth + 1, each)));
            }
            Value::Object(object) => pending.extend(object.values().map(|each| (depth + 1, each))),
            _ => {}
        }
    }
    Ok(())
}

/// Bytes of the compact JSON text, without writing it.
fn json_size(value: &Value) -> u64 {
    struct ValueCounter(u64);
    impl io::Write for ValueCounter {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len() as u64;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut counter = ValueCounter(0);
    // A counter never fails to write, and a `Value` always has a JSON form.
    match serde_json::to_writer(&mut counter, value) {
        Ok(()) => counter.0,
        Err(_) => u64::MAX,
    }
}

#[cfg(test)]
mod tests;
