//! The operations that serve a request, as one caller may see them, and how sure that is.
//!
//! A request in a person's words in; places in the registry, best first, out. What the policy hides is not found, nor what
//! the caller has no scopes for.

use crate::catalog::Catalog;
use aqueduct_operations::call::Scopes;
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_search::Match;

/// What was found.
#[derive(Debug)]
pub struct SearchOutcome {
    /// Places in the registry and scores, best first.
    pub matches: Vec<(usize, Match)>,
    /// How sure it is that the first one is meant.
    pub confidence: Confidence,
}

/// How sure it is that what was found is what was meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Confidence {
    /// The first match, and no other.
    Clear,
    /// One of several.
    Several,
    /// Nothing fits well.
    Weak,
}

impl Confidence {
    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Confidence::Clear => "clear",
            Confidence::Several => "several",
            Confidence::Weak => "weak",
        }
    }

    fn of(matches: &[(usize, Match)]) -> Confidence {
        let Some((_, best)) = matches.first() else { return Confidence::Weak };
        let lead = matches.get(1).map_or(f32::INFINITY, |(_, second)| best.score - second.score);
        if best.score < WEAK {
            Confidence::Weak
        } else if lead >= CLEAR_LEAD && best.score >= CLEAR {
            Confidence::Clear
        } else {
            Confidence::Several
        }
    }
}

/// Below this score nothing fits well.
const WEAK: f32 = 5.0;
/// From this score on, and so far before the second one, a match is clear.
const CLEAR: f32 = 9.0;
const CLEAR_LEAD: f32 = 2.0;

/// Searches for at most so many operations that may be shown, that the caller may call and that are admitted.
pub(crate) fn search(
    catalog: &Catalog,
    scopes: &Scopes,
    request: &str,
    admits: impl Fn(&RegistryEntry) -> bool,
    most: usize,
) -> SearchOutcome {
    let may_be_shown = |index: usize| {
        let (entry, decision) = catalog.placed(index);
        !decision.is_hidden() && scopes.missing(&entry.operation.required_scopes).is_none() && admits(entry)
    };
    let matches = catalog.search_index().search(request, may_be_shown, most.max(2));
    let confidence = Confidence::of(&matches);
    SearchOutcome { matches: matches.into_iter().take(most).collect(), confidence }
}
