//! Short ways to build what tests need.
//!
//! Names and expressions in, declared fields out.

use aqueduct_operations::response::{ComputedExpression, ComputedField, FieldPath};

/// A computed field that may be used everywhere.
pub fn computed(name: &str, value: ComputedExpression) -> ComputedField {
    ComputedField {
        name: name.to_owned(),
        type_name: "number".to_owned(),
        description: None,
        filterable: true,
        sortable: true,
        value,
    }
}

/// A computed field that counts what is at a path.
pub fn count_of(name: &str, path: &str) -> ComputedField {
    computed(name, ComputedExpression::Count(FieldPath::parse(path).unwrap()))
}
