//! What stands behind each row, and what is wrong with it.
//!
//! In: rows, reasons and citations. Out: the status of a row, counts per part, and problems worded for the person who will
//! mend them.

use std::collections::{BTreeMap, BTreeSet};

use super::citations::Citation;
use super::reasons::Reason;
use super::rows::{Ledger, Row};

/// All that is known.
pub(super) struct Evidence {
    pub ledgers: Vec<Ledger>,
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
pub(super) mod tests {
    use super::{Evidence, Status};
    use crate::conformance::citations::Citation;
    use crate::conformance::reasons::{Kind, Reason};
    use crate::conformance::rows::{Ledger, Row};

    fn row(id: &str, level: &str, part: u8) -> Row {
        let [section, title] = ["1.2", "Nothing | is lost"].map(str::to_owned);
        Row { id: id.to_owned(), level: level.to_owned(), part, section, title }
    }

    /// Row 1 is tested, row 2 has a reason, row 3 is open and of part 2.
    pub(in crate::conformance) fn sample() -> Evidence {
        let rows = vec![row("R1.2-1", "MUST", 1), row("R1.2-2", "INFO", 1), row("R1.2-3", "MUST", 2)];
        let reason = Reason { kind: Kind::Information, text: "A note.".to_owned() };
        Evidence {
            ledgers: vec![Ledger { title: "Sample", rows }],
            reasons: [("R1.2-2".to_owned(), reason)].into(),
            citations: vec![citation("R1.2-1")],
        }
    }

    fn citation(id: &str) -> Citation {
        let [id, test, file] = [id, "it_holds", "crates/x/src/a.rs"].map(str::to_owned);
        Citation { id, opens_range: false, test, file }
    }

    #[test]
    fn each_row_is_tested_or_reasoned_or_open() {
        let evidence = sample();
        let statuses: Vec<&str> = evidence
            .rows()
            .map(|row| match evidence.status(row) {
                Status::Tested(_) => "tested",
                Status::Reasoned(_) => "reasoned",
                Status::Open => "open",
            })
            .collect();
        assert_eq!(statuses, ["tested", "reasoned", "open"]);
        let count = evidence.count(1);
        assert_eq!((count.rows, count.tested, count.reasoned, count.open()), (2, 1, 1, 0));
    }

    #[test]
    fn an_open_row_is_a_problem_once_its_part_is_finished() {
        assert!(sample().problems(&[1]).is_empty());
        let problems = sample().problems(&[1, 2]);
        assert_eq!(problems, ["R1.2-3 of finished part 2 has neither test nor reason: Nothing | is lost"]);
    }

    #[test]
    fn an_id_that_is_no_row_is_a_problem() {
        let mut evidence = sample();
        evidence.citations.push(citation("R1.2-11"));
        assert!(evidence.problems(&[])[0].contains("'it_holds' cites R1.2-11, which is no row"));
    }

    #[test]
    fn a_range_is_a_problem() {
        let mut evidence = sample();
        evidence.citations[0].opens_range = true;
        assert!(evidence.problems(&[])[0].contains("cites a range from R1.2-1"));
    }

    #[test]
    fn a_row_with_a_test_needs_no_reason() {
        let mut evidence = sample();
        evidence.citations.push(citation("R1.2-2"));
        assert_eq!(evidence.problems(&[]), ["R1.2-2 has a reason and a test; fix: remove the reason"]);
    }

    #[test]
    fn a_duty_cannot_pass_as_a_note() {
        let mut evidence = sample();
        let reason = Reason { kind: Kind::Information, text: "A note.".to_owned() };
        evidence.reasons.insert("R1.2-3".to_owned(), reason);
        assert!(evidence.problems(&[])[0].starts_with("R1.2-3 is MUST"));
    }

    #[test]
    fn a_reason_for_no_row_is_a_problem() {
        let mut evidence = sample();
        let reason = Reason { kind: Kind::Definition, text: "A note.".to_owned() };
        evidence.reasons.insert("R9.9-9".to_owned(), reason);
        assert!(evidence.problems(&[])[0].contains("R9.9-9, which is no row"));
    }
}
