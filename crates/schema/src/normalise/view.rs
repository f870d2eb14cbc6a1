//! What all parts of a schema together say about one value.
//!
//! Nodes and the value in; the objects and arrays they lead to through references, intersections and unions, out. Of a
//! union the first branch that fits applies; the others only declare. Each reference is entered once, so cycles end.

use crate::Schema;
use crate::node::{NodeKind, ObjectNode, SchemaNode};
use crate::work::{Meter, WorkResult};
use serde_json::Value;
use std::collections::HashSet;

/// References that are followed to see what an alternative is.
const HOPS: usize = 16;

/// A node that applies to the value.
#[derive(Clone, Copy)]
pub(super) struct ApplicableNode<'s> {
    pub(super) node: &'s SchemaNode,
    /// False for branches of a union that were not chosen: they declare, but fill nothing.
    pub(super) applies: bool,
}

/// Everything that is said about one value.
pub(super) struct SchemaView<'s> {
    objects: Vec<(&'s ObjectNode, bool)>,
    lists: Vec<ApplicableNode<'s>>,
    open: bool,
}

impl<'s> SchemaView<'s> {
    pub(super) fn of(
        schema: &'s Schema,
        parts: &[ApplicableNode<'s>],
        value: &Value,
        meter: &Meter,
    ) -> WorkResult<SchemaView<'s>> {
        let mut view = SchemaView { objects: Vec::new(), lists: Vec::new(), open: false };
        let mut seen: HashSet<(*const SchemaNode, bool)> = HashSet::new();
        let mut rest: Vec<ApplicableNode<'s>> = parts.iter().rev().copied().collect();
        while let Some(part) = rest.pop() {
            meter.spend(1)?;
            if seen.insert((std::ptr::from_ref(part.node), part.applies)) {
                view.take(schema, part, value, &mut rest, meter)?;
            }
        }
        Ok(view)
    }

    fn take(
        &mut self,
        schema: &'s Schema,
        part: ApplicableNode<'s>,
        value: &Value,
        rest: &mut Vec<ApplicableNode<'s>>,
        meter: &Meter,
    ) -> WorkResult {
        let ApplicableNode { node, applies } = part;
        match &node.kind {
            NodeKind::Intersection(nodes) => {
                rest.extend(nodes.iter().rev().map(|node| ApplicableNode { node, applies }))
            }
            NodeKind::Union(branches) => {
                let mut chosen = None;
                for (index, branch) in branches.iter().enumerate().filter(|_| applies) {
                    if schema.fits(branch, value, meter)? {
                        chosen = Some(index);
                        break;
                    }
                }
                self.open |= branches.iter().any(|branch| is_free(schema, branch));
                let branches = branches.iter().enumerate().rev();
                rest.extend(
                    branches.map(|(index, node)| ApplicableNode { node, applies: chosen == Some(index) }),
                );
            }
            NodeKind::Reference(path) => match schema.target(path) {
                Some(node) => rest.push(ApplicableNode { node, applies }),
                None => self.open = true,
            },
            NodeKind::Object(object) => {
                self.open |= object.is_open();
                self.objects.push((object, applies));
            }
            NodeKind::Array(_) | NodeKind::Tuple { .. } => self.lists.push(part),
            _ => {}
        }
        Ok(())
    }

    /// True when properties stay that nothing declares: some part allows others, or no part declares any.
    pub(super) fn keeps_undeclared(&self) -> bool {
        self.open || self.objects.iter().all(|(object, _)| object.properties.is_empty())
    }

    /// True when every part that declares properties refuses others. Alternatives of which one does not say so keep them.
    pub(super) fn refuses_undeclared(&self) -> bool {
        let mut declaring = self.objects.iter().filter(|(object, _)| object.has_rules()).peekable();
        !self.open && declaring.peek().is_some() && declaring.all(|(object, _)| object.is_closed())
    }

    /// Steps that finding one property takes.
    pub(super) fn weight(&self) -> u64 {
        self.objects.iter().map(|(object, _)| 1 + object.properties.len() as u64 / 8).sum()
    }

    pub(super) fn declares(&self, name: &str) -> bool {
        self.objects.iter().any(|(object, _)| object.property(name).is_some())
    }

    /// What is said about a property; for one without declaration, what is said about all others.
    pub(super) fn property(&self, name: &str) -> Vec<ApplicableNode<'s>> {
        let parts = |get: &dyn Fn(&'s ObjectNode) -> Option<&'s SchemaNode>| -> Vec<ApplicableNode<'s>> {
            let nodes = self.objects.iter().filter_map(|(object, applies)| Some((get(object)?, *applies)));
            nodes.map(|(node, applies)| ApplicableNode { node, applies }).collect()
        };
        let declared = parts(&|object| object.property(name));
        let by_pattern = self.objects.iter().any(|(object, _)| !object.patterns.is_empty());
        if declared.is_empty() && !by_pattern {
            parts(&|object| object.additional.as_ref())
        } else {
            declared
        }
    }

    /// The properties that may be filled in.
    pub(super) fn fillable(&self) -> impl Iterator<Item = (&'s str, &'s SchemaNode)> {
        let applying = self.objects.iter().filter(|(_, applies)| *applies);
        applying.flat_map(|(object, _)| object.properties.iter().map(|(name, node)| (name.as_str(), node)))
    }

    /// What is said about an item.
    pub(super) fn item(&self, index: usize) -> Vec<ApplicableNode<'s>> {
        let nodes = self.lists.iter().filter_map(|ApplicableNode { node, applies }| {
            let node = match &node.kind {
                NodeKind::Array(items) => Some(&**items),
                NodeKind::Tuple { items, rest } => items.get(index).or(rest.as_deref()),
                _ => None,
            };
            node.map(|node| ApplicableNode { node, applies: *applies })
        });
        nodes.collect()
    }
}

/// True for an alternative that is any object: it says nothing about properties.
fn is_free(schema: &Schema, branch: &SchemaNode) -> bool {
    let mut node = branch;
    for _ in 0..HOPS {
        if node.annotations.contains_key("not") {
            return false;
        }
        match &node.kind {
            // Without a place of its own it is a type of the schema around it, not an alternative.
            NodeKind::Any => return branch.pointer.is_some(),
            NodeKind::Object(object) => {
                let accepts_all = object.properties.is_empty() && object.required.is_empty();
                return accepts_all && branch.pointer.is_some();
            }
            NodeKind::Reference(path) => match schema.target(path) {
                Some(target) => node = target,
                None => return true,
            },
            _ => return false,
        }
    }
    false
}
