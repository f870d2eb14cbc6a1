//! The references inside a JSON Schema: found and changed where they are references, and not where they are data.
//!
//! A schema in; each `$ref` out. What stands in `enum`, `const`, `default` and examples is data.

use aqueduct_schema::SchemaLocations;
use percent_encoding::percent_decode_str;
use serde_json::Value as Json;
use std::collections::BTreeSet;

/// The text of a `$ref`.
pub type Reference<'a> = &'a str;

/// Keywords whose values are data.
const DATA: [&str; 5] = ["enum", "const", "default", "examples", "example"];
/// Keywords whose values are schemas by name.
const BY_NAME: [&str; 5] = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];

/// True for a keyword whose value is data.
pub fn is_data(keyword: &str) -> bool {
    DATA.contains(&keyword)
}

/// True for a keyword whose value is schemas by name.
pub fn is_by_name(keyword: &str) -> bool {
    BY_NAME.contains(&keyword)
}

/// Calls a function with every reference of a schema.
pub fn each_reference(schema: &Json, tell: &mut dyn FnMut(Reference<'_>)) {
    match schema {
        Json::Array(elements) => elements.iter().for_each(|element| each_reference(element, tell)),
        Json::Object(object) => {
            for (key, value) in object {
                match (key.as_str(), value) {
                    ("$ref", Json::String(reference)) => tell(reference),
                    (key, _) if is_data(key) => {}
                    (key, Json::Object(named)) if is_by_name(key) => {
                        named.values().for_each(|schema| each_reference(schema, tell));
                    }
                    _ => each_reference(value, tell),
                }
            }
        }
        _ => {}
    }
}

/// Replaces each reference by what a function says, where it says something.
pub fn rewrite(schema: &mut Json, change: &dyn Fn(Reference<'_>) -> Option<String>) {
    match schema {
        Json::Array(elements) => elements.iter_mut().for_each(|element| rewrite(element, change)),
        Json::Object(object) => {
            for (key, value) in object.iter_mut() {
                match (key.as_str(), value) {
                    ("$ref", Json::String(reference)) => {
                        if let Some(changed) = change(reference) {
                            *reference = changed;
                        }
                    }
                    (key, _) if is_data(key) => {}
                    (key, Json::Object(named)) if is_by_name(key) => {
                        named.values_mut().for_each(|schema| rewrite(schema, change));
                    }
                    (_, value) => rewrite(value, change),
                }
            }
        }
        _ => {}
    }
}

/// The name after a prefix, `A` in `#/schemas/A/properties/x`.
pub fn pointer_name(reference: Reference<'_>, prefix: &str) -> Option<String> {
    let rest = reference.strip_prefix(prefix)?;
    let name = rest.split('/').next()?;
    let decoded = percent_decode_str(name).decode_utf8().ok()?;
    (!name.is_empty()).then(|| decoded.replace("~1", "/").replace("~0", "~"))
}

/// What follows the name, `/properties/x` in `#/schemas/A/properties/x`.
pub fn rest_of_pointer<'r>(reference: Reference<'r>, prefix: &str) -> &'r str {
    let rest = reference.strip_prefix(prefix).unwrap_or_default();
    rest.find('/').map_or("", |start| &rest[start..])
}

/// A name as a reference writes it.
pub fn escaped(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for character in name.replace('~', "~0").replace('/', "~1").chars() {
        if character.is_ascii_alphanumeric() || "-._~$".contains(character) {
            out.push(character);
        } else {
            let mut buffer = [0; 4];
            for byte in character.encode_utf8(&mut buffer).bytes() {
                out.push_str(&format!("%{byte:02X}"));
            }
        }
    }
    out
}

/// The schema without references that lead nowhere: what is imported may have some, and a file must not.
pub fn without_lost_references(mut schema: Json) -> Json {
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
        remove(&mut schema, &lost);
    }
    schema
}

fn remove(schema: &mut Json, lost: &BTreeSet<String>) {
    match schema {
        Json::Array(elements) => elements.iter_mut().for_each(|element| remove(element, lost)),
        Json::Object(object) => {
            if object.get("$ref").and_then(Json::as_str).is_some_and(|reference| lost.contains(reference)) {
                object.shift_remove("$ref");
            }
            for (key, value) in object.iter_mut() {
                match value {
                    _ if is_data(key) => {}
                    Json::Object(named) if is_by_name(key) => {
                        named.values_mut().for_each(|schema| remove(schema, lost));
                    }
                    value => remove(value, lost),
                }
            }
        }
        _ => {}
    }
}
