//! How much one file may ask for: references and patterns are short to write and long to carry out.
//!
//! A group of many parameters used by many operations multiplies, and so do the repetitions of a pattern; both are
//! counted for the file as a whole.

use aqueduct_documents::findings::Findings;
use aqueduct_documents::node_cursor::NodeCursor;
use aqueduct_operations::params::Param;
use aqueduct_schema::Pattern;
use aqueduct_schema::pattern::PatternError;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;

/// Parameters and enum values of a whole file, after references are expanded.
const MOST_PARAMS: usize = 500_000;
/// Different patterns in one file.
const MOST_PATTERNS: usize = 5_000;

/// What is left for the rest of the file.
#[derive(Debug)]
pub(in crate::check) struct FileBudget {
    params_left: Cell<usize>,
    patterns: RefCell<HashMap<String, Pattern>>,
}

/// Why a pattern cannot be used.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum PatternProblem {
    /// It is no regular expression that runs in linear time, and why not.
    Invalid(String),
    /// Its repetitions make it too large.
    TooLarge,
    /// The file has too many of them.
    TooMany,
}

impl Default for FileBudget {
    fn default() -> FileBudget {
        FileBudget { params_left: Cell::new(MOST_PARAMS), patterns: RefCell::default() }
    }
}

impl FileBudget {
    /// Counts parameters; false when the file has used up what it may.
    pub(super) fn take<'p>(&self, params: impl Iterator<Item = &'p Param>) -> bool {
        self.take_weight(params.map(|param| 1 + param.shape.allowed.as_ref().map_or(0, Vec::len)).sum())
    }

    /// Counts names that one place of the file brings along from another, and reports when it brings too many.
    pub(in crate::check) fn affords(
        &self,
        names: usize,
        at: &NodeCursor<'_>,
        found: &mut Findings<'_>,
    ) -> bool {
        let is_affordable = self.take_weight(names);
        if !is_affordable {
            let message = "What this file refers to has more names, all together, than are allowed";
            at.error("TOO_MANY", message).hint("use smaller types and operations").add_to(found);
        }
        is_affordable
    }

    fn take_weight(&self, weight: usize) -> bool {
        let left = self.params_left.get();
        self.params_left.set(left.saturating_sub(weight));
        weight <= left
    }

    /// The pattern of this text, looked at once for the whole file. It is compiled when a value first meets it.
    pub(super) fn compile(&self, pattern: &str) -> Result<Pattern, PatternProblem> {
        let mut patterns = self.patterns.borrow_mut();
        if let Some(known) = patterns.get(pattern) {
            return Ok(known.clone());
        }
        if patterns.len() >= MOST_PATTERNS {
            return Err(PatternProblem::TooMany);
        }
        let pattern_found = Pattern::checked(pattern).map_err(|error| match error {
            PatternError::TooLarge => PatternProblem::TooLarge,
            PatternError::Invalid(reason) => PatternProblem::Invalid(reason),
        })?;
        patterns.insert(pattern.to_owned(), pattern_found.clone());
        Ok(pattern_found)
    }
}

#[cfg(test)]
mod tests;
