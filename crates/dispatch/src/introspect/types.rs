//! Types as introspection shows them: name, kind and description in the list, the content in the detail.
//!
//! Every name that a response of introspection uses as a type can be looked up here: the protocol's types, those that
//! sources declare, and those that operations only name in what they return.

use super::{parameters, put_some};
use crate::catalog_view::CatalogView;
use aqueduct_operations::naming::namespaced;
use aqueduct_operations::operation::ReturnType;
use aqueduct_operations::protocol_types::protocol_types;
use aqueduct_operations::types::{TypeBody, TypeDef};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::HashSet;

/// Said of a type that is only named, by an operation that returns it.
const UNDECLARED: &str = "Whatever the API answers; its fields are not declared";

/// All types, each name once; the first to have it keeps it.
pub fn list(view: &CatalogView<'_>) -> Vec<Value> {
    let mut seen = HashSet::new();
    all(view).filter(|each| seen.insert(each.name.clone())).map(|each| head(&each)).collect()
}

/// One type with its content, or null. With several sources a bare name works too while only one of them has it.
pub fn detail(view: &CatalogView<'_>, name: &str) -> Value {
    let Some(found) = all(view).find(|each| each.name == name).or_else(|| of_one_source(view, name)) else {
        return Value::Null;
    };
    let mut detail = head(&found);
    match &found.body {
        TypeBody::Enum(values) => detail["values"] = values.clone().into(),
        TypeBody::Object(fields) => {
            detail["fields"] = fields.iter().map(parameters::info).collect::<Vec<_>>().into();
            // No declared object is empty. There is no kind for "anything", so a sentence says it.
            if fields.is_empty() && found.description.is_none() {
                detail["description"] = UNDECLARED.into();
            }
        }
        TypeBody::Union(members) => detail["members"] = members.clone().into(),
        TypeBody::Scalar => {}
    }
    detail
}

fn of_one_source<'c>(view: &CatalogView<'c>, bare: &str) -> Option<Cow<'c, TypeDef>> {
    let sources = view.sources().into_iter();
    let mut found = sources.filter_map(|source| {
        let name = namespaced(&source.name, bare);
        all(view).find(|each| each.name == name)
    });
    found.next().filter(|_| found.next().is_none())
}

fn all<'c>(view: &CatalogView<'c>) -> impl Iterator<Item = Cow<'c, TypeDef>> {
    let returned = view.visible().map(|entry| Cow::Owned(returned(&entry.operation.returns)));
    let declared = view.sources().into_iter().flat_map(|source| &source.types).map(Cow::Borrowed);
    protocol_types().into_iter().map(Cow::Owned).chain(declared).chain(returned)
}

/// A type that is known by name only.
fn returned(returns: &ReturnType) -> TypeDef {
    let body = if returns.kind == "scalar" { TypeBody::Scalar } else { TypeBody::Object(Vec::new()) };
    TypeDef::new(returns.name.clone(), returns.description.clone(), body)
}

fn head(def: &TypeDef) -> Value {
    let mut head = json!({"name": def.name, "kind": def.body.kind()});
    put_some(&mut head, "description", def.description.as_deref());
    head
}
