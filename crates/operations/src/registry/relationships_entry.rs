//! The built-in operation `query_relationships`, described like any other (relationship-query document, section 1).
//!
//! The sources in; out, the operation, when one of them declares relationships (ruling N4). What they declare is in the
//! entry's own source, so that code that describes the operation finds it there.

use super::introspect_entry;
use crate::operation::{Declaration, Example, Operation, RegistryEntry, ReturnType};
use crate::params::{Param, Shape, ValueKind};
use crate::response::{FieldPath, Relationship};
use crate::source::Source;
use crate::target::{BuiltIn, Target};
use serde_json::{Map, Value, json};
use std::sync::Arc;

const NAME: &str = "query_relationships";

/// Types that the description names.
const MOST_TYPES: usize = 30;

/// What a response can have in it.
const PARTS: [&str; 4] = ["root", "relationships", "graph.nodes", "graph.edges"];

/// The operation, under a name that is not taken.
pub(super) fn entry(sources: &[Arc<Source>], is_taken: impl Fn(&str) -> bool) -> Option<RegistryEntry> {
    let declaring = || sources.iter().filter(|source| !source.relationships.is_empty());
    let relationships: Vec<Relationship> =
        declaring().flat_map(|source| source.relationships.iter().cloned()).collect();
    let example = declaring().find_map(|source| example(source))?;
    let max_depth = declaring().map(|source| source.max_relationship_depth).max()?;
    let name = if is_taken(NAME) { format!("aql_{NAME}") } else { NAME.to_owned() };
    let declaration = Declaration {
        name: name.clone(),
        description: "Follow links from one thing to others".to_owned(),
        params: params(&relationships, max_depth),
        returns: ReturnType {
            name: "RelationshipGraph".to_owned(),
            kind: "object",
            description: Some("{root, relationships, graph: {nodes, edges}}".to_owned()),
        },
        examples: vec![example],
        ..introspect_entry::operation().declaration
    };
    let operation = Operation { declaration, target: Target::BuiltIn(BuiltIn::QueryRelationships) };
    let source = Source { relationships, max_relationship_depth: max_depth, ..Source::built_in() };
    Some(RegistryEntry { public_name: name, operation: Arc::new(operation), source: Arc::new(source) })
}

fn params(relationships: &[Relationship], max_depth: u64) -> Vec<Param> {
    let described = |name: &str, kind: ValueKind, about: String| Param {
        description: Some(about),
        ..Param::new(name, kind)
    };
    let ends = relationships.iter().flat_map(|each| [each.from.as_str(), each.to.as_str()]);
    let mut types = distinct(ends);
    if types.len() > MOST_TYPES {
        types.truncate(MOST_TYPES);
        types.push("...");
    }
    let about = format!("Where to start: {{element_type, element_name}}. Types: {}", types.join(", "));
    let mut root = described("root", ValueKind::Object, about);
    root.required = true;
    let about = "outgoing: what the links of the root lead to; incoming: what leads to it";
    let mut direction = described("direction", ValueKind::String, about.to_owned());
    direction.required = true;
    direction.shape.allowed = Some(words(&["outgoing", "incoming", "both"]));
    let mut relationship =
        described("relationship", ValueKind::String, "Only links of this type; all if absent".to_owned());
    let names = distinct(relationships.iter().map(|each| each.name.as_str()));
    relationship.shape.allowed = Some(words(&names));
    let mut depth =
        described("depth", ValueKind::Integer, format!("How many links in a row, up to {max_depth}"));
    depth.shape.minimum = Some(1.0);
    depth.default = Some(1.into());
    let about = "Parts of the answer; all if absent, the root always";
    let mut include =
        described("include", ValueKind::Array(Some(Box::new(ValueKind::String))), about.to_owned());
    include.shape.items =
        Some(Box::new(Shape { allowed: Some(words(&PARTS)), ..Shape::of(ValueKind::String) }));
    let mut first = described("first", ValueKind::Integer, "Most links in the answer".to_owned());
    first.shape.minimum = Some(1.0);
    let about = "details.after of the warning that an answer was cut, to go on behind it";
    let after = described("after", ValueKind::String, about.to_owned());
    vec![root, direction, relationship, depth, include, first, after]
}

fn words(words: &[&str]) -> Vec<Value> {
    words.iter().map(|word| Value::from(*word)).collect()
}

/// Each word once, in the order in which they come first.
fn distinct<'a>(words: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen: Vec<&str> = Vec::new();
    for word in words {
        if !seen.contains(&word) {
            seen.push(word);
        }
    }
    seen
}

/// A request that follows the first link of a source, with all that its root must have.
fn example(source: &Source) -> Option<Example> {
    let from = &source.relationships.first()?.from;
    let mut root = Map::from_iter([("element_type".to_owned(), Value::from(from.as_str()))]);
    let name = FieldPath::parse("element_name")?;
    let fetch = source.types.iter().find(|each| each.name == *from).and_then(|each| each.fetch.as_ref());
    for path in
        std::iter::once(&name).chain(fetch.iter().flat_map(|fetch| fetch.params.iter().map(|(_, p)| p)))
    {
        if path.first() != "element_type" {
            path.put(&mut root, "name".into());
        }
    }
    let params = json!({"root": root, "direction": "outgoing"});
    Some(Example {
        description: Some("What one thing leads to".to_owned()),
        params: params.as_object().cloned().unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests;
