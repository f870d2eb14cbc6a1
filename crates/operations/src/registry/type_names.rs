//! Public names of types: bare for one source, `<source>__<Type>` for several, as for operations (ruling N2).
//!
//! A loaded source in, the same with every name of a type rewritten, wherever it stands: where the type is declared, in
//! members and fields, in relationships, and in what operations return. So a name means one type in every response.

use super::SharedSource;
use crate::naming::namespaced;
use crate::operation::Operation;
use crate::params::{Shape, ValueKind};
use crate::types::TypeBody;
use std::sync::Arc;

/// Puts the source's name before the name of every type. Plain JSON types keep theirs.
pub(super) fn qualify(shared: &mut SharedSource) {
    let source_name = shared.source.name.clone();
    let is_declared = |name: &String| ValueKind::parse(name).is_none();
    let qualified = |name: &mut String| {
        if is_declared(name) {
            *name = namespaced(&source_name, name);
        }
    };
    let source = Arc::make_mut(&mut shared.source);
    for each in &mut source.types {
        qualified(&mut each.name);
        match &mut each.body {
            TypeBody::Union(members) => members.iter_mut().for_each(qualified),
            TypeBody::Object(fields) => {
                for field in fields {
                    references(&mut field.shape).for_each(qualified);
                }
            }
            TypeBody::Enum(_) | TypeBody::Scalar => {}
        }
    }
    for link in &mut source.relationships {
        qualified(&mut link.from);
        qualified(&mut link.to);
    }
    let names_a_type = |operation: &&mut Arc<Operation>| {
        let is_reference = |shape: &Shape| {
            let of_items = shape.items.as_ref().and_then(|items| items.reference.as_ref());
            shape.reference.iter().chain(of_items).any(is_declared)
        };
        is_declared(&operation.returns.name)
            || operation.params.iter().any(|param| is_reference(&param.shape))
    };
    for operation in shared.operations.iter_mut().filter(names_a_type) {
        let operation = Arc::make_mut(operation);
        qualified(&mut operation.returns.name);
        for param in &mut operation.params {
            references(&mut param.shape).for_each(qualified);
        }
    }
}

/// The declared types that a shape names: its own and that of its elements.
fn references(shape: &mut Shape) -> impl Iterator<Item = &mut String> {
    let Shape { reference, items, .. } = shape;
    let of_items = items.as_deref_mut().and_then(|items| items.reference.as_mut());
    reference.iter_mut().chain(of_items)
}

#[cfg(test)]
mod tests;
