//! The `aggregate` block: which functions and fields the adapter allows.
//!
//! Absent is everything.

use super::block;
use crate::check::path;
use crate::check::path::KnownFields;
use aqueduct_documents::cursor::NodeCursor;
use aqueduct_documents::findings::Findings;
use aqueduct_operations::response::{AggregateFunction, AggregateRule};

pub(super) fn check(
    operation: &NodeCursor<'_>,
    known: &KnownFields<'_>,
    found: &mut Findings<'_>,
) -> AggregateRule {
    let Some(at) = block(operation, "aggregate") else { return AggregateRule::default() };
    let functions = block(&at, "functions")
        .map(|_| at.texts("functions").iter().filter_map(|name| AggregateFunction::parse(name)).collect());
    AggregateRule {
        functions,
        groupable_fields: fields(&at, "groupable_fields", known, found),
        numeric_fields: fields(&at, "numeric_fields", known, found),
    }
}

fn fields(
    at: &NodeCursor<'_>,
    key: &str,
    known: &KnownFields<'_>,
    found: &mut Findings<'_>,
) -> Option<Vec<String>> {
    let list = block(at, key)?;
    let mut fields = Vec::new();
    for element in list.elements() {
        let Some(path) = path::read(&element, found) else { continue };
        known.check(&path, &element, found);
        fields.push(path.to_string());
    }
    Some(fields)
}
