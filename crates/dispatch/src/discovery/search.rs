//! The operations that serve a request, as one caller may see them.
//!
//! A request in a person's words in; places in the registry, best first, out. What this caller may not call is not found.

use super::operation_index::SearchOutcome;
use crate::catalog_view::CatalogView;
use aqueduct_operations::operation::RegistryEntry;

/// Searches for at most so many operations that may be shown and that are admitted.
pub(crate) fn search(
    view: &CatalogView<'_>,
    request: &str,
    admits: impl Fn(&RegistryEntry) -> bool,
    most: usize,
) -> SearchOutcome {
    let catalog = view.catalog();
    let is_admitted = |index: usize| view.shows(index) && admits(catalog.placed(index));
    catalog.search_index().search(request, is_admitted, most)
}
