//! What adapters declare about how their elements hang together, looked up once per catalog.
//!
//! The registry in; out, the types that links start from or lead to, each with its links in both directions and the
//! operations that follow them.

use super::identity::IdentityRule;
use super::reader::LinkReader;
use aqueduct_operations::naming::namespaced;
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::registry::Registry;
use aqueduct_operations::response::{FieldPath, RelationshipOperation};
use aqueduct_operations::source::Source;
use std::collections::HashMap;

/// All types with links.
#[derive(Debug, Default)]
pub struct RelationshipIndex {
    elements: Vec<LinkedType>,
}

/// A type of elements.
#[derive(Debug)]
pub struct LinkedType {
    /// Its public name.
    pub name: String,
    /// Its name within its source.
    bare: String,
    /// How many links in a row are followed from elements of it.
    pub max_depth: u64,
    /// How one is read.
    pub fetch: Option<LinkReader>,
    /// How they are identified.
    pub identity_rule: IdentityRule,
    /// The outgoing ones first, each direction in the order of the file.
    pub links: Vec<RelationshipLink>,
}

/// A link, seen from one of its ends.
#[derive(Debug)]
pub struct RelationshipLink {
    /// Its name.
    pub name: String,
    /// Whether it starts or ends here.
    pub direction: LinkDirection,
    /// The type of the other end, by its number in the index.
    pub other: usize,
    /// How the other ends are read; nothing when the adapter does not say.
    pub reader: Option<LinkReader>,
}

/// The direction of a link, seen from one of its ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkDirection {
    /// It starts here.
    Outgoing,
    /// It ends here.
    Incoming,
}

impl LinkDirection {
    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            LinkDirection::Outgoing => "outgoing",
            LinkDirection::Incoming => "incoming",
        }
    }
}

impl RelationshipIndex {
    /// Looks up everything that sources declare.
    pub fn of(registry: &Registry) -> RelationshipIndex {
        let mut index = RelationshipIndex::default();
        for source in registry.sources().iter().filter(|source| !source.relationships.is_empty()) {
            let entries = registry.entries().iter().enumerate();
            let own = entries.filter(|(_, entry)| entry.source.name == source.name);
            let operations =
                own.map(|(index, entry)| (entry.operation.name.as_str(), (index, &**entry))).collect();
            index.add(source, &operations);
        }
        index
    }

    fn add(&mut self, source: &Source, operations: &HashMap<&str, (usize, &RegistryEntry)>) {
        // An operation that the operator filtered out cannot be called on the way either.
        let reader = |operation: &str, params: &[(String, FieldPath)]| {
            operations.get(operation).map(|(entry, _)| LinkReader::of(*entry, params))
        };
        let reader_of = |by: &RelationshipOperation| reader(&by.operation, &by.params);
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        for name in source.relationships.iter().flat_map(|link| [&link.from, &link.to]) {
            if numbers.contains_key(name.as_str()) {
                continue;
            }
            numbers.insert(name, self.elements.len());
            let declared = source.types.iter().find(|each| each.name == *name);
            let fetch = declared.and_then(|declared| declared.fetch.as_ref());
            let followed_by = source.relationships.iter().flat_map(|link| {
                let forward = (link.from == *name).then_some(&link.forward);
                let back = link.inverse.as_ref().filter(|_| link.to == *name);
                forward.into_iter().chain(back)
            });
            // An operation that lists is told whose links to list; one that gets an element is told of the other end.
            let lists = |by: &&RelationshipOperation| {
                operations
                    .get(by.operation.as_str())
                    .is_some_and(|(_, entry)| entry.operation.answers.collection)
            };
            self.elements.push(LinkedType {
                name: name.clone(),
                bare: name.strip_prefix(&namespaced(&source.name, "")).unwrap_or(name).to_owned(),
                max_depth: source.max_relationship_depth.max(1),
                identity_rule: IdentityRule::of(fetch, followed_by.filter(lists)),
                fetch: fetch.and_then(|fetch| reader(&fetch.operation, &fetch.params)),
                links: Vec::new(),
            });
        }
        let number = |name: &String| numbers[name.as_str()];
        for link in &source.relationships {
            let (name, reader) = (link.name.clone(), reader_of(&link.forward));
            let (direction, other) = (LinkDirection::Outgoing, number(&link.to));
            let outgoing = RelationshipLink { name, direction, other, reader };
            self.elements[number(&link.from)].links.push(outgoing);
        }
        for link in &source.relationships {
            let (name, reader) = (link.name.clone(), link.inverse.as_ref().and_then(reader_of));
            let (direction, other) = (LinkDirection::Incoming, number(&link.from));
            let incoming = RelationshipLink { name, direction, other, reader };
            self.elements[number(&link.to)].links.push(incoming);
        }
    }

    /// The type with this number.
    pub fn element(&self, number: usize) -> &LinkedType {
        &self.elements[number]
    }

    /// The numbers of the types that a name can mean: the one of this name, else those that have it within their source.
    pub fn types_named(&self, name: &str) -> Vec<usize> {
        if let Some(exact) = self.elements.iter().position(|element| element.name == name) {
            return vec![exact];
        }
        let bare = self.elements.iter().enumerate().filter(|(_, element)| element.bare == name);
        bare.map(|(number, _)| number).collect()
    }

    /// The names of all types.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.elements.iter().map(|element| element.name.as_str())
    }
}
