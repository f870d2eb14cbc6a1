//! Which declared type the items of an answer have.
//!
//! Nothing is guessed: where the file may mean one thing or another, the type of the items is not known.

use aqueduct_operations::params::{Param, ValueKind};
use aqueduct_operations::response::{FieldPath, ITEM_FIELDS};
use aqueduct_operations::types::{TypeBody, TypeDef};
use std::collections::HashMap;

/// The type of what fields are chosen from: of each item of a collection, of the answer otherwise.
pub(crate) fn type_of<'s>(
    name: &str,
    types: &HashMap<&str, &'s TypeDef>,
    collection: bool,
    items_path: Option<&FieldPath>,
) -> Option<&'s TypeDef> {
    if let Some(element) = name.strip_suffix("[]") {
        return types.get(element).copied();
    }
    let declared = types.get(name).copied()?;
    let TypeBody::Object(fields) = &declared.body else { return Some(declared) };
    // Choices are made from items, so a type that offers some is the type of one.
    if !collection || !declared.presets.is_empty() {
        return Some(declared);
    }
    let around = match items_path {
        Some(path) => fields.iter().find(|field| field.name == path.first()),
        None => ITEM_FIELDS
            .iter()
            .find_map(|place| fields.iter().find(|field| field.name == *place && is_list(field))),
    };
    match around {
        Some(list) if items_path.is_none_or(|path| path.names().len() == 1) => {
            types.get(list.shape.reference.as_deref()?).copied()
        }
        Some(_) => None,
        // Something has to hold the items: a type without a list is the type of one.
        None => (!fields.iter().any(is_list)).then_some(declared),
    }
}

/// The names of a type's fields, when it is an object.
pub(crate) fn fields_of(declared: &TypeDef) -> Option<impl Iterator<Item = &str>> {
    match &declared.body {
        TypeBody::Object(fields) => Some(fields.iter().map(|field| field.name.as_str())),
        _ => None,
    }
}

fn is_list(field: &Param) -> bool {
    matches!(field.shape.kind, ValueKind::Array(_))
}
