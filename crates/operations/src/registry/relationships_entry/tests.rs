//! Tests of `relationships_entry`.

use crate::example::request_showing;
use crate::registry::{LoadedSource, NamingScheme, Registry, introspect_entry};
use crate::response::{FieldPath, Relationship, RelationshipFetch, RelationshipOperation};
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
    let mut named = introspect_entry::operation();
    named.name = operation.to_owned();
    LoadedSource {
        source: Source {
            name: source.to_owned(),
            types: vec![agent],
            relationships: links.iter().map(link).collect(),
            ..Source::built_in()
        },
        operations: vec![named],
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
