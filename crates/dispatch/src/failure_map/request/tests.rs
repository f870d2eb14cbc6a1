//! Tests of `request`.

use super::route;
use crate::Catalog;
use crate::stages::route::RouteError;
use aqueduct_operations::exposure::Exposure;
use aqueduct_operations::limits::Limits;
use aqueduct_operations::registry::{LoadedSource, NamingScheme, Registry, SourceProblem};
use aqueduct_operations::source::Source;
use serde_json::json;

/// An operation that waits for approval is not taken for a slip of the pen.
#[test]
fn what_is_withheld_says_so() {
    let source = Source { name: "pp".to_owned(), ..Source::built_in() };
    let registry =
        Registry::build(vec![LoadedSource { source, operations: Vec::new() }], NamingScheme::Namespaced)
            .unwrap();
    let troubles = vec![SourceProblem {
        name: "pp".to_owned(),
        is_served: true,
        problems: Vec::new(),
        withheld: vec!["echo".to_owned()],
    }];
    let catalog = Catalog::build(registry.with_problems(troubles), Exposure::default(), &Limits::default());
    for (operation, is_withheld) in
        [("pp__echo", true), ("echo", true), ("pp__open", false), ("qq__echo", false)]
    {
        let suggestions = vec!["pp__open".to_owned()];
        let failure = route(
            RouteError::Unknown { operation: operation.to_owned(), suggestions, task: None },
            &catalog.common_view(),
        );
        assert_eq!(failure.code, aqueduct_operations::failure::Code::NotFoundOperation);
        assert_eq!(failure.message.contains("aqueduct pins"), is_withheld, "{}", failure.message);
        assert_eq!(failure.details.contains_key("not_ready"), is_withheld, "{operation}");
        assert!(!is_withheld || !failure.message.contains("Did you mean"), "{}", failure.message);
    }
}

/// An operation of a source that is not there yet is not simply unknown; one of a source that is there is.
#[test]
fn sources_that_are_not_ready_are_named() {
    let loaded = |name: &str| LoadedSource {
        source: Source { name: name.to_owned(), ..Source::built_in() },
        operations: Vec::new(),
    };
    let trouble = |name: &str, is_served: bool| SourceProblem {
        name: name.to_owned(),
        is_served,
        problems: vec!["it is still starting".to_owned()],
        withheld: Vec::new(),
    };
    let registry = Registry::build(vec![loaded("here"), loaded("old")], NamingScheme::Namespaced).unwrap();
    let troubles = vec![trouble("old", true), trouble("my-files", false), trouble("mail", false)];
    let catalog = Catalog::build(registry.with_problems(troubles), Exposure::default(), &Limits::default());
    for (operation, named) in [
        ("my_files__read", vec!["my-files"]),
        ("read", vec!["my-files", "mail"]),
        ("here__read", vec![]),
        ("old__read", vec![]),
    ] {
        let unknown =
            RouteError::Unknown { operation: operation.to_owned(), suggestions: Vec::new(), task: None };
        let failure = route(unknown, &catalog.common_view());
        let told: Vec<_> =
            named.iter().map(|name| json!({"source": name, "problems": ["it is still starting"]})).collect();
        let details = failure.details.get("not_ready").cloned();
        assert_eq!(details, (!told.is_empty()).then(|| json!(told)), "{operation}");
        assert_eq!(failure.message.contains("is not ready"), !told.is_empty(), "{}", failure.message);
        assert!(named.iter().all(|name| failure.message.contains(name)), "{}", failure.message);
    }
}
