//! What all parts of a schema together say about one value.
//!
//! Nodes and the value in; the objects and arrays they lead to through references, intersections and unions, out. Of a
//! union the first branch that fits applies; the others only declare. Each reference is entered once, so cycles end.

use crate::Schema;
use crate::node::{Kind, Node, Object};
use crate::work::{Meter, Stop};
use serde_json::Value;
use std::collections::HashSet;

/// References that are followed to see what an alternative is.
const HOPS: usize = 16;

/// A node that speaks of the value.
#[derive(Clone, Copy)]
pub(super) struct Part<'s> {
    pub(super) node: &'s Node,
    /// False for branches of a union that were not chosen: they declare, but fill nothing.
    pub(super) applies: bool,
}

/// Everything that is said about one value.
pub(super) struct View<'s> {
    objects: Vec<(&'s Object, bool)>,
    lists: Vec<Part<'s>>,
    open: bool,
}

impl<'s> View<'s> {
    pub(super) fn of(
        schema: &'s Schema,
        parts: &[Part<'s>],
        value: &Value,
        meter: &Meter,
    ) -> Result<View<'s>, Stop> {
        let mut view = View { objects: Vec::new(), lists: Vec::new(), open: false };
        let mut seen: HashSet<(*const Node, bool)> = HashSet::new();
        let mut rest: Vec<Part<'s>> = parts.iter().rev().copied().collect();
        while let Some(part) = rest.pop() {
            meter.spend(1)?;
            if seen.insert((std::ptr::from_ref(part.node), part.applies)) {
                view.take(schema, part, (value, meter), &mut rest)?;
            }
        }
        Ok(view)
    }

    fn take(
        &mut self,
        schema: &'s Schema,
        part: Part<'s>,
        (value, meter): (&Value, &Meter),
        rest: &mut Vec<Part<'s>>,
    ) -> Result<(), Stop> {
        let Part { node, applies } = part;
        match &node.kind {
            Kind::Intersection(nodes) => rest.extend(nodes.iter().rev().map(|node| Part { node, applies })),
            Kind::Union(branches) => {
                let mut chosen = None;
                for (index, branch) in branches.iter().enumerate().filter(|_| applies) {
                    if schema.fits(branch, value, meter)? {
                        chosen = Some(index);
                        break;
                    }
                }
                self.open |= branches.iter().any(|branch| is_free(schema, branch));
                let branches = branches.iter().enumerate().rev();
                rest.extend(branches.map(|(index, node)| Part { node, applies: chosen == Some(index) }));
            }
            Kind::Reference(path) => match schema.target(path) {
                Some(node) => rest.push(Part { node, applies }),
                None => self.open = true,
            },
            Kind::Object(object) => {
                self.open |= object.is_open();
                self.objects.push((object, applies));
            }
            Kind::Array(_) | Kind::Tuple { .. } => self.lists.push(part),
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
        let mut declaring = self.objects.iter().filter(|(object, _)| object.says_something()).peekable();
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
    pub(super) fn property(&self, name: &str) -> Vec<Part<'s>> {
        let parts = |get: &dyn Fn(&'s Object) -> Option<&'s Node>| -> Vec<Part<'s>> {
            let said = self.objects.iter().filter_map(|(object, applies)| Some((get(object)?, *applies)));
            said.map(|(node, applies)| Part { node, applies }).collect()
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
    pub(super) fn fillable(&self) -> impl Iterator<Item = (&'s str, &'s Node)> {
        let applying = self.objects.iter().filter(|(_, applies)| *applies);
        applying.flat_map(|(object, _)| object.properties.iter().map(|(name, node)| (name.as_str(), node)))
    }

    /// What is said about an item.
    pub(super) fn item(&self, index: usize) -> Vec<Part<'s>> {
        let said = self.lists.iter().filter_map(|Part { node, applies }| {
            let node = match &node.kind {
                Kind::Array(items) => Some(&**items),
                Kind::Tuple { items, rest } => items.get(index).or(rest.as_deref()),
                _ => None,
            };
            node.map(|node| Part { node, applies: *applies })
        });
        said.collect()
    }
}

/// True for an alternative that is any object: it says nothing about properties.
fn is_free(schema: &Schema, branch: &Node) -> bool {
    let mut node = branch;
    for _ in 0..HOPS {
        if node.annotations.contains_key("not") {
            return false;
        }
        match &node.kind {
            // Without a place of its own it is a type of the schema around it, not an alternative.
            Kind::Any => return branch.pointer.is_some(),
            Kind::Object(object) => {
                let says_nothing = object.properties.is_empty() && object.required.is_empty();
                return says_nothing && branch.pointer.is_some();
            }
            Kind::Reference(path) => match schema.target(path) {
                Some(target) => node = target,
                None => return true,
            },
            _ => return false,
        }
    }
    false
}
