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
pub(super) struct Ledger {
    pub title: &'static str,
    pub rows: Vec<Row>,
}

/// Reads every ledger.
pub(super) fn load(root: &Path) -> Result<Vec<Ledger>> {
    let mut ledgers = Vec::new();
    let mut seen = BTreeSet::new();
    for (name, title) in LEDGERS {
        let path = format!("docs/conformance/rows/{name}.tsv");
        let rows = parse(&repo::read(&root.join(&path))?).context(path)?;
        for row in &rows {
            ensure!(seen.insert(row.id.clone()), "the id {} stands twice", row.id);
        }
        ledgers.push(Ledger { title, rows });
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
mod tests {
    use super::{COLUMNS, load, parse};
    use crate::repo;

    #[test]
    fn a_row_has_an_id_a_level_a_part_a_section_and_a_title() {
        let rows = parse(&format!("{COLUMNS}\nR1.2-1\tMUST NOT\t3\t1.2\tNothing is lost")).unwrap();
        assert_eq!((rows[0].id.as_str(), rows[0].level.as_str(), rows[0].part), ("R1.2-1", "MUST NOT", 3));
    }

    #[test]
    fn a_damaged_row_is_refused_with_its_line() {
        for line in [
            "R1.2-1\tMUST\t1\t1.2",
            "no\tMUST\t1\t1.2\tx",
            "R1.2-1\tSHALL\t1\t1.2\tx",
            "R1.2-1\tMUST\t9\t1.2\tx",
        ] {
            let error = parse(&format!("{COLUMNS}\n{line}")).unwrap_err();
            assert_eq!(error.to_string(), "line 2", "{line}");
        }
    }

    #[test]
    fn the_ledgers_of_the_repository_are_complete() {
        let counts: Vec<usize> =
            load(repo::root().unwrap()).unwrap().iter().map(|ledger| ledger.rows.len()).collect();
        assert_eq!(counts, [340, 189, 183, 122, 123, 428]);
    }
}
