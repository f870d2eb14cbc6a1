//! Tests of `registry`.

use super::{LoadedSource, NamingScheme, Registry, SourceClash};
use crate::category::Category;
use crate::source::Source;

fn loaded(source: &str, operations: &[&str]) -> LoadedSource {
    let template = super::introspect_entry::operation();
    LoadedSource {
        source: Source { name: source.into(), ..Source::built_in() },
        operations: operations
            .iter()
            .map(|name| {
                let mut operation = template.clone();
                operation.name = (*name).into();
                operation
            })
            .collect(),
    }
}

/// C7.2-1 R9.1-1 O9.1-1: introspect is there without being declared; C1.3-1: besides it only what a source declares.
#[test]
fn introspect_is_always_there() {
    let registry = Registry::build(vec![loaded("shop", &["get_x"])], NamingScheme::Bare).unwrap();
    let names: Vec<_> = registry.entries().iter().map(|e| e.public_name.as_str()).collect();
    assert_eq!(names, ["get_x", "introspect"]);
    assert_eq!(registry.entries()[1].operation.category, Category::Read);
    assert!(registry.find("get_y").is_none());
}

#[test]
fn several_sources_are_namespaced() {
    let sources = vec![loaded("my-shop", &["get_x", "get_y"]), loaded("bank", &["get_x"])];
    let registry = Registry::build(sources, NamingScheme::Namespaced).unwrap();
    assert_eq!(registry.find("my_shop__get_x").unwrap().1.source.name, "my-shop");
    assert_eq!(registry.find("bank__get_x").unwrap().1.source.name, "bank");
    assert_eq!(registry.find("get_y").unwrap().1.source.name, "my-shop", "unique bare name");
    assert!(registry.find("get_x").is_none(), "ambiguous bare name");
    assert!(registry.find("introspect").is_some());
}

#[test]
fn clashes_are_named() {
    let twice = vec![loaded("a", &["x"]), loaded("a", &["y"])];
    assert_eq!(
        Registry::build(twice, NamingScheme::Namespaced).unwrap_err(),
        SourceClash::Source("a".into())
    );
    let with = |name: &str, variable: &str| {
        let mut one = loaded(name, &["x"]);
        one.source.own_variables = vec![variable.to_owned()];
        one
    };
    let told =
        Registry::build(vec![with("a-b", "V"), with("a--b", "V")], NamingScheme::Namespaced).unwrap_err();
    assert!(["'a-b'", "'a--b'", " V;"].iter().all(|word| told.to_string().contains(word)), "{told}");
    assert!(Registry::build(vec![with("a-b", "V"), with("c", "W")], NamingScheme::Namespaced).is_ok());
    let same = vec![loaded("a", &["x", "x"])];
    assert_eq!(Registry::build(same, NamingScheme::Bare).unwrap_err(), SourceClash::Operation("x".into()));
}
