//! Where an imported operation comes from.
//!
//! The block in; the origin out, so that reports and the upstream know the operation by its first name.

use aqueduct_documents::node_cursor::NodeCursor;
use aqueduct_operations::origin::{Confidence, ImportOrigin};

pub(super) fn of(operation: &NodeCursor<'_>) -> Option<ImportOrigin> {
    let at = operation.get("imported_from")?;
    Some(ImportOrigin {
        name: at.owned_text("name")?,
        is_unnamed: at.flag("unnamed").unwrap_or(false),
        place: at.owned_text("place").or_else(|| operation.owned_text("maps_to"))?,
        reason: at.owned_text("reason").unwrap_or_default(),
        confidence: at.text("confidence").and_then(Confidence::parse).unwrap_or(Confidence::High),
        needs_review: at.flag("needs_review").unwrap_or(false),
    })
}
