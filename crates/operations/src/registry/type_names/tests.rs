//! Tests of `type_names`.

use crate::params::{Param, ValueKind};
use crate::registry::{LoadedSource, NamingScheme, Registry, introspect_entry};
use crate::source::Source;
use crate::types::{TypeBody, TypeDef};

fn loaded(source: &str) -> LoadedSource {
    let mut owner = Param::new("owner", ValueKind::Object);
    owner.shape.reference = Some("Owner".to_owned());
    let define = |name: &str, body| TypeDef::new(name, None, body);
    let types = vec![
        define("Item", TypeBody::Object(vec![owner.clone(), Param::new("id", ValueKind::Integer)])),
        define("Owner", TypeBody::Union(vec!["Item".to_owned(), "string".to_owned()])),
    ];
    let mut operation = introspect_entry::operation();
    operation.name = "get_item".to_owned();
    operation.returns.name = "Item".to_owned();
    operation.params = vec![owner];
    let source = Source { name: source.to_owned(), types, ..Source::built_in() };
    LoadedSource { source, operations: vec![operation] }
}

/// X-intro-26 C9.2-1: the same name in two sources stays two types, and each answer calls them the same.
#[test]
fn types_of_several_sources_are_namespaced() {
    let registry =
        Registry::build(vec![loaded("my-shop"), loaded("bank")], NamingScheme::Namespaced).unwrap();
    let names: Vec<&str> = registry.types().map(|each| each.name.as_str()).collect();
    assert_eq!(names, ["my_shop__Item", "my_shop__Owner", "bank__Item", "bank__Owner"]);
    let bodies: Vec<&TypeBody> = registry.types().map(|each| &each.body).collect();
    let TypeBody::Object(fields) = bodies[0] else { panic!("an object") };
    assert_eq!(fields[0].shape.shown_type(), "my_shop__Owner");
    assert_eq!(fields[1].shape.shown_type(), "integer");
    let TypeBody::Union(members) = bodies[3] else { panic!("a union") };
    assert_eq!(members, &["bank__Item", "string"]);
    let (_, entry) = registry.find("bank__get_item").unwrap();
    assert_eq!(entry.operation.returns.name, "bank__Item");
    assert_eq!(entry.operation.params[0].shape.shown_type(), "bank__Owner");
}

#[test]
fn types_of_one_source_keep_their_names() {
    let registry = Registry::build(vec![loaded("my-shop")], NamingScheme::Bare).unwrap();
    let names: Vec<&str> = registry.types().map(|each| each.name.as_str()).collect();
    assert_eq!(names, ["Item", "Owner"]);
    assert_eq!(registry.find("introspect").unwrap().1.operation.returns.name, "IntrospectionData");
}
