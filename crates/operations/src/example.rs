//! Example values and minimal example requests, made from what an operation declares.
//!
//! They must pass our own validator: introspection shows them, and a failed validation answers with one. Values come from
//! the default, the enum, the pattern, the format or the bounds, in that order.

use crate::operation::{Grouping, Operation, RegistryEntry};
use crate::params::check::{of_param, problems};
use crate::params::{Param, Shape, ValueKind};
use aqueduct_schema::sample::{numbers, texts};
use aqueduct_schema::{NodeKind, Schema, SchemaNode};
use serde_json::{Map, Value, json};

/// Parts of a schema inside each other that are looked at.
const DEEPEST: usize = 16;

/// A minimal request, and the parameters for which no fitting value was found.
#[derive(Debug, Clone, PartialEq)]
pub struct MinimalRequest {
    /// The `params` of the request.
    pub params: Map<String, Value>,
    /// Parameters whose value may not pass.
    pub doubtful: Vec<String>,
}

/// The smallest correct `params` of an operation: its required parameters, and what a body has to have, nested in `input` where they belong.
pub fn minimal_params(operation: &Operation) -> Map<String, Value> {
    let needed: Vec<&str> = needs(operation).collect();
    let made = including(&operation.params, operation.grouping, &needed, &Map::new());
    with_written_objects(with_some_input(made, &operation.params, operation.grouping).params, operation)
}

/// The smallest correct request of an operation that also shows these optional parameters, as far as a value can be made.
pub fn request_showing(entry: &RegistryEntry, shown: &[&str]) -> Value {
    let operation = &entry.operation;
    let shown: Vec<&str> = shown.iter().copied().chain(needs(operation)).collect();
    let made = including(&operation.params, operation.grouping, &shown, &Map::new());
    let params = with_some_input(made, &operation.params, operation.grouping).params;
    json!({"operation": entry.public_name, "params": with_written_objects(params, operation)})
}

/// The smallest correct request of an operation with these values, by the names of parameters, where they pass. Nothing is made
/// up for an optional parameter: an update of which no field is stated has an empty `input`.
pub fn request_stating(entry: &RegistryEntry, stated: &Map<String, Value>) -> Value {
    let operation = &entry.operation;
    let shown: Vec<&str> = stated.keys().map(String::as_str).chain(needs(operation)).collect();
    let params = including(&operation.params, operation.grouping, &shown, stated).params;
    json!({"operation": entry.public_name, "params": with_written_objects(params, operation)})
}

fn needs(operation: &Operation) -> impl Iterator<Item = &str> {
    operation.body_needs().iter().map(String::as_str)
}

/// An empty object shows little: where one of the operation's own examples has something in its place, that is shown.
fn with_written_objects(mut params: Map<String, Value>, operation: &Operation) -> Map<String, Value> {
    for (name, value) in params.iter_mut().filter(|(_, value)| **value == json!({})) {
        let Some(param) = operation.param(name) else { continue };
        let mut written = operation.examples.iter().filter_map(|example| example.params.get(name));
        if let Some(written) = written.find(|written| of_param(param, written).is_empty()) {
            *value = written.clone();
        }
    }
    params
}

/// The smallest correct request that these parameters allow.
pub fn minimal(params: &[Param], grouping: Grouping) -> MinimalRequest {
    with_some_input(including(params, grouping, &[], &Map::new()), params, grouping)
}

/// An update that changes nothing shows little: its first field stands for the others.
fn with_some_input(mut made: MinimalRequest, params: &[Param], grouping: Grouping) -> MinimalRequest {
    if grouping == Grouping::Input
        && let Some(Value::Object(input)) = made.params.get_mut("input")
        && input.is_empty()
        && let Some(first) = params.iter().find(|param| param.is_body())
        && let Some(value) = value_of(first)
    {
        input.insert(first.name.clone(), value);
    }
    made
}

