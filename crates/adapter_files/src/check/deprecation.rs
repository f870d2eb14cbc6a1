//! The `deprecated` key of an operation: `true`, or what is known about its end.
//!
//! The key in; what a warning will say out. A replacement that is not there is reported, and kept.

use super::operation::DraftOperation;
use super::siblings::SiblingOperations;
use aqueduct_documents::NodeValue;
use aqueduct_documents::findings::Findings;
use aqueduct_documents::node_cursor::{NodeCursor, described, shortened};
use aqueduct_operations::params::format::Format;
use aqueduct_operations::response::Deprecation;

pub(super) fn of(operation: &NodeCursor<'_>, found: &mut Findings<'_>) -> Option<Deprecation> {
    let at = operation.get("deprecated")?;
    match at.node.value {
        NodeValue::Bool(true) => Some(Deprecation::default()),
        NodeValue::Map(_) => {
            check_date(&at, found);
            Some(Deprecation {
                since: at.owned_text("since"),
                removal_date: at.owned_text("removal_date"),
                replacement: at.owned_text("replacement"),
            })
        }
        _ => None,
    }
}

fn check_date(at: &NodeCursor<'_>, found: &mut Findings<'_>) {
    let Some(date) = at.get("removal_date") else { return };
    if date.node.text().is_some_and(|text| !Format::Date.accepts(text)) {
        date.error("INVALID_VALUE", "There is no such day")
            .expected(Format::Date.expectation())
            .received(described(date.node))
            .add_to(found);
    }
}

/// A model that is told to call something else should find it.
pub(super) fn check_replacement(
    draft: &DraftOperation<'_>,
    siblings: &SiblingOperations<'_, '_>,
    found: &mut Findings<'_>,
) {
    let Some(at) = draft.at.get("deprecated").and_then(|at| at.get("replacement")) else { return };
    let Some(name) = at.node.filled_text() else { return };
    if name == draft.operation.name {
        at.warning("UNKNOWN_REFERENCE", "The operation is said to replace itself").add_to(found);
    } else if !siblings.is_written(name) {
        let hint = siblings.nearest(name, found);
        let message = format!("There is no operation '{}' in this file", shortened(name, 80));
        at.warning("UNKNOWN_REFERENCE", message).maybe_hint(hint).add_to(found);
    }
}
