//! Documents in, operations and reports out.
//!
//! The tests stand in files by subject; here is what they share: making a document of a few paths, importing it,
//! and looking at what came out.

mod answers;
mod bodies;
mod discriminators;
mod documents;
mod parameters;
mod reports;
mod types;

use crate::{ImportedDocument, load};
use aqueduct_operations::operation::Operation;
use aqueduct_operations::params::Param;
use aqueduct_operations::target::{HttpTarget, Target};
use aqueduct_source_kind::settings::SourceSettings;
use serde_json::{Map, Value, json};

/// A document with these paths.
fn document(paths: Value) -> Value {
    json!({
        "openapi": "3.0.3",
        "info": {"title": "Pet Shop", "version": "1.0"},
        "servers": [{"url": "https://api.example.com/v1"}],
        "paths": paths,
    })
}

fn import(document: &Value) -> ImportedDocument {
    import_with(document, &SourceSettings::default())
}

fn import_with(document: &Value, settings: &SourceSettings) -> ImportedDocument {
    load("shop.json", document.to_string(), settings, None)
}

/// The operations of a document.
fn operations(document: &Value) -> Vec<Operation> {
    let imported = import(document);
    imported.loaded.unwrap_or_else(|| panic!("{:?}", imported.diagnostics)).operations
}

/// The only operation, of one path and method.
fn one(method: &str, path: &str, operation: Value) -> Operation {
    let mut item = Map::new();
    item.insert(method.to_owned(), operation);
    let mut paths = Map::new();
    paths.insert(path.to_owned(), Value::Object(item));
    operations(&document(Value::Object(paths))).remove(0)
}

fn target(operation: &Operation) -> &HttpTarget {
    match &operation.target {
        Target::Http(target) => target,
        other => panic!("{other:?}"),
    }
}

fn param<'o>(operation: &'o Operation, name: &str) -> &'o Param {
    let names: Vec<&str> = operation.params.iter().map(|param| param.name.as_str()).collect();
    operation.param(name).unwrap_or_else(|| panic!("no {name} among {names:?}"))
}

fn names(operation: &Operation) -> Vec<&str> {
    operation.params.iter().map(|param| param.name.as_str()).collect()
}

/// True when the value is accepted: by the schema where there is one, by the shape otherwise.
fn accepts(param: &Param, value: &Value) -> bool {
    match &param.schema {
        Some(schema) => schema.get().accepts(value),
        None => aqueduct_operations::params::check::problems(&param.shape, value).is_empty(),
    }
}
