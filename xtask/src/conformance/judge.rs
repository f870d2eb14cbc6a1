//! What stands behind each row, and what is wrong with it.
//!
//! In: rows, reasons and citations. Out: the status of a row, counts per part, and problems worded for the person who will
//! mend them.

use std::collections::{BTreeMap, BTreeSet};

use super::citations::Citation;
use super::reasons::Reason;
use super::rows::{Row, RowLedger};

/// All that is known.
pub(super) struct Evidence {
    pub ledgers: Vec<RowLedger>,
    pub reasons: BTreeMap<String, Reason>,
    pub citations: Vec<Citation>,
}

/// What stands behind one row.
pub(super) enum Status<'a> {
    Tested(Vec<&'a Citation>),
    Reasoned(&'a Reason),
    Open,
}

/// How many rows of a part have what.
#[derive(Default)]
pub(super) struct Count {
    pub rows: usize,
    pub tested: usize,
    pub reasoned: usize,
}

impl Count {
    /// Rows that have neither test nor reason.
    pub(super) fn open(&self) -> usize {
        self.rows - self.tested - self.reasoned
    }
}

impl Evidence {
    /// Every row of every ledger.
    pub(super) fn rows(&self) -> impl Iterator<Item = &Row> {
        self.ledgers.iter().flat_map(|ledger| &ledger.rows)
    }

    /// The status of one row; a test counts before a reason.
    pub(super) fn status(&self, row: &Row) -> Status<'_> {
        let tests: Vec<&Citation> = self.citations.iter().filter(|citation| citation.id == row.id).collect();
        if !tests.is_empty() {
            return Status::Tested(tests);
        }
        self.reasons.get(&row.id).map_or(Status::Open, Status::Reasoned)
    }

    /// The counts of one part.
    pub(super) fn count(&self, part: u8) -> Count {
        let mut count = Count::default();
        for row in self.rows().filter(|row| row.part == part) {
            count.rows += 1;
            match self.status(row) {
                Status::Tested(_) => count.tested += 1,
                Status::Reasoned(_) => count.reasoned += 1,
                Status::Open => {}
            }
        }
        count
    }

    /// Everything that contradicts itself, and what a finished part lacks.
    pub(super) fn problems(&self, finished_parts: &[u8]) -> Vec<String> {
        let rows: BTreeMap<&str, &Row> = self.rows().map(|row| (row.id.as_str(), row)).collect();
        let tested: BTreeSet<&str> = self.citations.iter().map(|citation| citation.id.as_str()).collect();
        let mut problems = Vec::new();
        for Citation { id, opens_range, test, file } in &self.citations {
            if !rows.contains_key(id.as_str()) {
                problems.push(format!("{file}: '{test}' cites {id}, which is no row; fix: correct the id"));
            }
            if *opens_range {
                problems.push(format!("{file}: '{test}' cites a range from {id}; fix: write each id"));
            }
        }
        for (id, reason) in &self.reasons {
            let Some(row) = rows.get(id.as_str()) else {
                problems.push(format!("a reason is given for {id}, which is no row; fix: correct the id"));
                continue;
            };
            if tested.contains(id.as_str()) {
                problems.push(format!("{id} has a reason and a test; fix: remove the reason"));
            }
            if !reason.kind.fits(row) {
                let kind = reason.kind.label();
                problems
                    .push(format!("{id} is {}, so '{kind}' is no reason; fix: give another one", row.level));
            }
        }
        for row in self.rows().filter(|row| finished_parts.contains(&row.part)) {
            if matches!(self.status(row), Status::Open) {
                let Row { id, part, title, .. } = row;
                problems.push(format!("{id} of finished part {part} has neither test nor reason: {title}"));
            }
        }
        problems
    }
}

#[cfg(test)]
pub(super) mod tests;
