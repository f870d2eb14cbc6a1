//! The operations that serve a request, as one caller may see them.
//!
//! A request in a person's words in; places in the registry, best first, out. What the policy hides is not found, nor what
//! the caller has no scopes for.

use super::operation_index::SearchOutcome;
use crate::catalog::Catalog;
use aqueduct_operations::call::Scopes;
use aqueduct_operations::operation::RegistryEntry;

/// Searches for at most so many operations that may be shown, that the caller may call and that are admitted.
pub(crate) fn search(
    catalog: &Catalog,
    scopes: &Scopes,
    request: &str,
    admits: impl Fn(&RegistryEntry) -> bool,
    most: usize,
) -> SearchOutcome {
    let is_admitted = |index: usize| may_be_found(catalog, scopes, index) && admits(catalog.placed(index));
    catalog.search_index().search(request, is_admitted, most)
}

/// True when the operation in this place may be shown to a caller.
pub(crate) fn may_be_found(catalog: &Catalog, scopes: &Scopes, index: usize) -> bool {
    let needed = &catalog.placed(index).operation.required_scopes;
    !catalog.decision(index).is_hidden() && scopes.missing(needed).is_none()
}
