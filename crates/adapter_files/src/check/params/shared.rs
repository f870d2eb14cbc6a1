//! The block `shared_parameters`: definitions and groups of them, which operations refer to.
//!
//! The root in; every entry by its key out. What a reference costs is counted for the file as a whole.

use super::{CheckedParams, FileBudget, ParamContext, ParamDeclaration, named};
use crate::check::schemas::FileSchemas;
use aqueduct_documents::NodeValue;
use aqueduct_documents::findings::Findings;
use aqueduct_documents::node_cursor::{NodeCursor, shortened};
use std::collections::HashMap;

const REF_PREFIX: &str = "#/shared_parameters/";

/// Every entry of `shared_parameters` by its key.
pub(in crate::check) struct SharedParams<'a> {
    entries: HashMap<&'a str, CheckedParams<'a>>,
    keys: Vec<&'a str>,
    pub(in crate::check) context: ParamContext,
}

impl<'a> SharedParams<'a> {
    pub(in crate::check) fn read(root: &NodeCursor<'a>, found: &mut Findings<'_>) -> SharedParams<'a> {
        let context = ParamContext { budget: FileBudget::default(), schemas: FileSchemas::read(root, found) };
        let mut shared = SharedParams { entries: HashMap::new(), keys: Vec::new(), context };
        let Some(block) = root.get("shared_parameters") else { return shared };
        for (entry, at) in block.entries() {
            let mut group = CheckedParams::default();
            let definitions: Vec<(Option<&str>, NodeCursor<'a>)> = match at.node.value {
                NodeValue::List(_) => at.elements().map(|each| (None, each)).collect(),
                _ => vec![(Some(entry.key.as_str()), at)],
            };
            for (key, at) in definitions {
                group.add(key, &at, shared_one(&at, key, &shared.context, found));
            }
            shared.keys.push(&entry.key);
            shared.entries.insert(&entry.key, group);
        }
        shared
    }

    pub(super) fn find(
        &self,
        reference: &NodeCursor<'_>,
        found: &mut Findings<'_>,
    ) -> Option<&CheckedParams<'a>> {
        let text = reference.node.text()?;
        let group = text.strip_prefix(REF_PREFIX).and_then(|key| self.entries.get(key));
        if group.is_none() {
            let key = text.strip_prefix(REF_PREFIX).unwrap_or(text);
            let hint = found.nearest(key, self.keys.iter().copied());
            let message = format!("There is no shared parameter '{}'", shortened(key, 60));
            reference
                .error("UNKNOWN_REFERENCE", message)
                .expected(format!("'{REF_PREFIX}KEY' with a key of shared_parameters"))
                .maybe_hint(hint)
                .add_to(found);
        }
        group
    }
}

fn shared_one<'a>(
    at: &NodeCursor<'a>,
    key: Option<&str>,
    context: &ParamContext,
    found: &mut Findings<'_>,
) -> Option<ParamDeclaration<'a>> {
    if let Some(reference) = at.get("$ref") {
        reference.error("INVALID_VALUE", "A shared parameter does not refer to another one").add_to(found);
        return None;
    }
    named(at, key, context, found)
}
