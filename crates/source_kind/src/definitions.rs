//! Definitions that schemas share: those that one schema leads to, as many as can be handled.
//!
//! Names and a way to look them up in; the definitions and all that these lead to out, in an order that depends on nothing
//! but the names. What would make a schema too large accepts anything, the same wherever the schema came from.

use crate::schema_references::{each_reference, pointer_name};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};

/// Where a schema has its definitions.
pub const DEFS: &str = "$defs";
/// How it refers to one of them.
pub const LOCAL: &str = "#/$defs/";

/// How much one schema holds.
#[derive(Debug, Clone, Copy)]
pub struct DefinitionLimits {
    /// How many definitions.
    pub definitions: usize,
    /// In bytes, about.
    pub size: usize,
}

impl DefinitionLimits {
    /// What a schema that values are held against may hold.
    pub const OF_ONE: DefinitionLimits = DefinitionLimits { definitions: 2_000, size: 4 * 1024 * 1024 };
    /// No bound, for looking at each definition of a source once.
    pub const ALL: DefinitionLimits = DefinitionLimits { definitions: usize::MAX, size: usize::MAX };
}

/// Definitions, and the names of those that accept anything because there was no room for them.
#[derive(Debug, Default)]
pub struct CollectedDefinitions {
    /// The definitions, by name.
    pub definitions: BTreeMap<String, Json>,
    /// The names of those that accept anything.
    pub cut: Vec<String>,
}

/// The names of the definitions that a schema refers to.
pub fn names(schema: &Json) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    add_names(schema, &mut names);
    names
}

fn add_names(schema: &Json, names: &mut BTreeSet<String>) {
    each_reference(schema, &mut |reference| {
        names.extend(pointer_name(reference, LOCAL));
    });
}

/// The definitions of these names and all that they lead to, the nearest first. Each is looked up once.
pub fn reach(
    names: BTreeSet<String>,
    most: DefinitionLimits,
    find: &mut dyn FnMut(&str) -> Option<Json>,
) -> CollectedDefinitions {
    let mut reached = CollectedDefinitions::default();
    let (mut size, mut level) = (0, names);
    while !level.is_empty() {
        let mut next = BTreeSet::new();
        for name in level {
            let is_full = reached.definitions.len() >= most.definitions || size > most.size;
            let found = if is_full { Some(Json::Bool(true)) } else { find(&name) };
            let Some(found) = found else { continue };
            if is_full {
                reached.cut.push(name.clone());
            } else {
                size = size.saturating_add(weight(&found));
                add_names(&found, &mut next);
            }
            reached.definitions.insert(name, found);
        }
        next.retain(|name| !reached.definitions.contains_key(name));
        level = next;
    }
    reached
}

/// About the length of the text.
pub fn weight(json: &Json) -> usize {
    match json {
        Json::Null | Json::Bool(_) | Json::Number(_) => 5,
        Json::String(text) => text.len() + 3,
        Json::Array(elements) => 2 + elements.iter().map(weight).sum::<usize>(),
        Json::Object(members) => {
            2 + members.iter().map(|(name, member)| name.len() + 4 + weight(member)).sum::<usize>()
        }
    }
}

#[cfg(test)]
mod tests;
