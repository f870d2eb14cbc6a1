//! Tests of `keywords`.

use super::{Keyword, KeywordKind};

#[test]
fn the_table_is_in_order() {
    assert!(Keyword::all().is_sorted_by(|before, after| before.name < after.name));
    for keyword in Keyword::all() {
        assert_eq!(Keyword::named(keyword.name).map(|found| found.name), Some(keyword.name));
    }
    for unknown in ["", "x-internal", "titles", "an unusually long name of a property"] {
        assert!(Keyword::named(unknown).is_none(), "{unknown}");
    }
}

#[test]
fn data_and_schemas_are_distinguished() {
    for name in ["enum", "const", "default", "example", "examples"] {
        assert!(Keyword::is_data(name), "{name}");
    }
    for name in ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"] {
        assert!(Keyword::is_schema_map(name) && !Keyword::is_data(name), "{name}");
    }
    assert_eq!(Keyword::named("items").map(|keyword| keyword.kind), Some(KeywordKind::Items));
    assert!(!Keyword::is_schema_map("items"));
}
