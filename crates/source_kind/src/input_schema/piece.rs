//! The piece of a schema that one property is checked by, complete in itself.
//!
//! The whole schema and a property in, a document out in which every reference leads to a place in it. It is put together
//! when it is first needed.

use aqueduct_schema::LazySchema;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Where schemas keep what they refer to.
const SHELVES: [&str; 2] = ["$defs", "definitions"];

/// The schema of one property.
pub(super) fn lazy(root: &Arc<Value>, property: &Value) -> Arc<LazySchema> {
    let (root, property) = (Arc::clone(root), property.clone());
    Arc::new(LazySchema::new(move || complete(&root, &property)))
}

/// The schema of the properties that the schema does not name.
pub(super) fn of_others(root: &Arc<Value>) -> Arc<LazySchema> {
    let root = Arc::clone(root);
    Arc::new(LazySchema::new(move || {
        let mut others = Map::from_iter([("type".to_owned(), json!("object"))]);
        for keyword in ["additionalProperties", "patternProperties"] {
            if let Some(rule) = root.get(keyword) {
                others.insert(keyword.to_owned(), rule.clone());
            }
        }
        complete(&root, &Value::Object(others))
    }))
}

/// The property with all that it refers to.
fn complete(root: &Value, property: &Value) -> Value {
    let Value::Object(own) = property else { return property.clone() };
    let mut document = Map::new();
    // Which keywords there are depends on the version.
    if let Some(version) = root.get("$schema").filter(|_| !own.contains_key("$schema")) {
        document.insert("$schema".to_owned(), version.clone());
    }
    document.extend(own.clone());
    let mut wanted = Vec::new();
    references(property, &mut wanted);
    let mut next = 0;
    while next < wanted.len() {
        let Some((shelf, name)) = on_a_shelf(&wanted[next]) else { return around(root, property) };
        next += 1;
        let Some(target) = root.get(&shelf).and_then(|all| all.get(&name)) else { continue };
        let shelf = document.entry(shelf).or_insert_with(|| Value::Object(Map::new()));
        if let Value::Object(shelf) = shelf
            && !shelf.contains_key(&name)
        {
            references(target, &mut wanted);
            shelf.insert(name, target.clone());
        }
    }
    Value::Object(document)
}

/// Every reference within the same document.
fn references(schema: &Value, found: &mut Vec<String>) {
    match schema {
        Value::Object(map) => {
            for (key, value) in map {
                match value {
                    Value::String(target) if key == "$ref" && target.starts_with('#') => {
                        if !found.contains(target) {
                            found.push(target.clone());
                        }
                    }
                    _ => references(value, found),
                }
            }
        }
        Value::Array(all) => all.iter().for_each(|each| references(each, found)),
        _ => {}
    }
}

/// `#/$defs/Name`, or something below it.
fn on_a_shelf(reference: &str) -> Option<(String, String)> {
    let mut parts = reference.strip_prefix("#/")?.split('/').map(unescaped);
    let shelf = parts.next().filter(|shelf| SHELVES.contains(&shelf.as_str()))?;
    Some((shelf, parts.next()?))
}

fn unescaped(part: &str) -> String {
    let part = percent_encoding::percent_decode_str(part).decode_utf8_lossy();
    part.replace("~1", "/").replace("~0", "~")
}

/// For references to anywhere else: the property beside the whole schema, which has moved one floor down.
fn around(root: &Value, property: &Value) -> Value {
    let mut document = Map::new();
    if let Some(version) = root.get("$schema") {
        document.insert("$schema".to_owned(), version.clone());
    }
    document.insert("allOf".to_owned(), json!([moved(property)]));
    document.insert("$defs".to_owned(), json!({"input": moved(root)}));
    Value::Object(document)
}

fn moved(schema: &Value) -> Value {
    match schema {
        Value::Object(map) => Value::Object(
            map.iter()
                .filter(|(key, _)| *key != "$schema")
                .map(|(key, value)| match value {
                    Value::String(target) if key == "$ref" && (target == "#" || target.starts_with("#/")) => {
                        (key.clone(), Value::String(format!("#/$defs/input{}", &target[1..])))
                    }
                    _ => (key.clone(), moved(value)),
                })
                .collect(),
        ),
        Value::Array(all) => Value::Array(all.iter().map(moved).collect()),
        plain => plain.clone(),
    }
}
