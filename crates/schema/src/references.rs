//! The references inside a JSON Schema: found and changed where they are references, and not where they are data.
//!
//! A schema in; each `$ref` out. What stands in `enum`, `const`, `default` and examples is data.

use crate::SchemaLocations;
use crate::keywords::Keyword;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Calls a function with every reference of a schema.
pub fn each_reference(schema: &Value, visit: &mut dyn FnMut(&str)) {
    match schema {
        Value::Array(elements) => elements.iter().for_each(|element| each_reference(element, visit)),
        Value::Object(object) => {
            for (key, value) in object {
                match (key.as_str(), value) {
                    ("$ref", Value::String(reference)) => visit(reference),
                    (key, _) if Keyword::is_data(key) => {}
                    (key, Value::Object(named)) if Keyword::is_schema_map(key) => {
                        named.values().for_each(|schema| each_reference(schema, visit));
                    }
                    _ => each_reference(value, visit),
                }
            }
        }
        _ => {}
    }
}

/// Replaces each reference by what a function says, where it says something.
pub fn rewrite(schema: &mut Value, change: &dyn Fn(&str) -> Option<String>) {
    each_object(schema, &mut |object| {
        if let Some(Value::String(reference)) = object.get_mut("$ref")
            && let Some(changed) = change(reference)
        {
            *reference = changed;
        }
    });
}

/// Calls a function with every object of a schema that is a schema itself, the outer ones first.
fn each_object(schema: &mut Value, visit: &mut dyn FnMut(&mut Map<String, Value>)) {
    match schema {
        Value::Array(elements) => elements.iter_mut().for_each(|element| each_object(element, visit)),
        Value::Object(object) => {
            visit(object);
            for (key, value) in object.iter_mut() {
                match value {
                    _ if Keyword::is_data(key) => {}
                    Value::Object(named) if Keyword::is_schema_map(key) => {
                        named.values_mut().for_each(|schema| each_object(schema, visit));
                    }
                    value => each_object(value, visit),
                }
            }
        }
        _ => {}
    }
}

/// The name after a prefix, `A` in `#/schemas/A/properties/x`.
pub fn pointer_name(reference: &str, prefix: &str) -> Option<String> {
    let rest = reference.strip_prefix(prefix)?;
    let name = rest.split('/').next()?;
    let decoded = percent_decode_str(name).decode_utf8().ok()?;
    (!name.is_empty()).then(|| decoded.replace("~1", "/").replace("~0", "~"))
}

/// What follows the name, `/properties/x` in `#/schemas/A/properties/x`.
pub fn rest_of_pointer<'r>(reference: &'r str, prefix: &str) -> &'r str {
    let rest = reference.strip_prefix(prefix).unwrap_or_default();
    rest.find('/').map_or("", |start| &rest[start..])
}

/// What is escaped in a name.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'$');

/// A name as a reference writes it.
pub fn escaped(name: &str) -> String {
    utf8_percent_encode(&name.replace('~', "~0").replace('/', "~1"), ESCAPED).to_string()
}

/// The schema without references that lead nowhere: what is imported may have some, and a file must not.
pub fn without_lost_references(mut schema: Value) -> Value {
    let mut lost: BTreeSet<String> = BTreeSet::new();
    {
        let places = SchemaLocations::of(&schema);
        each_reference(&schema, &mut |reference| {
            if places.resolve(reference).is_none() {
                lost.insert(reference.to_owned());
            }
        });
    }
    if !lost.is_empty() {
        each_object(&mut schema, &mut |object| {
            if object.get("$ref").and_then(Value::as_str).is_some_and(|reference| lost.contains(reference)) {
                object.shift_remove("$ref");
            }
        });
    }
    schema
}
