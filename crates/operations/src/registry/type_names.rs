//! Public names of types: bare for one source, `<source>__<Type>` for several, as for operations (ruling N2).
//!
//! A loaded source in, the same with every name of a type rewritten, wherever it stands: where the type is declared, in
//! members and fields, in relationships, and in what operations return. So a name means one type in every response.

use super::LoadedSource;
use crate::naming::namespaced;
use crate::params::{Shape, ValueKind};
use crate::types::TypeBody;

/// Puts the source's name before the name of every type. Plain JSON types keep theirs.
pub(super) fn qualify(loaded: &mut LoadedSource) {
    let source = loaded.source.name.clone();
    let qualified = |name: &mut String| {
        if ValueKind::parse(name).is_none() {
            *name = namespaced(&source, name);
        }
    };
    for each in &mut loaded.source.types {
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
    for link in &mut loaded.source.relationships {
        qualified(&mut link.from);
        qualified(&mut link.to);
    }
    for operation in &mut loaded.operations {
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
