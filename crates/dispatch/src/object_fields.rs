//! The fields that a schema of an object names, whatever it is put together from.
//!
//! A schema in, its fields in the order of the document out, each once.

use aqueduct_schema::{NodeKind, Schema};
use std::collections::{HashSet, VecDeque};

/// Parts that are looked at.
const MOST: usize = 500;

/// One field.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ObjectField<'s> {
    /// Its name.
    pub name: &'s str,
    /// Whether it is a text without further rules.
    pub is_text: bool,
}

/// The fields of a schema.
pub(crate) fn object_fields(schema: &Schema) -> Vec<ObjectField<'_>> {
    let mut open = VecDeque::from([schema.node()]);
    let (mut fields, mut seen) = (Vec::new(), HashSet::new());
    for _ in 0..MOST {
        let Some(node) = open.pop_front() else { break };
        match &node.kind {
            NodeKind::Object(object) => {
                let named = object
                    .properties
                    .iter()
                    .map(|(name, node)| ObjectField { name, is_text: node.kind == NodeKind::String });
                fields.extend(named.filter(|field| seen.insert(field.name)));
            }
            NodeKind::Reference(path) => open.extend(schema.target(path)),
            NodeKind::Union(parts) | NodeKind::Intersection(parts) => open.extend(parts),
            _ => {}
        }
    }
    fields
}
