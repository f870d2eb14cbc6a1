//! `docs/conformance.md`, as text.
//!
//! In: the evidence and the finished parts. Out: the claim, the counts and a table per ledger. The same evidence always
//! gives the same page, so that a test can tell whether the committed one is up to date (core, 10.2).

use super::PARTS;
use super::judge::{Evidence, Status};
use super::rows::Row;

const SPECIFICATION: &str = "MCP-AQL 1.0.0-draft";
/// The part that completes Level 1, and the one that completes Level 2.
const LEVEL_1_PART: u8 = 1;
const LEVEL_2_PART: u8 = 8;

/// The whole page.
pub(super) fn render(evidence: &Evidence, finished_parts: &[u8]) -> String {
    let mut page = String::from("# Conformance\n\n");
    page.push_str(
        "<!-- Written by `cargo xtask conformance`; change the tests or `docs/conformance/` instead. -->\n\n",
    );
    page.push_str(&claim(claimed_level(|part| evidence.count(part).open())));
    page.push_str(&counts(evidence, finished_parts));
    for ledger in &evidence.ledgers {
        page.push_str("\n## ");
        page.push_str(ledger.title);
        page.push_str("\n\n| ID | Level | Part | Requirement | Status |\n|---|---|---|---|---|\n");
        page.extend(ledger.rows.iter().map(|row| table_line(evidence, row)));
    }
    page
}

/// The level that the rows allow: none of those that complete it is open. `open` counts the open rows of a part.
fn claimed_level(open: impl Fn(u8) -> usize) -> Option<u8> {
    match (open(LEVEL_1_PART), open(LEVEL_2_PART)) {
        (0, 0) => Some(2),
        (0, _) => Some(1),
        _ => None,
    }
}

/// What is claimed.
fn claim(level: Option<u8>) -> String {
    let claim = match level {
        Some(level) => format!(
            "Aqueduct implements **{SPECIFICATION}, Level {level}** (MCP-AQL Level {level} Conformant). A running server says the \
             same in `_protocol.conformance` of its operations list, and names its extensions in `_protocol.extensions`.\n"
        ),
        None => {
            format!("No level is claimed yet. The goal of the first part is **{SPECIFICATION}, Level 1**.\n")
        }
    };
    format!("## Claim\n\n{claim}\n")
}

fn counts(evidence: &Evidence, finished_parts: &[u8]) -> String {
    let head = "## Count\n\nA row is *tested* when the doc comment of a test carries its ID; such a test fails when the \
                behaviour is removed. Other rows have a reason, or are *open* until their part of the product is \
                finished.\n\n| Part | Rows | Tested | Reason | Open | |\n|---|---|---|---|---|---|\n";
    let line = |part| {
        let count = evidence.count(part);
        let finished = if finished_parts.contains(&part) { "finished" } else { "" };
        let (rows, tested, reasoned, open) = (count.rows, count.tested, count.reasoned, count.open());
        format!("| {part} | {rows} | {tested} | {reasoned} | {open} | {finished} |\n")
    };
    PARTS.map(line).fold(head.to_owned(), |page, line| page + &line)
}

fn table_line(evidence: &Evidence, row: &Row) -> String {
    let status = match evidence.status(row) {
        Status::Tested(tests) => {
            let links: Vec<String> =
                tests.iter().map(|test| format!("[{}](../{})", test.test, test.file)).collect();
            links.join(", ")
        }
        Status::Reasoned(reason) => format!("*{}:* {}", reason.kind.label(), escape(&reason.text)),
        Status::Open => "open".to_owned(),
    };
    format!("| {} | {} | {} | {} | {status} |\n", row.id, row.level, row.part, escape(&row.title))
}

/// Keeps a bar from ending the cell.
fn escape(text: &str) -> String {
    text.replace('|', "\\|")
}

#[cfg(test)]
mod tests;
