//! Definitions that schemas share: those that one schema leads to, as many as can be handled.
//!
//! Names and a way to look them up in; the definitions and all that these lead to out, in an order that depends on nothing
//! but the names. What would make a schema too large accepts anything, the same wherever the schema came from.

use crate::adapter_file::schema_references::{each_reference, pointer_name};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};

/// Where a schema has its definitions.
pub(crate) const DEFS: &str = "$defs";
/// How it refers to one of them.
pub(crate) const LOCAL: &str = "#/$defs/";

/// How much one schema holds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DefinitionLimits {
    pub definitions: usize,
    /// In bytes, about.
    pub size: usize,
}

impl DefinitionLimits {
    /// What a schema that values are held against may hold.
    pub(crate) const OF_ONE: DefinitionLimits =
        DefinitionLimits { definitions: 2_000, size: 4 * 1024 * 1024 };
    /// No bound, for looking at each definition of a source once.
    pub(crate) const ALL: DefinitionLimits = DefinitionLimits { definitions: usize::MAX, size: usize::MAX };
}

/// Definitions, and the names of those that accept anything because there was no room for them.
#[derive(Debug, Default)]
pub(crate) struct CollectedDefinitions {
    pub definitions: BTreeMap<String, Json>,
    pub cut: Vec<String>,
}

/// The names of the definitions that a schema refers to.
pub(crate) fn names(schema: &Json) -> BTreeSet<String> {
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
pub(crate) fn reach(
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
pub(crate) fn weight(json: &Json) -> usize {
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
mod tests {
    use super::{DefinitionLimits, names, reach};
    use serde_json::{Value, json};

    fn chain(name: &str) -> Option<Value> {
        let number: usize = name.strip_prefix('S')?.parse().ok()?;
        Some(
            json!({"properties": {"next": {"$ref": format!("#/$defs/S{}", number + 1)}, "back": {"$ref": "#/$defs/S0"}}}),
        )
    }

    /// The nearest definitions stay, the next ones accept anything, and nothing leads to a place that is not there.
    #[test]
    fn the_nearest_come_first() {
        let most = DefinitionLimits { definitions: 10, size: usize::MAX };
        let reached = reach(names(&json!({"items": {"$ref": "#/$defs/S0"}})), most, &mut chain);
        assert_eq!(reached.definitions.len(), 11);
        assert_eq!(reached.definitions["S10"], json!(true));
        assert_eq!(reached.cut, ["S10"]);
        let by_size = DefinitionLimits { definitions: usize::MAX, size: 200 };
        let reached = reach(names(&json!({"$ref": "#/$defs/S0"})), by_size, &mut chain);
        assert!(reached.definitions.len() < 10 && reached.cut.len() == 1, "{reached:?}");
    }

    /// A name that means nothing is passed over, and what is referred to twice is looked up once.
    #[test]
    fn each_is_looked_up_once() {
        let mut asked = Vec::new();
        let mut find = |name: &str| {
            asked.push(name.to_owned());
            (name != "C").then(
                || json!({"anyOf": [{"$ref": "#/$defs/B"}, {"$ref": "#/$defs/C"}, {"$ref": "#/$defs/A"}]}),
            )
        };
        let reached = reach(["A".to_owned()].into(), DefinitionLimits::ALL, &mut find);
        assert_eq!(reached.definitions.keys().collect::<Vec<_>>(), ["A", "B"]);
        assert!(asked.iter().filter(|name| *name != "C").count() == 2, "{asked:?}");
    }
}
