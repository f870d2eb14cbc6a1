//! The list of operations: all of them or the chosen ones, in pages, with the facts of the server beside them.
//!
//! A request in, a page of the strict list out (rulings W2, W16). The list is ordered by source and noun, or by how well an
//! operation fits what is searched for; it is written once per catalog, and of it each caller gets what may be called.

use super::filter::ListingFilter;
use super::listing::{Listing, ListingRange};
use super::{IntrospectAnswer, IntrospectError, operations, put_some, search as request_search};
use crate::catalog_view::CatalogView;
use crate::discovery::{by_turns, groups, groups_as_json, search};
use crate::stages::query_options::truncated;
use aqueduct_operations::call::SessionId;
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::raw_json::RawJson;
use aqueduct_operations::reply::Warning;
use aqueduct_operations::target::Target;
use aqueduct_query::measure;
use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// What a list of operations costs a model by default.
const USUAL_BUDGET: u64 = 2_000;

/// As many operations of a search as a page has by default.
const USUAL_FOUND: u64 = 10;

/// What `_protocol.page` may cost as we estimate it: with the facts beside it `_protocol` stays under 200 tokens (ruling W2).
const PAGE_TOKENS: u64 = 74;

/// The operations as texts, in the order of the list.
#[derive(Debug)]
pub struct OperationList {
    listing: Listing,
    /// The place in the registry of each item.
    entries: Vec<usize>,
    /// The place in this list of each entry that is in it.
    places: HashMap<usize, usize>,
}

impl OperationList {
    /// Writes every operation that may be shown.
    pub fn of(view: &CatalogView<'_>) -> OperationList {
        let catalog = view.catalog();
        let (all, resources) = (catalog.registry().entries(), catalog.resources());
        let sources = catalog.registry().sources();
        let source_of =
            |entry: &RegistryEntry| sources.iter().position(|source| source.name == entry.source.name);
        let mut entries: Vec<usize> = view.placed().map(|(index, _)| index).collect();
        // The entry about all the others comes first, so that a list which is cut still has it. What is of no source comes last.
        entries.sort_by_key(|index| {
            let entry = &all[*index];
            let source = source_of(entry).unwrap_or(usize::MAX);
            (!entry.is_introspect(), source, resources.at(*index).noun.as_str(), *index)
        });
        let leading = entries.iter().take_while(|index| all[**index].is_introspect()).count();
        let item =
            |index: &usize| (catalog.placed(*index).public_name.clone(), operations::item(view, *index));
        let listing = Listing::of(entries.iter().map(item)).led_by_first(leading);
        let places = entries.iter().enumerate().map(|(place, index)| (*index, place)).collect();
        OperationList { listing, entries, places }
    }

    /// The places in the list of the operations that the caller may see and a filter admits; in the order of a search, if there
    /// is one.
    fn chosen(
        &self,
        view: &CatalogView<'_>,
        filter: &ListingFilter<'_>,
        request: Option<&str>,
    ) -> Vec<usize> {
        let Some(request) = request else {
            let is_chosen = |index: usize| view.shows(index) && filter.admits(view.catalog().placed(index));
            return (0..self.entries.len()).filter(|place| is_chosen(self.entries[*place])).collect();
        };
        let found = search(view, request, |entry| filter.admits(entry), usize::MAX);
        found.matches.iter().filter_map(|index| self.places.get(index).copied()).collect()
    }
}

/// The operations, as many as the budget has room for, with the facts of the server. A later page has the least of them.
pub fn list(
    view: &CatalogView<'_>,
    values: &Map<String, Value>,
    session: &SessionId,
) -> Result<IntrospectAnswer, IntrospectError> {
    let request = values.contains_key("search").then(|| request_search::request(values)).transpose()?;
    let filter = ListingFilter::of(values, view).map_err(IntrospectError::UnknownWord)?;
    let (catalog, cache) = (view.catalog(), view.catalog().introspection());
    let own;
    let list = match view.has_common_texts() {
        true => cache.list.get_or_init(|| OperationList::of(&catalog.common_view())),
        false => {
            own = OperationList::of(view);
            &own
        }
    };
    let chosen = list.chosen(view, &filter, request);
    let mut part = ListingRange::of(values, USUAL_BUDGET, cache.most_tokens);
    if request.is_some() {
        part.first = part.first.or(Some(USUAL_FOUND));
    }
    let page = list.listing.page(&chosen, part).map_err(IntrospectError::NoSuchPlace)?;
    let is_cut = page.returned < chosen.len();
    let is_least = part.after.is_some() || request.is_some();
    let hidden = view.hidden_count();
    let mut protocol = match (is_least, is_cut) {
        (true, _) => cache.protocol.least(session, hidden),
        (false, true) => cache.protocol.beside_page(session, hidden),
        (false, false) => cache.protocol.with_session(session, hidden),
    };
    if is_cut || request.is_some() || !filter.is_open() {
        protocol["page"] = json!({"total": chosen.len(), "returned": page.returned});
        put_some(&mut protocol["page"], "after", page.after.as_deref());
    }
    if is_cut && !is_least {
        let room = PAGE_TOKENS.saturating_sub(measure::tokens(&protocol["page"].to_string()));
        let places = chosen.iter().map(|place| list.entries[*place]);
        let of_sources = places
            .map(|index| (index, catalog.placed(index)))
            .filter(|(_, entry)| !matches!(entry.operation.target, Target::BuiltIn(_)));
        let counted = by_turns(groups(of_sources, catalog.resources()));
        put_some(&mut protocol["page"], "groups", groups_as_json(&counted, room));
    }
    let is_over_budget = part.first.is_none_or(|first| (page.returned as u64) < first);
    let warning = page.after.as_ref().filter(|_| is_over_budget).map(|after| {
        let (all, returned) = (chosen.len() as u64, page.returned as u64);
        let message = format!(
            "Only {returned} of {all} operations are listed here. Search them with query 'search', or go on with \
             after: '{after}'."
        );
        Warning { message, ..truncated("operations", all, returned, part.budget) }.with("unit", "tokens")
    });
    let data = RawJson::object(&[("_protocol", &RawJson::of(&protocol)), ("operations", &page.list)]);
    Ok((data, warning.into_iter().collect()))
}
