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
    let may_be_shown = |index: usize| {
        let (entry, decision) = (catalog.placed(index), catalog.decision(index));
        !decision.is_hidden() && scopes.missing(&entry.operation.required_scopes).is_none() && admits(entry)
    };
    catalog.search_index().search(request, may_be_shown, most)
}
