//! The rows: one table of tab-separated values per ledger, copied from the requirements of the specification.
//!
//! In: `docs/conformance/rows/*.tsv` with the columns id, level, part, section, title. Out: ledgers in reading order,
//! with every id unique and every part within 1 to 8.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use super::{PARTS, ids};
use crate::repo;

/// File name of a ledger, and its title on the page.
const LEDGERS: &[(&str, &str)] = &[
    ("core", "Core specification"),
    ("runtime", "Adapter runtime"),
    ("operations", "Operations"),
    ("mcp", "MCP integration"),
    ("sources", "Operation sources"),
    ("companion", "Companion documents, schemas and conformance runner"),
];
const COLUMNS: &str = "id\tlevel\tpart\tsection\ttitle";
const LEVELS: &[&str] =
    &["MUST", "MUST NOT", "SHOULD", "SHOULD NOT", "MAY", "SPEC", "SHAPE", "INFO", "FUTURE", "GAP"];
const LONGEST_TITLE: usize = 90;

/// One requirement.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub id: String,
    pub level: String,
    /// The part of the product that finishes it.
    pub part: u8,
    pub section: String,
    pub title: String,
}

/// The requirements of one document.
#[derive(Debug)]
pub(super) struct RowLedger {
    pub title: &'static str,
    pub rows: Vec<Row>,
}

/// Reads every ledger.
pub(super) fn load(root: &Path) -> Result<Vec<RowLedger>> {
    let mut ledgers = Vec::new();
    let mut seen = BTreeSet::new();
    for (name, title) in LEDGERS {
        let path = format!("docs/conformance/rows/{name}.tsv");
        let rows = parse(&repo::read(&root.join(&path))?).context(path)?;
        for row in &rows {
            ensure!(seen.insert(row.id.clone()), "the id {} stands twice", row.id);
        }
        ledgers.push(RowLedger { title, rows });
    }
    Ok(ledgers)
}

fn parse(text: &str) -> Result<Vec<Row>> {
    let mut lines = text.lines();
    ensure!(
        lines.next() == Some(COLUMNS),
        "the first line names the columns: id, level, part, section, title"
    );
    lines
        .enumerate()
        .map(|(index, line)| parse_row(line).with_context(|| format!("line {}", index + 2)))
        .collect()
}

fn parse_row(line: &str) -> Result<Row> {
    let [id, level, part, section, title] = line.split('\t').collect::<Vec<_>>()[..] else {
        bail!("a row has five columns");
    };
    ensure!(ids::find(id).iter().any(|found| found.id == id), "'{id}' is not an id");
    ensure!(LEVELS.contains(&level), "'{level}' is not a level");
    let part: u8 = part.parse().context("the part is a number")?;
    ensure!(PARTS.contains(&part), "the part is a number from 1 to 8");
    ensure!(
        (1..=LONGEST_TITLE).contains(&title.chars().count()),
        "a title has 1 to {LONGEST_TITLE} characters"
    );
    let [id, level, section, title] = [id, level, section, title].map(str::to_owned);
    Ok(Row { id, level, part, section, title })
}

#[cfg(test)]
mod tests;
