//! Schemas made complete: every reference of one leads to a definition inside it.
//!
//! A schema and a way to look up definitions in; the schema with all definitions that it leads to out. Which ones these
//! are depends on nothing but the names. What would make a schema too large accepts anything, wherever it came from.

use crate::references::{each_reference, pointer_name, rewrite};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Where a schema has its definitions.
pub const DEFS: &str = "$defs";
/// How it refers to one of them.
pub const LOCAL: &str = "#/$defs/";
/// The same of older drafts.
const OLDER_DEFS: &str = "definitions";
const OLDER_LOCAL: &str = "#/definitions/";

/// How much one schema holds.
#[derive(Debug, Clone, Copy)]
pub struct DefinitionLimits {
    /// Definitions.
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
    /// By name.
    pub definitions: BTreeMap<String, Value>,
    /// Names, in the order in which they were met.
    pub cut: Vec<String>,
}

/// The names of the definitions that a schema refers to.
pub fn names(schema: &Value) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    add_names(schema, &mut names);
    names
}

fn add_names(schema: &Value, names: &mut BTreeSet<String>) {
    each_reference(schema, &mut |reference| {
        names.extend(pointer_name(reference, LOCAL));
    });
}

/// The definitions of these names and all that they lead to, the nearest first. Each is looked up once.
pub fn reach(
    names: BTreeSet<String>,
    most: DefinitionLimits,
    find: &mut dyn FnMut(&str) -> Option<Value>,
) -> CollectedDefinitions {
    let mut reached = CollectedDefinitions::default();
    let (mut size, mut level) = (0, names);
    while !level.is_empty() {
        let mut next = BTreeSet::new();
        for name in level {
            let is_full = reached.definitions.len() >= most.definitions || size > most.size;
            let found = if is_full { Some(Value::Bool(true)) } else { find(&name) };
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

/// Adds the definitions that a schema leads to; its own ones stay, and those that are found do not refer to them. Gives
/// back the names of those that accept anything because there was no room for them.
pub fn complete(
    schema: &mut Value,
    limits: DefinitionLimits,
    find: &mut dyn FnMut(&str) -> Option<Value>,
) -> Vec<String> {
    let mut wanted = names(schema);
    let Value::Object(keywords) = schema else { return Vec::new() };
    if let Some(Value::Object(own)) = keywords.get(DEFS) {
        wanted.retain(|name| !own.contains_key(name));
    }
    let CollectedDefinitions { definitions, cut } = reach(wanted, limits, find);
    if !definitions.is_empty()
        && let Value::Object(all) = keywords.entry(DEFS).or_insert_with(|| Value::Object(Map::new()))
    {
        all.extend(definitions);
    }
    cut
}

/// A part of a document as a document of its own, with the definitions of the whole that it leads to.
pub fn part_of(document: &Value, part: &Value) -> Value {
    let Value::Object(own) = part else { return part.clone() };
    let mut out = Map::new();
    // Which keywords there are depends on the version.
    if let Some(version) = document.get("$schema").filter(|_| !own.contains_key("$schema")) {
        out.insert("$schema".to_owned(), version.clone());
    }
    out.extend(own.clone());
    let mut wanted = Vec::new();
    add_local(part, &mut wanted);
    let mut next = 0;
    while next < wanted.len() {
        let reference: &str = &wanted[next];
        next += 1;
        let found = [(DEFS, LOCAL), (OLDER_DEFS, OLDER_LOCAL)]
            .into_iter()
            .find_map(|(keyword, prefix)| Some((keyword, pointer_name(reference, prefix)?)));
        let Some((keyword, name)) = found else { return beside(document, part) };
        let Some(target) = document.get(keyword).and_then(|all| all.get(&name)) else { continue };
        if let Value::Object(all) = out.entry(keyword).or_insert_with(|| Value::Object(Map::new()))
            && !all.contains_key(&name)
        {
            add_local(target, &mut wanted);
            all.insert(name, target.clone());
        }
    }
    Value::Object(out)
}

/// Adds the references within the same document that are not in the list yet.
fn add_local(schema: &Value, found: &mut Vec<String>) {
    each_reference(schema, &mut |reference| {
        if reference.starts_with('#') && !found.iter().any(|known| known == reference) {
            found.push(reference.to_owned());
        }
    });
}

/// For references to anywhere else: the part beside the whole document, which becomes a definition.
fn beside(document: &Value, part: &Value) -> Value {
    let moved = |schema: &Value| {
        let mut schema = schema.clone();
        if let Value::Object(keywords) = &mut schema {
            keywords.shift_remove("$schema");
        }
        rewrite(&mut schema, &|reference| {
            let pointer =
                reference.strip_prefix('#').filter(|rest| rest.is_empty() || rest.starts_with('/'))?;
            Some(format!("{LOCAL}input{pointer}"))
        });
        schema
    };
    let mut out = Map::new();
    if let Some(version) = document.get("$schema") {
        out.insert("$schema".to_owned(), version.clone());
    }
    out.insert("allOf".to_owned(), json!([moved(part)]));
    out.insert(DEFS.to_owned(), json!({"input": moved(document)}));
    Value::Object(out)
}

/// About the length of the text.
pub fn weight(json: &Value) -> usize {
    match json {
        Value::Null | Value::Bool(_) | Value::Number(_) => 5,
        Value::String(text) => text.len() + 3,
        Value::Array(elements) => 2 + elements.iter().map(weight).sum::<usize>(),
        Value::Object(members) => {
            2 + members.iter().map(|(name, member)| name.len() + 4 + weight(member)).sum::<usize>()
        }
    }
}

#[cfg(test)]
mod tests;
