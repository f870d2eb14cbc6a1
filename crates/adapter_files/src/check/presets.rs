//! Named choices of fields, of an operation or of a type.
//!
//! The map in; presets out, with snake_case names, each with fields.

use super::path::KnownFields;
use aqueduct_documents::findings::Findings;
use aqueduct_documents::node_cursor::{NodeCursor, quoted};
use aqueduct_operations::naming::is_snake_case;
use aqueduct_operations::response::Preset;

/// Reads the map under `presets`.
pub(super) fn of(owner: &NodeCursor<'_>, known: &KnownFields<'_>, found: &mut Findings<'_>) -> Vec<Preset> {
    let Some(block) = owner.get("presets") else { return Vec::new() };
    let mut presets = Vec::new();
    for (entry, at) in block.entries() {
        if !is_snake_case(&entry.key) {
            at.error("INVALID_NAME", "Preset names are snake_case")
                .on_key(entry)
                .expected("lower-case letters, digits and underscores, starting with a letter")
                .received(quoted(&entry.key))
                .add_to(found);
            continue;
        }
        presets.push(one(&entry.key, &at, known, found));
    }
    presets
}

/// Reads one list of fields.
pub(super) fn one(
    name: &str,
    at: &NodeCursor<'_>,
    known: &KnownFields<'_>,
    found: &mut Findings<'_>,
) -> Preset {
    if at.elements().next().is_none() && at.node.kind() == "list" {
        at.error("INVALID_VALUE", "This choice has no fields").expected("a list of paths").add_to(found);
    }
    Preset { name: name.to_owned(), paths: known.paths(at, found) }
}
