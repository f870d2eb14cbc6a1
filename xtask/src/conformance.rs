//! The conformance page: every requirement of the specification with the tests that carry its ID, or the reason why none does.
//!
//! In: the rows and reasons under `docs/conformance/`, and the tests of the repository. Out: `docs/conformance.md`, a
//! summary per part, and problems. A row of a finished part with neither test nor reason is a problem (core, 10.2).

mod citations;
mod ids;
mod judge;
mod page;
mod reasons;
mod rows;

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::repo;
use judge::{Evidence, Status};

/// Parts of the product whose every row must have a test or a reason.
const FINISHED_PARTS: &[u8] = &[1, 2, 3, 4];
const PARTS: std::ops::RangeInclusive<u8> = 1..=8;
const PAGE: &str = "docs/conformance.md";

/// Rewrites the page, then shows the summary and the problems.
pub fn write(root: &Path) -> Result<()> {
    let evidence = gather(root)?;
    let path = root.join(PAGE);
    std::fs::write(&path, page::render(&evidence, FINISHED_PARTS))
        .with_context(|| format!("cannot write {PAGE}"))?;
    conclude(&evidence, evidence.problems(FINISHED_PARTS))
}

/// Like `write`, but a page that is not up to date is a problem and stays as it is.
pub fn check(root: &Path) -> Result<()> {
    let evidence = gather(root)?;
    let problems = all_problems(root, &evidence)?;
    conclude(&evidence, problems)
}

/// Lists the rows of one part that have neither test nor reason.
pub fn list_open(root: &Path, part: u8) -> Result<()> {
    if !PARTS.contains(&part) {
        bail!("the part is a number from 1 to 8");
    }
    let evidence = gather(root)?;
    let mut out = std::io::stdout().lock();
    for row in evidence.rows().filter(|row| row.part == part && matches!(evidence.status(row), Status::Open))
    {
        writeln!(out, "{:<14} {:<10} {:<10} {}", row.id, row.level, row.section, row.title)?;
    }
    Ok(())
}

fn gather(root: &Path) -> Result<Evidence> {
    let files = repo::files(root)?;
    Ok(Evidence {
        ledgers: rows::load(root)?,
        reasons: reasons::load(root)?,
        citations: citations::find(&files),
    })
}

fn all_problems(root: &Path, evidence: &Evidence) -> Result<Vec<String>> {
    let mut problems = evidence.problems(FINISHED_PARTS);
    if repo::read(&root.join(PAGE))? != page::render(evidence, FINISHED_PARTS) {
        problems.push(format!("{PAGE} is not up to date; fix: cargo xtask conformance"));
    }
    Ok(problems)
}

fn conclude(evidence: &Evidence, problems: Vec<String>) -> Result<()> {
    println!("part  rows  tested  reason  open");
    for part in PARTS {
        let count = evidence.count(part);
        println!(
            "{part:>4}  {:>4}  {:>6}  {:>6}  {:>4}",
            count.rows,
            count.tested,
            count.reasoned,
            count.open()
        );
    }
    for problem in &problems {
        println!("{problem}");
    }
    if !problems.is_empty() {
        bail!("{} problems of the conformance page", problems.len());
    }
    Ok(())
}

#[cfg(test)]
mod tests;
