//! `key=value` and `key:=JSON` words into parameters.
//!
//! A plain value is text, unless the operation declares something that text cannot be and the text reads as that: `id=5` is
//! a number where a number is declared, and so is `first=5`, which is a control. An integer with more digits than JSON is
//! safe for travels as text, which keeps them all. `fields=id,title` is a list of names. Fields of an update go into `input`
//! by themselves, and camelCase spellings count as the names they stand for.

use super::call::too_deep;
use crate::report::CommandError;
use aqueduct_operations::controls::Control;
use aqueduct_operations::naming::snake_case;
use aqueduct_operations::operation::{Grouping, RegistryEntry};
use aqueduct_operations::params::ValueKind;
use aqueduct_operations::params::check::large_integer;
use serde_json::{Map, Value};

/// Presets that every operation has.
const USUAL_PRESETS: [&str; 3] = ["minimal", "standard", "full"];

/// Reads the words after the operation's name. `entry` is absent when that name is not known.
pub fn read(words: &[String], entry: Option<&RegistryEntry>) -> Result<Map<String, Value>, CommandError> {
    let mut params = Map::new();
    for word in words {
        let Some((key, text)) = word.split_once('=') else {
            return Err(CommandError::invalid(format!("'{word}' is neither key=value nor key:=JSON")));
        };
        let (key, is_json) = key.strip_suffix(':').map_or((key, false), |key| (key, true));
        let place = place_of(key, entry);
        if place.iter().any(String::is_empty) {
            return Err(CommandError::invalid(format!(
                "'{word}' is neither key=value nor key:=JSON; a key has a name on both sides of a dot"
            )));
        }
        let kind = declared(&place, entry);
        let value = if kind.as_ref().is_some_and(|kind| large_integer(kind, text).is_some()) {
            text.into()
        } else if is_json {
            serde_json::from_str(text).map_err(|error| {
                let from = format!("the value of '{key}'");
                too_deep(text, &from).unwrap_or_else(|| {
                    CommandError::invalid(format!(
                        "{from} is not valid JSON ({error}); for text use {key}=VALUE"
                    ))
                })
            })?
        } else if let Some(names) = fields(&place, entry, text) {
            names
        } else {
            kind.and_then(|kind| typed(&kind, text)).unwrap_or_else(|| text.into())
        };
        put(&mut params, &place, value)?;
    }
    Ok(params)
}

/// The steps to a value: `title` of an update stands for `input.title`, `orderId` for `order_id`.
fn place_of(key: &str, entry: Option<&RegistryEntry>) -> Vec<String> {
    let mut steps: Vec<String> = key.split('.').map(str::to_owned).collect();
    let Some(entry) = entry else { return steps };
    let operation = &entry.operation;
    let groups = operation.grouping == Grouping::Input;
    let name_at = usize::from(groups && steps.len() > 1 && steps[0] == "input");
    let alias = Some(snake_case(&steps[name_at])).filter(|name| {
        let is_known = operation.param(&steps[name_at]).is_some();
        entry.source.camel_case_aliases && !is_known && operation.param(name).is_some()
    });
    if let Some(name) = alias {
        steps[name_at] = name;
    }
    if name_at == 0 && operation.input_params().any(|param| param.name == steps[0]) {
        steps.insert(0, "input".to_owned());
    }
    steps
}

/// What is declared for the value that stands there, if it is a whole one: by a parameter, else by a control.
fn declared(place: &[String], entry: Option<&RegistryEntry>) -> Option<ValueKind> {
    let operation = &entry?.operation;
    let param = match place {
        [name] => operation.param(name),
        [input, name] if input == "input" => operation.input_params().find(|param| param.name == *name),
        _ => return None,
    };
    let control = || Control::named(place.first().filter(|_| place.len() == 1)?, operation);
    param.map(|param| param.shape.kind.clone()).or_else(|| Some(control()?.shape().kind))
}

/// Names of fields with commas between them, where they are chosen and the text names no preset.
fn fields(place: &[String], entry: Option<&RegistryEntry>, text: &str) -> Option<Value> {
    let ([name], operation) = (place, &entry?.operation) else { return None };
    let chooses = operation.param(name).is_none() && Control::named(name, operation) == Some(Control::Fields);
    let is_preset = USUAL_PRESETS.contains(&text) || operation.answers.fields.preset(text).is_some();
    (chooses && !is_preset && !text.starts_with('['))
        .then(|| text.split(',').map(str::trim).filter(|name| !name.is_empty()).collect())
}

/// The text as what is declared, when it cannot be text and reads as that.
fn typed(kind: &ValueKind, text: &str) -> Option<Value> {
    if kind.takes_text() {
        return None;
    }
    let value = serde_json::from_str(text).ok()?;
    kind.accepts(&value).then_some(value)
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

fn put(params: &mut Map<String, Value>, steps: &[String], value: Value) -> Result<(), CommandError> {
    match steps {
        [] => Ok(()),
        [last] => match params.insert(last.clone(), value) {
            None => Ok(()),
            Some(_) => Err(CommandError::invalid(format!("'{last}' is given twice"))),
        },
        [first, rest @ ..] => {
            match params.entry(first.clone()).or_insert_with(|| Value::Object(Map::new())) {
                Value::Object(inner) => put(inner, rest, value),
                _ => Err(CommandError::invalid(format!("'{first}' is set both as a value and as an object"))),
            }
        }
    }
}
