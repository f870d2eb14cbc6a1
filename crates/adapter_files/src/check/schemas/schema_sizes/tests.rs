//! Tests of `schema_sizes`.

use super::SchemaSizes;
use aqueduct_schema::definitions::{DefinitionLimits, reach};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// What is said to be cut is what is cut.
#[test]
fn it_is_what_reach_cuts() {
    let schema = |number: usize| {
        let to = |other: usize| json!({"$ref": format!("#/$defs/S{:02}", other % 40)});
        json!({"properties": {"a": to(number + 1), "b": to(number * 3 + 1), "c": to(number + 7)}})
    };
    let library: BTreeMap<String, Value> =
        (0..40).map(|number| (format!("S{number:02}"), schema(number))).collect();
    let names: Vec<&String> = library.keys().collect();
    for most in [
        DefinitionLimits { definitions: 10, size: usize::MAX },
        DefinitionLimits { definitions: usize::MAX, size: 900 },
        DefinitionLimits { definitions: 39, size: usize::MAX },
    ] {
        let sizes = SchemaSizes::with(&library, most);
        for start in 0..40 {
            let cut = sizes.beyond(BTreeSet::from([start]));
            let cut: BTreeSet<&String> = cut.into_iter().map(|number| names[number]).collect();
            let reached = reach([names[start].clone()].into(), most, &mut |name| library.get(name).cloned());
            assert_eq!(cut, reached.cut.iter().collect(), "{most:?} {start}");
        }
    }
    assert!(SchemaSizes::of(&library).numbers.is_empty(), "small files are not looked at");
}
