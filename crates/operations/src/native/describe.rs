//! Any operation in the eight facts of a specification, and what it takes as one JSON Schema.
//!
//! An operation of any source in, its specification out: what users of the library see, and what one tool per operation
//! would have cost a model.

use super::{AccessControl, OperationKind, OperationSpec};
use crate::operation::Operation;
use crate::params::{Param, Shape, ValueKind};
use crate::source::Source;
use serde_json::{Map, Value, json};

impl OperationSpec {
    /// The specification of an operation.
    pub fn of(source: &Source, operation: &Operation) -> OperationSpec {
        OperationSpec {
            name: operation.name.clone(),
            namespace: source.name.clone(),
            version: source.version.clone(),
            kind: OperationKind::of(operation),
            description: operation.description.clone(),
            input_schema: input_schema(operation),
            output_schema: operation.output.as_ref().map_or(json!(true), |schema| schema.document()),
            access_control: AccessControl { required_scopes: operation.required_scopes.clone() },
        }
    }
}

/// What an operation takes, as one object.
pub fn input_schema(operation: &Operation) -> Value {
    let mut schema = object(operation.outer_params());
    let inside: Vec<&Param> = operation.input_params().collect();
    if !inside.is_empty() {
        schema["properties"]["input"] = object(inside.into_iter());
    }
    schema
}

fn object<'a>(params: impl Iterator<Item = &'a Param>) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for param in params {
        properties.insert(param.name.clone(), of_param(param));
        if param.required {
            required.push(param.name.as_str());
        }
    }
    let mut schema = json!({"type": "object", "properties": properties});
    if !required.is_empty() {
        schema["required"] = required.into();
    }
    schema
}

fn of_param(param: &Param) -> Value {
    let mut schema = match &param.schema {
        Some(schema) => schema.document(),
        None => of_shape(&param.shape),
    };
    if let Value::Object(schema) = &mut schema {
        if let Some(description) = &param.description {
            schema.insert("description".to_owned(), description.as_str().into());
        }
        if let Some(default) = &param.default {
            schema.insert("default".to_owned(), default.clone());
        }
    }
    schema
}

fn of_shape(shape: &Shape) -> Value {
    let mut schema = of_kind(&shape.kind);
    shape.put_keywords(&mut schema, |shape| of_kind(&shape.kind));
    schema
}

fn of_kind(kind: &ValueKind) -> Value {
    match kind {
        ValueKind::Union(kinds) => json!({"anyOf": kinds.iter().map(of_kind).collect::<Vec<_>>()}),
        ValueKind::Array(Some(element)) => json!({"type": "array", "items": of_kind(element)}),
        plain => json!({"type": plain.to_string()}),
    }
}

#[cfg(test)]
mod tests;