fn including(
    params: &[Param],
    grouping: Grouping,
    shown: &[&str],
    stated: &Map<String, Value>,
) -> MinimalRequest {
    let mut made = MinimalRequest { params: Map::new(), doubtful: Vec::new() };
    let mut input = Map::new();
    for param in params.iter().filter(|param| param.required || shown.contains(&param.name.as_str())) {
        let given = stated.get(&param.name).filter(|value| of_param(param, value).is_empty());
        let value = match given.cloned().or_else(|| value_of(param)) {
            Some(value) => value,
            None if !param.required => continue,
            None => {
                made.doubtful.push(param.name.clone());
                if is_object(param) { json!({}) } else { json!(param.name) }
            }
        };
        let inside = grouping == Grouping::Input && param.is_body();
        let slot = if inside { &mut input } else { &mut made.params };
        slot.insert(param.name.clone(), value);
    }
    if grouping == Grouping::Input {
        made.params.insert("input".to_owned(), Value::Object(input));
    }
    made
}

/// True where nothing but an object can be meant, though no fitting one was found.
fn is_object(param: &Param) -> bool {
    let is_whole = |schema: &Schema| is_object_node(schema, schema.node(), 0);
    param.shape.kind == ValueKind::Object
        || param.schema.as_ref().is_some_and(|schema| is_whole(schema.get()))
}

fn is_object_node(schema: &Schema, node: &SchemaNode, depth: usize) -> bool {
    let is_one = |part: &SchemaNode| depth < DEEPEST && is_object_node(schema, part, depth + 1);
    match &node.kind {
        NodeKind::Object(_) => true,
        NodeKind::Reference(path) => schema.target(path).is_some_and(is_one),
        NodeKind::Union(parts) => !parts.is_empty() && parts.iter().all(is_one),
        NodeKind::Intersection(parts) => parts.iter().any(is_one),
        _ => false,
    }
}

/// An example value of a parameter: its default, else one made from its shape and name.
pub fn value_of(param: &Param) -> Option<Value> {
    let fits = |value: &Value| of_param(param, value).is_empty();
    let made = || value_for(&param.shape, &param.name).filter(fits);
    let by_schema = || param.schema.as_ref().and_then(|schema| schema.get().sample(&param.name)).filter(fits);
    param.default.clone().filter(fits).or_else(made).or_else(by_schema)
}

/// A value that fits a shape, if one can be found; text takes the given word where nothing else decides.
pub fn value_for(shape: &Shape, word: &str) -> Option<Value> {
    let fits = |value: &Value| problems(shape, value).is_empty();
    match &shape.allowed {
        Some(allowed) => allowed.iter().find(|value| fits(value)).cloned(),
        None => of_kind(&shape.kind, shape, word).into_iter().find(fits),
    }
}

/// Candidates of a kind, best first.
fn of_kind(kind: &ValueKind, shape: &Shape, word: &str) -> Vec<Value> {
    match kind {
        ValueKind::String => {
            let passes = |text: &String| problems(shape, &Value::from(text.as_str())).is_empty();
            texts(shape, word, &passes).into_iter().map(Value::String).collect()
        }
        ValueKind::Integer => numbers(shape.minimum, shape.maximum, Some(1.0)).collect(),
        ValueKind::Number => {
            let any = numbers(shape.minimum, shape.maximum, None);
            numbers(shape.minimum, shape.maximum, Some(1.0)).chain(any).collect()
        }
        ValueKind::Boolean => vec![json!(true), json!(false)],
        ValueKind::Object => vec![json!({})],
        ValueKind::Array(element) => {
            let from_items = shape.items.as_deref().and_then(|items| value_for(items, word));
            let from_kind = || element.as_deref().and_then(|kind| value_for(&Shape::of(kind.clone()), word));
            let element = from_items.or_else(from_kind).or_else(|| element.is_none().then(|| json!(word)));
            element.map(|element| json!([element])).into_iter().chain([json!([])]).collect()
        }
        ValueKind::Union(kinds) => kinds.iter().flat_map(|kind| of_kind(kind, shape, word)).collect(),
    }
}

#[cfg(test)]
mod tests;
