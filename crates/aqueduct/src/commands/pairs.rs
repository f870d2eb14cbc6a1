//! `key=value` and `key:=JSON` words into parameters.
//!
//! A plain value is text, unless the operation declares something that text cannot be and the text reads as that:
//! `id=5` is a number where a number is declared. Fields of an update go into `input` by themselves.

use crate::report::{Exit, Stop};
use aqueduct_operations::operation::{Grouping, Operation};
use aqueduct_operations::params::Param;
use serde_json::{Map, Value};

/// Reads the words after the operation's name. `operation` is absent when its name is not known.
pub fn read(words: &[String], operation: Option<&Operation>) -> Result<Map<String, Value>, Stop> {
    let mut params = Map::new();
    for word in words {
        let (key, value) = pair(word, operation)?;
        let place = place_of(&key, operation);
        if place.iter().any(String::is_empty) {
            return Err(usage(format!(
                "'{word}' is neither key=value nor key:=JSON; a key has a name on both sides of a dot"
            )));
        }
        put(&mut params, &place, value)?;
    }
    Ok(params)
}

fn pair(word: &str, operation: Option<&Operation>) -> Result<(String, Value), Stop> {
    let Some((key, text)) = word.split_once('=') else {
        return Err(usage(format!("'{word}' is neither key=value nor key:=JSON")));
    };
    if let Some(key) = key.strip_suffix(':') {
        let value = serde_json::from_str(text).map_err(|error| {
            usage(format!("the value of '{key}' is not valid JSON ({error}); for text use {key}=VALUE"))
        })?;
        return Ok((key.to_owned(), value));
    }
    let last = key.rsplit('.').next().unwrap_or(key);
    let declared = operation.and_then(|operation| operation.param(last));
    Ok((key.to_owned(), declared.and_then(|param| typed(param, text)).unwrap_or_else(|| text.into())))
}

/// The text as what the parameter declares, when it cannot be text and reads as that.
fn typed(param: &Param, text: &str) -> Option<Value> {
    if param.shape.kind.takes_text() {
        return None;
    }
    let value = serde_json::from_str(text).ok()?;
    param.shape.kind.accepts(&value).then_some(value)
}

/// `title` of an update stands for `input.title`.
fn place_of(key: &str, operation: Option<&Operation>) -> Vec<String> {
    let steps: Vec<String> = key.split('.').map(str::to_owned).collect();
    let nested = operation.is_some_and(|operation| {
        operation.grouping == Grouping::Input && operation.input_params().any(|param| param.name == steps[0])
    });
    if nested { std::iter::once("input".to_owned()).chain(steps).collect() } else { steps }
}

/// Adds what a JSON object says where the pairs say nothing, inside objects too.
pub fn fill(params: &mut Map<String, Value>, json: Map<String, Value>) {
    for (key, value) in json {
        match (params.get_mut(&key), value) {
            (Some(Value::Object(inner)), Value::Object(more)) => fill(inner, more),
            (Some(_), _) => {}
            (None, value) => {
                params.insert(key, value);
            }
        }
    }
}

fn put(params: &mut Map<String, Value>, steps: &[String], value: Value) -> Result<(), Stop> {
    match steps {
        [] => Ok(()),
        [last] => {
            params.insert(last.clone(), value);
            Ok(())
        }
        [first, rest @ ..] => {
            match params.entry(first.clone()).or_insert_with(|| Value::Object(Map::new())) {
                Value::Object(inner) => put(inner, rest, value),
                _ => Err(usage(format!("'{first}' is set both as a value and as an object"))),
            }
        }
    }
}

fn usage(message: String) -> Stop {
    Stop::new(Exit::Invalid, message)
}
