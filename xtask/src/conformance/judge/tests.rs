//! Tests of `judge`.

use super::{Evidence, Status};
use crate::conformance::citations::Citation;
use crate::conformance::reasons::{Reason, ReasonKind};
use crate::conformance::rows::{Row, RowLedger};

fn row(id: &str, level: &str, part: u8) -> Row {
    let [section, title] = ["1.2", "Nothing | is lost"].map(str::to_owned);
    Row { id: id.to_owned(), level: level.to_owned(), part, section, title }
}

/// Row 1 is tested, row 2 has a reason, row 3 is open and of part 2.
pub(in crate::conformance) fn sample() -> Evidence {
    let rows = vec![row("R1.2-1", "MUST", 1), row("R1.2-2", "INFO", 1), row("R1.2-3", "MUST", 2)];
    let reason = Reason { kind: ReasonKind::Information, text: "A note.".to_owned() };
    Evidence {
        ledgers: vec![RowLedger { title: "Sample", rows }],
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
    let reason = Reason { kind: ReasonKind::Information, text: "A note.".to_owned() };
    evidence.reasons.insert("R1.2-3".to_owned(), reason);
    assert!(evidence.problems(&[])[0].starts_with("R1.2-3 is MUST"));
}

#[test]
fn a_reason_for_no_row_is_a_problem() {
    let mut evidence = sample();
    let reason = Reason { kind: ReasonKind::Definition, text: "A note.".to_owned() };
    evidence.reasons.insert("R9.9-9".to_owned(), reason);
    assert!(evidence.problems(&[])[0].contains("R9.9-9, which is no row"));
}
