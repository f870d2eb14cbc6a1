//! The `aggregate` block: which functions and fields the adapter allows.
//!
//! Absent is everything.

use super::block;
use crate::check::path::KnownFields;
use aqueduct_documents::findings::Findings;
use aqueduct_documents::node_cursor::NodeCursor;
use aqueduct_operations::response::{AggregateFunction, AggregateRule, FieldPath};

pub(super) fn check(
    operation: &NodeCursor<'_>,
    known: &KnownFields<'_>,
    found: &mut Findings<'_>,
) -> AggregateRule {
    let Some(at) = block(operation, "aggregate") else { return AggregateRule::default() };
    let functions = block(&at, "functions")
        .map(|_| at.texts("functions").iter().filter_map(|name| AggregateFunction::parse(name)).collect());
    let mut fields = |key: &str| {
        let paths = known.paths(&block(&at, key)?, found);
        Some(paths.iter().map(FieldPath::to_string).collect())
    };
    AggregateRule {
        functions,
        groupable_fields: fields("groupable_fields"),
        numeric_fields: fields("numeric_fields"),
    }
}
