//! What is wrong with a value, in words that say what to send instead.
//!
//! Faults in, problems out, outermost first and each once. No wording here could be taken for a place in a program.

pub(crate) mod alternatives;
pub(crate) mod words;

use crate::check::SchemaFault;
use crate::work::WorkStop;
use std::collections::HashSet;

/// One thing that is wrong with a value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SchemaProblem {
    /// The place inside the value, such as `items[2].name`; empty for the value itself.
    pub place: String,
    /// The keyword that is not satisfied, such as `required`, `type`, `enum`.
    pub keyword: String,
    /// What was expected, in words.
    pub expected: String,
    /// The JSON type, or the value, that was found.
    pub received: String,
}

impl SchemaProblem {
    pub(crate) fn new(
        place: String,
        keyword: &str,
        expected: impl Into<String>,
        received: impl Into<String>,
    ) -> SchemaProblem {
        let (expected, received) = (expected.into(), received.into());
        SchemaProblem { place, keyword: keyword.to_owned(), expected, received }
    }
}

/// The problem of a value that nests deeper than is looked into.
pub(crate) fn too_deep(levels: usize) -> SchemaProblem {
    let expected = format!("no more than {levels} levels");
    SchemaProblem::new(String::new(), "depth", expected, "more levels")
}

/// The problem of a value that would take more work than is done for it.
pub(crate) fn too_much(stop: WorkStop) -> SchemaProblem {
    let (expected, received) = match stop {
        WorkStop::Spent(limit) => {
            (format!("a value that is checked in no more than {limit} steps"), "more steps")
        }
        WorkStop::Stopped => {
            ("a value that is checked before the call ends".to_owned(), "the end of the call")
        }
        WorkStop::Deep(levels) => (format!("schemas of no more than {levels} levels"), "more levels"),
    };
    SchemaProblem::new(String::new(), "work", expected, received)
}

/// All problems, those of outer places first.
pub(crate) fn problems(faults: Vec<SchemaFault>) -> Vec<SchemaProblem> {
    let mut seen = HashSet::new();
    let mut found: Vec<(usize, SchemaProblem)> =
        faults.into_iter().flat_map(|fault| fault.problems).collect();
    found.retain(|(_, problem)| seen.insert(problem.clone()));
    found.sort_by_key(|(depth, _)| *depth);
    found.into_iter().map(|(_, problem)| problem).collect()
}

#[cfg(test)]
mod tests;
