//! The `collection` block: what the API filters, sorts and searches by itself.
//!
//! The block in; the API's parameters for each out. Whatever is not declared here is done by this server.

use super::block;
use crate::check::path;
use aqueduct_documents::findings::Findings;
use aqueduct_documents::node_cursor::NodeCursor;
use aqueduct_documents::{DocumentNode, MapEntry, NodeValue};
use aqueduct_operations::response::{PushFilter, PushQuery, PushRules, PushSort};
use std::collections::HashSet;

pub(super) fn check(operation: &NodeCursor<'_>, found: &mut Findings<'_>) -> PushRules {
    let Some(at) = block(operation, "collection") else { return PushRules::default() };
    PushRules {
        filters: block(&at, "filter").map_or_else(Vec::new, |at| filters(&at, found)),
        sort: block(&at, "sort").and_then(|at| sort(&at, found)),
        query: block(&at, "query").and_then(|at| Some(PushQuery { param: at.owned_text("param")? })),
    }
}

fn filters(at: &NodeCursor<'_>, found: &mut Findings<'_>) -> Vec<PushFilter> {
    let mut filters = Vec::new();
    for (entry, at) in at.entries() {
        if !is_path(entry, &at, found) {
            continue;
        }
        let values = block(&at, "values");
        if let Some(values) = values.as_ref().filter(|at| at.node.value == NodeValue::List(Vec::new())) {
            values
                .error("INVALID_VALUE", "'values' is empty")
                .hint("leave it out to allow any")
                .add_to(found);
        }
        let values = values.map(|at| at.node.elements().iter().map(DocumentNode::to_json).collect());
        if let Some(param) = at.owned_text("param") {
            filters.push(PushFilter { key: entry.key.clone(), param, values });
        }
    }
    filters
}

fn sort(at: &NodeCursor<'_>, found: &mut Findings<'_>) -> Option<PushSort> {
    let block = block(at, "fields")?;
    let mut fields: Vec<(String, String)> = Vec::new();
    let mut seen: HashSet<String> = HashSet::new();
    for element in block.elements() {
        let Some(path) = path::read(&element, found) else { continue };
        let name = path.to_string();
        if !seen.insert(name.clone()) {
            element.error("DUPLICATE_NAME", format!("Duplicate field: {name}")).add_to(found);
        }
        fields.push((name.clone(), name));
    }
    for (entry, word) in block.entries() {
        if is_path(entry, &word, found)
            && let Some(word) = word.node.text()
        {
            fields.push((entry.key.clone(), word.to_owned()));
        }
    }
    if block.node.elements().is_empty() && block.node.entries().is_empty() {
        block
            .error("INVALID_VALUE", "'fields' is empty")
            .expected("the fields that the API sorts by")
            .add_to(found);
    }
    Some(PushSort { param: at.owned_text("param")?, order_param: at.owned_text("order_param"), fields })
}

/// Keys in a request's `filter` and `sort` are paths.
fn is_path(entry: &MapEntry, at: &NodeCursor<'_>, found: &mut Findings<'_>) -> bool {
    let is_path = path::parse(&entry.key).is_some();
    if !is_path {
        at.error("INVALID_NAME", "This is not a path").on_key(entry).expected(path::EXPECTED).add_to(found);
    }
    is_path
}
