//! How much one file may ask for: references and patterns are short to write and long to carry out.
//!
//! A group of many parameters used by many operations multiplies, and so do the repetitions of a pattern; both are
//! counted for the file as a whole.

use crate::document::cursor::NodeCursor;
use crate::document::findings::Findings;
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
pub(in crate::adapter_file::check) struct Allowance {
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

impl Default for Allowance {
    fn default() -> Allowance {
        Allowance { params_left: Cell::new(MOST_PARAMS), patterns: RefCell::default() }
    }
}

impl Allowance {
    /// Counts parameters; false when the file has used up what it may.
    pub(super) fn take<'p>(&self, params: impl Iterator<Item = &'p Param>) -> bool {
        self.take_weight(params.map(|param| 1 + param.shape.allowed.as_ref().map_or(0, Vec::len)).sum())
    }

    /// Counts names that one place of the file brings along from another, and reports when it brings too many.
    pub(in crate::adapter_file::check) fn affords(
        &self,
        names: usize,
        at: &NodeCursor<'_>,
        found: &mut Findings<'_>,
    ) -> bool {
        let is_affordable = self.take_weight(names);
        if !is_affordable {
            let message = "What this file refers to has more names, all together, than are allowed";
            found.add(at.error("TOO_MANY", message).hint("use smaller types and operations"));
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
        let judged = Pattern::checked(pattern).map_err(|error| match error {
            PatternError::TooLarge => PatternProblem::TooLarge,
            PatternError::Invalid(reason) => PatternProblem::Invalid(reason),
        })?;
        patterns.insert(pattern.to_owned(), judged.clone());
        Ok(judged)
    }
}

#[cfg(test)]
mod tests {
    use super::{Allowance, MOST_PARAMS, MOST_PATTERNS, PatternProblem};
    use aqueduct_operations::params::{Param, ValueKind};

    #[test]
    fn parameters_are_counted() {
        let allowance = Allowance::default();
        let param = Param::new("x", ValueKind::String);
        assert!(allowance.take(std::iter::repeat_n(&param, MOST_PARAMS)));
        assert!(!allowance.take([&param].into_iter()));
    }

    #[test]
    fn patterns_are_counted_and_shared() {
        let allowance = Allowance::default();
        assert!(allowance.compile("^[a-z]{1,40}$").is_ok());
        assert!(allowance.compile("^[\\w.-]{1,100}$").is_ok(), "a large but usual one");
        assert_eq!(allowance.compile("(").unwrap_err(), PatternProblem::Invalid("unclosed group".into()));
        assert_eq!(allowance.compile("(\\w{900}){900}").unwrap_err(), PatternProblem::TooLarge);
        for _ in 0..1_000 {
            assert!(allowance.compile("^[\\w.-]{1,100}$").is_ok(), "known ones cost nothing");
        }
        let known = allowance.patterns.borrow().len();
        for number in known..MOST_PATTERNS {
            assert!(allowance.compile(&format!("^{number}$")).is_ok(), "{number}");
        }
        assert_eq!(allowance.compile("^[\\w.-]{1,101}$").unwrap_err(), PatternProblem::TooMany);
    }
}
