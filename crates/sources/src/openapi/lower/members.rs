//! The fields of an object schema, with those of everything it is put together from (`allOf`).
//!
//! A schema in; its fields in order out, and whether they say all of it. Circles end, and so do very deep schemas.

use super::look::Look;
use crate::openapi::read::Node;
use serde_json::{Map, Value, json};
use std::collections::{HashMap, HashSet};

/// `allOf` is followed so deep.
const DEPTH: usize = 12;

/// One field.
#[derive(Debug)]
pub(super) struct Member {
    pub name: String,
    pub schema: Value,
    pub node: Node,
    pub is_required: bool,
}

/// What an object schema declares.
#[derive(Debug, Default)]
pub(super) struct Members {
    pub list: Vec<Member>,
    /// The schema is of an object and nothing else.
    pub is_object: bool,
    /// Other fields than these are welcome.
    pub is_open: bool,
    /// Alternatives have fields of their own.
    pub has_alternatives: bool,
    /// Rules about several fields together, by keyword.
    pub rules: Vec<&'static str>,
    required: Vec<String>,
    /// Where each field is in the list, and which are required.
    places: HashMap<String, usize>,
    is_required: HashSet<String>,
    visited: HashSet<Node>,
}

/// Rules that hold for the object as a whole.
const RULES: [&str; 8] = [
    "not",
    "if",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "minProperties",
    "maxProperties",
    "propertyNames",
];

impl Members {
    /// The fields of a schema.
    pub(super) fn of(look: &Look<'_>, schema: &Value, from: &Node) -> Members {
        let mut members = Members::default();
        members.collect(look, schema, from, DEPTH);
        for name in std::mem::take(&mut members.required) {
            match members.places.get(&name).map(|place| &mut members.list[*place]) {
                Some(member) => member.is_required = true,
                // Required, but described nowhere: anything will do.
                None => {
                    members.list.push(Member {
                        name,
                        schema: Value::Bool(true),
                        node: *from,
                        is_required: true,
                    });
                }
            }
        }
        members
    }

    fn collect(&mut self, look: &Look<'_>, schema: &Value, from: &Node, depth: usize) {
        let Some(found) = look.follow(schema, from).filter(|_| depth > 0) else { return };
        // Each part that is referred to counts once, however many ways lead to it.
        if schema.get("$ref").is_some() && !self.visited.insert(found.node) {
            return;
        }
        let Some(object) = found.value.as_object() else { return };
        let types: Vec<&str> = match object.get("type") {
            Some(Value::String(name)) => vec![name],
            Some(Value::Array(names)) => {
                names.iter().filter_map(Value::as_str).filter(|name| *name != "null").collect()
            }
            _ => Vec::new(),
        };
        let properties = object.get("properties").and_then(Value::as_object);
        if types == ["object"] || (types.is_empty() && properties.is_some()) {
            self.is_object = true;
        } else if !types.is_empty() {
            self.has_alternatives = true;
        }
        for (name, schema) in properties.into_iter().flatten() {
            self.add(name, schema, found.node);
        }
        let required = object.get("required").and_then(Value::as_array).into_iter().flatten();
        for name in required.filter_map(Value::as_str) {
            if self.is_required.insert(name.to_owned()) {
                self.required.push(name.to_owned());
            }
        }
        let welcomes = |key: &str| object.get(key).is_some_and(|value| *value != Value::Bool(false));
        self.is_open |= welcomes("additionalProperties")
            || object
                .get("patternProperties")
                .and_then(Value::as_object)
                .is_some_and(|each| !each.is_empty());
        for key in ["oneOf", "anyOf"] {
            self.alternatives(object, key);
        }
        for rule in RULES {
            if object.contains_key(rule) && !self.rules.contains(&rule) {
                self.rules.push(rule);
            }
        }
        for branch in object.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            self.collect(look, branch, &found.node, depth - 1);
        }
    }

    /// Alternatives that only say which fields must be there leave the fields as they are.
    fn alternatives(&mut self, object: &Map<String, Value>, key: &'static str) {
        let Some(branches) = object.get(key).and_then(Value::as_array).filter(|list| !list.is_empty()) else {
            return;
        };
        let only_requires = |branch: &Value| {
            branch.as_object().is_some_and(|branch| {
                branch
                    .keys()
                    .all(|key| ["required", "title", "description", "type", "not"].contains(&key.as_str()))
            })
        };
        if branches.iter().all(only_requires) && object.contains_key("properties") {
            if !self.rules.contains(&key) {
                self.rules.push(key);
            }
        } else {
            self.has_alternatives = true;
        }
    }

    fn add(&mut self, name: &str, schema: &Value, node: Node) {
        let Some(known) = self.places.get(name).map(|place| &mut self.list[*place]) else {
            self.places.insert(name.to_owned(), self.list.len());
            self.list.push(Member {
                name: name.to_owned(),
                schema: schema.clone(),
                node,
                is_required: false,
            });
            return;
        };
        if known.schema == *schema {
            return;
        }
        if known.node.document_number() == node.document_number() {
            known.schema = json!({"allOf": [known.schema.take(), schema]});
        } else {
            (known.schema, known.node) = (schema.clone(), node);
        }
    }
}
