//! The parts of a schema by what they mean, for those who read schemas without compiling them.
//!
//! A schema in; its reference, the schemas that it is put together from or chooses between, the values that it lists, its
//! discriminator out. A part `in place` is a schema for the very same value.

use crate::keywords::{Keyword, KeywordKind};
use serde_json::{Map, Value};

/// Keywords whose schemas are for the same value. What they hold is in the table.
const IN_PLACE: [&str; 8] = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"];
/// What alternatives are listed under; where both are there, the first counts.
const ALTERNATIVES: [&str; 2] = ["oneOf", "anyOf"];

/// What a schema says about the property by which it is chosen between others.
#[derive(Debug, Clone, Copy)]
pub struct StatedDiscriminator<'s> {
    /// The property.
    pub property: &'s str,
    /// Its values, each with a reference.
    pub mapping: Option<&'s Map<String, Value>>,
}

/// The reference of a schema.
pub fn reference(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()
}

/// The schemas that all hold, together with this one.
pub fn conjuncts(schema: &Value) -> &[Value] {
    list(schema.get("allOf"))
}

/// The schemas of which one holds.
pub fn alternatives(schema: &Map<String, Value>) -> &[Value] {
    list(ALTERNATIVES.iter().find_map(|key| schema.get(*key).filter(|value| value.is_array())))
}

/// Takes the alternatives out of a schema.
pub fn take_alternatives(schema: &mut Map<String, Value>) -> Option<Value> {
    let key = ALTERNATIVES.into_iter().find(|key| schema.get(*key).is_some_and(Value::is_array))?;
    schema.remove(key)
}

/// True when a schema does not hold alike for all values: it has alternatives, an exception or a condition.
pub fn has_choice(schema: &Value) -> bool {
    ALTERNATIVES.iter().chain(&["not", "if"]).any(|key| schema.get(key).is_some())
}

/// The schema of a property.
pub fn property<'s>(schema: &'s Value, name: &str) -> Option<&'s Value> {
    schema.get("properties")?.get(name)
}

/// The only values that a schema takes, where it lists them.
pub fn listed_values(schema: &Map<String, Value>) -> Option<&[Value]> {
    let listed = schema.get("enum").and_then(Value::as_array).map(Vec::as_slice);
    listed.or_else(|| schema.get("const").map(std::slice::from_ref))
}

/// The discriminator of a schema. Swagger 2.0 has the name of the property alone.
pub fn discriminator(schema: &Map<String, Value>) -> Option<StatedDiscriminator<'_>> {
    let stated = schema.get("discriminator")?;
    let property = stated.get("propertyName").unwrap_or(stated).as_str()?;
    Some(StatedDiscriminator { property, mapping: stated.get("mapping").and_then(Value::as_object) })
}

/// Calls with every reference that a schema holds in place, in an order that does not depend on the order of its keywords.
pub fn each_reference_in_place<'s>(schema: &'s Value, visit: &mut impl FnMut(&'s str)) {
    reference(schema).into_iter().for_each(&mut *visit);
    for key in IN_PLACE {
        let Some(value) = schema.get(key) else { continue };
        match (kind_in_place(key), value) {
            (Some(KeywordKind::SchemaList), Value::Array(branches)) => {
                branches.iter().for_each(|branch| each_reference_in_place(branch, visit));
            }
            (Some(KeywordKind::SchemaMap), Value::Object(branches)) => {
                branches.values().for_each(|branch| each_reference_in_place(branch, visit));
            }
            (Some(KeywordKind::Schema), branch) => each_reference_in_place(branch, visit),
            _ => {}
        }
    }
}

/// Takes a reference out wherever a schema holds it in place.
pub fn remove_reference_in_place(schema: &mut Value, unwanted: &str) {
    let is_unwanted = reference(schema) == Some(unwanted);
    let Some(members) = schema.as_object_mut() else { return };
    if is_unwanted {
        members.remove("$ref");
    }
    for (key, value) in members.iter_mut() {
        match (kind_in_place(key), value) {
            (Some(KeywordKind::SchemaList), Value::Array(branches)) => {
                branches.iter_mut().for_each(|branch| remove_reference_in_place(branch, unwanted));
            }
            (Some(KeywordKind::SchemaMap), Value::Object(branches)) => {
                branches.values_mut().for_each(|branch| remove_reference_in_place(branch, unwanted));
            }
            (Some(KeywordKind::Schema), branch) => remove_reference_in_place(branch, unwanted),
            _ => {}
        }
    }
}

/// True when exactly one of several branches has to hold, in place.
pub fn has_one_of(schema: &Value) -> bool {
    schema.get("oneOf").is_some() || branch_lists().any(|key| list(schema.get(key)).iter().any(has_one_of))
}

/// Lets any of the branches hold of which exactly one had to, in place.
pub fn any_for_one_of(schema: &mut Value) {
    let Some(members) = schema.as_object_mut() else { return };
    for key in branch_lists() {
        members.get_mut(key).and_then(Value::as_array_mut).into_iter().flatten().for_each(any_for_one_of);
    }
    if !members.contains_key("anyOf")
        && let Some(branches) = members.remove("oneOf")
    {
        members.insert("anyOf".to_owned(), branches);
    }
}

fn kind_in_place(key: &str) -> Option<KeywordKind> {
    IN_PLACE.contains(&key).then(|| Keyword::named(key)).flatten().map(|keyword| keyword.kind)
}

fn branch_lists() -> impl Iterator<Item = &'static str> {
    IN_PLACE.into_iter().filter(|key| kind_in_place(key) == Some(KeywordKind::SchemaList))
}

fn list(value: Option<&Value>) -> &[Value] {
    value.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

#[cfg(test)]
mod tests;
