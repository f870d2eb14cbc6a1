//! What a piece of schema looks like in short: a type, a few constraints, and named types for objects inside.
//!
//! A schema in, a `Shape` or a `Param` out. It is for the reader: values are checked by the schema itself.

use super::description_of;
use crate::public_names::pascal;
use aqueduct_operations::params::format::Format;
use aqueduct_operations::params::{Param, ParamLocation, Shape, ValueKind};
use aqueduct_operations::types::{TypeBody, TypeDef};
use aqueduct_schema::Pattern;
use serde_json::Value;
use std::collections::HashSet;

/// References and single alternatives are followed this far.
const MAX_HOPS: usize = 16;
/// Types inside types are declared this far.
const MAX_TYPE_DEPTH: usize = 5;
/// No source declares more types than this.
const MOST_TYPES: usize = 2_000;
/// Longer lists of values are not shown.
const MOST_VALUES: usize = 100;

/// The types that a source declares for what its operations take and give.
#[derive(Debug, Default)]
pub(crate) struct SourceTypes {
    declared: Vec<TypeDef>,
    names: HashSet<String>,
    depth: usize,
}

impl SourceTypes {
    /// All of them.
    pub(crate) fn into_list(self) -> Vec<TypeDef> {
        self.declared
    }

    /// Declares what a schema describes and says its name; nothing when it is no object with known properties.
    pub(crate) fn declare(&mut self, wanted: &str, schema: &Value, root: &Value) -> Option<String> {
        let schema = effective(schema, root);
        let properties = schema.get("properties")?.as_object().filter(|all| !all.is_empty())?;
        if self.depth >= MAX_TYPE_DEPTH || self.declared.len() >= MOST_TYPES {
            return None;
        }
        let name = self.free_name(wanted);
        self.depth += 1;
        let required = schema.get("required").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let fields = properties.iter().map(|(field, property)| {
            let mut param = param(field, property, root, &name, self);
            param.required = required.iter().any(|each| each == field) && param.default.is_none();
            param
        });
        let fields = fields.collect();
        self.depth -= 1;
        self.declared.push(TypeDef::new(name.clone(), description_of(schema), TypeBody::Object(fields)));
        Some(name)
    }

    fn free_name(&mut self, wanted: &str) -> String {
        let numbered = (2..).map(|number: usize| format!("{wanted}{number}"));
        let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
        let free = names.find(|name| !self.names.contains(name)).unwrap_or_default();
        self.names.insert(free.clone());
        free
    }
}

/// The parameter, or the field, that a property is.
pub(super) fn param(
    name: &str,
    property: &Value,
    root: &Value,
    owner: &str,
    types: &mut SourceTypes,
) -> Param {
    let inner = effective(property, root);
    let shape = shape(inner, root, &format!("{}{}", pascal(owner), pascal(name)), types);
    let mut param = Param::new(name, shape.kind.clone());
    param.place = ParamLocation::Body;
    param.description = description_of(property).or_else(|| description_of(inner));
    param.default = [property, inner]
        .iter()
        .find_map(|schema| schema.get("default"))
        .filter(|value| shape.kind.accepts(value))
        .cloned();
    param.sensitive = inner.get("format").is_some_and(|format| format == "password");
    param.shape = shape;
    param
}

fn shape(schema: &Value, root: &Value, type_name: &str, types: &mut SourceTypes) -> Shape {
    let kind = kind(schema, root, 0).unwrap_or_else(anything);
    let mut shape = Shape::of(kind);
    let number = |keyword: &str| schema.get(keyword).and_then(Value::as_f64);
    let whole = |keyword: &str| schema.get(keyword).and_then(Value::as_u64);
    if shape.kind.takes_numbers() {
        (shape.minimum, shape.maximum) = (number("minimum"), number("maximum"));
    }
    if shape.kind.takes_text() {
        (shape.min_length, shape.max_length) = (whole("minLength"), whole("maxLength"));
        let text = |keyword: &str| schema.get(keyword).and_then(Value::as_str);
        shape.pattern = text("pattern").and_then(|pattern| Pattern::checked(pattern).ok());
        shape.format = text("format").map(Format::parse);
    }
    shape.allowed = values(schema);
    match &shape.kind {
        ValueKind::Object => shape.reference = types.declare(type_name, schema, root),
        ValueKind::Array(Some(element)) => {
            if let Some(items) = schema.get("items").map(|items| effective(items, root)) {
                if **element == ValueKind::Object {
                    shape.reference = types.declare(type_name, items, root);
                } else {
                    let mut inner = Shape::of((**element).clone());
                    inner.allowed = values(items);
                    shape.items = inner.allowed.is_some().then(|| Box::new(inner));
                }
            }
        }
        _ => {}
    }
    shape
}

