//! What an import did: what it found, what it made of it, and what got lost on the way.
//!
//! Importers fill it; `import` prints it. Every operation of a source is either loaded or left out with a reason, so that
//! `found` is always the sum of the two.

use serde::Serialize;

/// The report of one import.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ImportReport {
    /// The source's name.
    pub source: String,
    /// Operations that the source has.
    pub found: usize,
    /// Operations that can be called.
    pub loaded: usize,
    /// Operations and parameters that have another name here.
    pub renamed: Vec<Renamed>,
    /// What is not there, operations first of all.
    pub left_out: Vec<LeftOut>,
    /// Operations beyond the most that are read of one source: left out as well, and not named one by one.
    #[serde(skip_serializing_if = "is_zero")]
    pub beyond: usize,
    /// Every conversion that lost something or had to choose.
    pub warnings: Vec<ReportNote>,
    /// Operations whose category a person should look at, each with the reason.
    pub needs_review: Vec<(String, String)>,
}

/// Something that has another name here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Renamed {
    /// Its name in the source.
    pub from: String,
    /// Its name here.
    pub to: String,
    /// Why.
    pub why: String,
}

/// Something that is not there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// What it is, as the source names it.
    pub what: String,
    /// Why.
    pub why: String,
    /// It is an operation, and counts as one that was found.
    pub is_operation: bool,
}

/// A conversion that lost something, or a choice that was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReportNote {
    /// The operation, by its name here; none for the source as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// What happened.
    pub what: String,
}

impl ImportReport {
    /// An operation that is not loaded.
    pub fn leave_out_operation(&mut self, what: impl Into<String>, why: impl Into<String>) {
        self.left_out.push(LeftOut { what: what.into(), why: why.into(), is_operation: true });
    }

    /// Something else that is not loaded.
    pub fn leave_out(&mut self, what: impl Into<String>, why: impl Into<String>) {
        self.left_out.push(LeftOut { what: what.into(), why: why.into(), is_operation: false });
    }

    /// A warning about the source as a whole.
    pub fn warn(&mut self, what: impl Into<String>) {
        self.warnings.push(ReportNote { operation: None, what: what.into() });
    }

    /// A warning about one operation.
    pub fn warn_about(&mut self, operation: &str, what: impl Into<String>) {
        self.warnings.push(ReportNote { operation: Some(operation.to_owned()), what: what.into() });
    }

    /// Operations that were left out.
    pub fn operations_left_out(&self) -> usize {
        self.beyond + self.left_out.iter().filter(|each| each.is_operation).count()
    }
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

#[cfg(test)]
mod tests;
