//! The built-in operation `query_relationships`, described like any other (relationship-query document, section 1).
//!
//! The sources in; out, the operation, when one of them declares relationships (ruling N4). What they declare is in the
//! entry's own source, so that whoever describes the operation finds it there.

use super::introspect_entry;
use crate::answers::{FieldPath, Relationship};
use crate::operation::{Example, Operation, RegistryEntry, ReturnType};
use crate::params::{Param, Shape, ValueKind};
use crate::source::Source;
use crate::target::{BuiltIn, Target};
use serde_json::{Map, Value, json};
use std::sync::Arc;

const NAME: &str = "query_relationships";

/// Types that the description names.
const MOST_TYPES: usize = 30;

/// What an answer can have in it.
const PARTS: [&str; 4] = ["root", "relationships", "graph.nodes", "graph.edges"];

/// The operation, under a name that is not taken.
pub(super) fn entry(sources: &[Arc<Source>], is_taken: impl Fn(&str) -> bool) -> Option<RegistryEntry> {
    let declaring = || sources.iter().filter(|source| !source.relationships.is_empty());
    let relationships: Vec<Relationship> =
        declaring().flat_map(|source| source.relationships.iter().cloned()).collect();
    let example = declaring().find_map(|source| example(source))?;
    let max_depth = declaring().map(|source| source.max_relationship_depth).max()?;
    let name = if is_taken(NAME) { format!("aql_{NAME}") } else { NAME.to_owned() };
    let operation = Operation {
        name: name.clone(),
        description: "Follow links from one thing to others".to_owned(),
        params: params(&relationships, max_depth),
        target: Target::BuiltIn(BuiltIn::QueryRelationships),
        returns: ReturnType {
            name: "RelationshipGraph".to_owned(),
            kind: "object",
            description: Some("{root, relationships, graph: {nodes, edges}}".to_owned()),
        },
        examples: vec![example],
        ..introspect_entry::entry().operation
    };
    let source = Source { relationships, max_relationship_depth: max_depth, ..Source::built_in() };
    Some(RegistryEntry { public_name: name, operation, source: Arc::new(source) })
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
mod tests {
    use crate::answers::{FieldPath, Relationship, RelationshipFetch, RelationshipOperation};
    use crate::example::request_showing;
    use crate::operation::Operation;
    use crate::registry::{LoadedSource, NamingScheme, Registry, introspect_entry};
    use crate::source::Source;
    use crate::types::{TypeBody, TypeDef};
    use serde_json::json;

    fn path(text: &str) -> FieldPath {
        FieldPath::parse(text).unwrap()
    }

    fn loaded(source: &str, operation: &str, links: &[(&str, &str, &str)]) -> LoadedSource {
        let way = || RelationshipOperation {
            operation: operation.to_owned(),
            params: vec![("id".to_owned(), path("id"))],
        };
        let link = |(name, from, to): &(&str, &str, &str)| Relationship {
            name: (*name).to_owned(),
            from: (*from).to_owned(),
            to: (*to).to_owned(),
            forward: way(),
            inverse: None,
        };
        let params = vec![("id".to_owned(), path("element_name")), ("org".to_owned(), path("org.name"))];
        let fetch = Some(RelationshipFetch { operation: operation.to_owned(), params });
        let agent = TypeDef { fetch, ..TypeDef::new("Agent", None, TypeBody::Scalar) };
        LoadedSource {
            source: Source {
                name: source.to_owned(),
                types: vec![agent],
                relationships: links.iter().map(link).collect(),
                ..Source::built_in()
            },
            operations: vec![Operation { name: operation.to_owned(), ..introspect_entry::entry().operation }],
        }
    }

    const USES: &[(&str, &str, &str)] = &[("uses", "Agent", "Skill"), ("uses", "Skill", "Skill")];

    fn names(registry: &Registry) -> Vec<&str> {
        registry.entries().iter().map(|entry| entry.public_name.as_str()).collect()
    }

    /// X-rel-1, ruling N4: it is there when a source declares relationships, and only then.
    #[test]
    fn only_where_relationships_are_declared() {
        let without = Registry::build(vec![loaded("a", "x", &[])], NamingScheme::Bare).unwrap();
        assert_eq!(names(&without), ["x", "introspect"]);
        let with = Registry::build(vec![loaded("a", "x", USES)], NamingScheme::Bare).unwrap();
        assert_eq!(names(&with), ["x", "query_relationships", "introspect"]);
    }

    /// Ruling N4: a source keeps the name that ours would have, also as a bare one.
    #[test]
    fn a_source_keeps_its_name() {
        let own = "query_relationships";
        let one = Registry::build(vec![loaded("a", own, USES)], NamingScheme::Bare).unwrap();
        assert_eq!(names(&one), [own, "aql_query_relationships", "introspect"]);
        let several =
            Registry::build(vec![loaded("a", own, USES), loaded("b", "x", &[])], NamingScheme::Namespaced)
                .unwrap();
        assert_eq!(several.find(own).unwrap().1.public_name, "a__query_relationships");
        assert!(several.find("aql_query_relationships").is_some());
    }

    /// N2: links lead between the public names of types.
    #[test]
    fn types_of_several_sources() {
        let sources = vec![loaded("a", "x", USES), loaded("b", "y", &[])];
        let registry = Registry::build(sources, NamingScheme::Namespaced).unwrap();
        let (_, entry) = registry.find("query_relationships").unwrap();
        let ends: Vec<_> = entry.source.relationships.iter().map(|link| (&*link.from, &*link.to)).collect();
        assert_eq!(ends, [("a__Agent", "a__Skill"), ("a__Skill", "a__Skill")]);
        let about = entry.operation.param("root").unwrap().description.as_deref().unwrap();
        assert!(about.ends_with("Types: a__Agent, a__Skill"), "{about}");
    }

    /// The example has all that the type's reading takes.
    #[test]
    fn an_example_that_works() {
        let registry = Registry::build(vec![loaded("a", "x", USES)], NamingScheme::Bare).unwrap();
        let (_, entry) = registry.find("query_relationships").unwrap();
        let root = json!({"element_type": "Agent", "element_name": "name", "org": {"name": "name"}});
        assert_eq!(request_showing(entry, &[])["params"], json!({"root": root, "direction": "outgoing"}));
        assert_eq!(entry.operation.examples[0].params["root"], root);
    }
}
