//! `query_relationships`: from one element to those it hangs together with, along the links that adapters declare
//! (relationship-query document).
//!
//! A permitted request in; out, `{root, relationships, graph}` in its closed shape, and warnings. `query` is what is
//! requested, `index` what is declared, `explore` goes from link to link, each with its own leave from the gatekeeper, `page`
//! gives the part of it that was requested. `identity` has the rule by which elements are identified.

mod explore;
mod graph;
mod hop;
mod identity;
mod index;
mod page;
mod query;
mod reader;
mod warnings;

#[cfg(test)]
pub(crate) mod tests;

pub use index::RelationshipIndex;
pub use reader::LinkReader;

use crate::collection::fingerprint;
use crate::context::CallContext;
use crate::failure_map;
use crate::stages::gatekeep::Permitted;
use aqueduct_operations::failure::Failure;
use aqueduct_operations::raw_json::RawJson;
use aqueduct_operations::reply::Warning;
use page::GraphPage;
use query::RelationshipQuery;
use serde_json::Map;

/// Answers a permitted request, in so many tokens.
pub async fn respond(
    context: &CallContext<'_>,
    permitted: &Permitted<'_>,
    budget: u64,
) -> Result<(RawJson, Vec<Warning>), Failure> {
    let checked = permitted.checked();
    let entry = checked.entry;
    let query = RelationshipQuery::of(context.catalog.relationships(), checked)
        .map_err(|rejection| failure_map::validate(&rejection, entry))?;
    // How much is shown, and of which part, is not what a cursor is bound to.
    let mut bound = (*checked.values).clone();
    for shown in ["first", "after", "include"] {
        bound.remove(shown);
    }
    let fingerprint = fingerprint(&context.origin.caller, entry, &bound, &Map::new());
    let from = match &query.after {
        None => 0,
        Some(cursor) => {
            let position = context.cursor_key()?.open(cursor, &fingerprint);
            let position = position.map_err(|error| failure_map::graph_cursor(error, entry))?;
            usize::try_from(position.number).unwrap_or(usize::MAX).saturating_add(1)
        }
    };
    let graph = explore::explore(context, entry, &query, from).await?;
    let page = GraphPage::of(&graph, &query, from, budget)?;
    let mut warnings = query.warnings.clone();
    warnings.extend(page.cut_warning(context, &fingerprint)?);
    let data = page.into_json();
    warnings.extend(graph.warnings);
    Ok((data, warnings))
}
