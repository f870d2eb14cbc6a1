//! The outermost object of a schema: its properties, wherever they are declared.
//!
//! A schema in; its properties in order, what is required, and whether others may come, out. Nothing when it is no plain
//! object. References and `allOf` are followed.

use aqueduct_schema::SchemaLocations;
use serde_json::{Map, Value};
use std::collections::HashSet;

/// More levels of `allOf` and references than this are not followed.
const MAX_DEPTH: usize = 8;

/// Keywords that bind several properties together.
const ACROSS: [&str; 10] = [
    "anyOf",
    "oneOf",
    "not",
    "if",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "minProperties",
    "maxProperties",
    "propertyNames",
];

/// A plain object.
#[derive(Debug)]
pub(super) struct InputObject<'s> {
    /// Each property once, in the order of the text.
    pub properties: Vec<(&'s str, &'s Value)>,
    /// Names of those that must be there.
    pub required: HashSet<&'s str>,
    /// Whether others may come.
    pub openness: Openness,
    /// Keywords that bind several of them together.
    pub rules_across: Vec<&'static str>,
}

/// Whether properties may come that are not declared. A schema that does not say so is closed here: unknown parameters
/// are refused unless the schema asks for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Openness {
    Closed,
    Open,
}

/// Reads the outermost object of a schema.
pub(super) fn read(root: &Value) -> Option<InputObject<'_>> {
    let mut object = InputObject {
        properties: Vec::new(),
        required: HashSet::new(),
        openness: Openness::Closed,
        rules_across: Vec::new(),
    };
    collect(root, &SchemaLocations::of(root), 0, &mut object).then_some(object)
}

/// True when the schema is a plain object, whose parts have been collected.
fn collect<'s>(
    schema: &'s Value,
    locations: &SchemaLocations<'s>,
    depth: usize,
    object: &mut InputObject<'s>,
) -> bool {
    if depth > MAX_DEPTH {
        return false;
    }
    let Some(Value::Object(map)) = locations.follow(schema) else { return false };
    let parts = map.get("allOf").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    if !is_object(map) || !parts.iter().all(|part| collect(part, locations, depth + 1, object)) {
        return false;
    }
    for (name, property) in map.get("properties").and_then(Value::as_object).into_iter().flatten() {
        if !object.properties.iter().any(|(known, _)| known == name) {
            object.properties.push((name, property));
        }
    }
    let required = map.get("required").and_then(Value::as_array).into_iter().flatten();
    object.required.extend(required.filter_map(Value::as_str));
    let asks_for_others =
        matches!(map.get("additionalProperties"), Some(Value::Bool(true) | Value::Object(_)));
    if asks_for_others || map.contains_key("patternProperties") {
        object.openness = Openness::Open;
    }
    object.rules_across.extend(ACROSS.iter().filter(|keyword| map.contains_key(**keyword)));
    true
}

/// Says that it is an object, or shows it. One that says nothing takes anything, and one of several alternatives without
/// properties in common has no parameters to show.
fn is_object(map: &Map<String, Value>) -> bool {
    let shows = map.contains_key("properties") || map.contains_key("allOf");
    let says = map.get("type").is_some_and(|kind| kind == "object" || *kind == serde_json::json!(["object"]));
    let only_alternatives = !shows && ["anyOf", "oneOf"].iter().any(|keyword| map.contains_key(*keyword));
    (says || (shows && !map.contains_key("type"))) && !only_alternatives
}