/// The only values there are, when they are few.
fn values(schema: &Value) -> Option<Vec<Value>> {
    if let Some(only) = schema.get("const").filter(|value| !value.is_null()) {
        return Some(vec![only.clone()]);
    }
    let all = schema.get("enum")?.as_array()?;
    let real: Vec<Value> = all.iter().filter(|value| !value.is_null()).cloned().collect();
    (!real.is_empty() && real.len() <= MOST_VALUES).then_some(real)
}

/// The type of a schema; nothing when any will do. `null` is not shown: what may be null may be left out.
fn kind(schema: &Value, root: &Value, depth: usize) -> Option<ValueKind> {
    if depth > MAX_HOPS {
        return None;
    }
    let schema = effective(schema, root);
    let named = |name: &str| match name {
        "array" => {
            let items = schema.get("items").filter(|items| items.is_object());
            ValueKind::Array(items.and_then(|items| kind(items, root, depth + 1)).map(Box::new))
        }
        name => ValueKind::parse(name).unwrap_or(ValueKind::Object),
    };
    match schema.get("type") {
        Some(Value::String(name)) if ValueKind::NAMES.contains(&name.as_str()) => return Some(named(name)),
        Some(Value::Array(names)) => {
            let names = names.iter().filter_map(Value::as_str).filter(|name| ValueKind::NAMES.contains(name));
            return any_of(names.map(named).collect());
        }
        _ => {}
    }
    if let Some(values) = values(schema) {
        return any_of(values.iter().map(kind_of_value).collect());
    }
    for keyword in ["anyOf", "oneOf"] {
        if let Some(branches) = schema.get(keyword).and_then(Value::as_array) {
            let kinds: Option<Vec<ValueKind>> = branches
                .iter()
                .filter(|branch| !is_null(branch))
                .map(|branch| kind(branch, root, depth + 1))
                .collect();
            return any_of(kinds?);
        }
    }
    if let Some(parts) = schema.get("allOf").and_then(Value::as_array) {
        return parts.iter().find_map(|part| kind(part, root, depth + 1));
    }
    if schema.get("properties").is_some() {
        return Some(ValueKind::Object);
    }
    schema.get("items").map(|_| named("array"))
}

fn any_of(kinds: Vec<ValueKind>) -> Option<ValueKind> {
    let mut flat: Vec<ValueKind> = Vec::new();
    for kind in kinds {
        let parts = if let ValueKind::Union(parts) = kind { parts } else { vec![kind] };
        for part in parts {
            if !flat.contains(&part) {
                flat.push(part);
            }
        }
    }
    if flat.len() > 1 { Some(ValueKind::Union(flat)) } else { flat.pop() }
}

fn anything() -> ValueKind {
    ValueKind::Union(vec![
        ValueKind::String,
        ValueKind::Number,
        ValueKind::Boolean,
        ValueKind::Object,
        ValueKind::Array(None),
    ])
}

fn kind_of_value(value: &Value) -> ValueKind {
    match value {
        Value::String(_) | Value::Null => ValueKind::String,
        Value::Bool(_) => ValueKind::Boolean,
        Value::Number(number) if number.is_f64() => ValueKind::Number,
        Value::Number(_) => ValueKind::Integer,
        Value::Array(_) => ValueKind::Array(None),
        Value::Object(_) => ValueKind::Object,
    }
}

fn is_null(schema: &Value) -> bool {
    schema.get("type").is_some_and(|kind| kind == "null") || schema.get("const").is_some_and(Value::is_null)
}

/// What a reference within the document leads to. One that leads nowhere, or round in a circle, says nothing.
pub(super) fn resolved<'s>(schema: &'s Value, root: &'s Value) -> &'s Value {
    let mut schema = schema;
    for _ in 0..MAX_HOPS {
        let Some(target) = schema.get("$ref").and_then(Value::as_str) else { return schema };
        let pointer = target.strip_prefix('#').unwrap_or("/ ");
        let pointer = percent_encoding::percent_decode_str(pointer).decode_utf8_lossy();
        match root.pointer(&pointer) {
            Some(found) => schema = found,
            None => return &Value::Null,
        }
    }
    &Value::Null
}

/// The schema without what only wraps it: references, and alternatives of which all but one are null.
fn effective<'s>(schema: &'s Value, root: &'s Value) -> &'s Value {
    let mut schema = resolved(schema, root);
    for _ in 0..MAX_HOPS {
        let only = ["anyOf", "oneOf", "allOf"].iter().find_map(|keyword| {
            let branches = schema.get(keyword)?.as_array()?;
            let mut real = branches.iter().filter(|branch| !is_null(branch));
            let only = real.next()?;
            real.next().is_none().then_some(only)
        });
        match only.filter(|_| schema.get("type").is_none() && schema.get("properties").is_none()) {
            Some(only) => schema = resolved(only, root),
            None => break,
        }
    }
    schema
}
