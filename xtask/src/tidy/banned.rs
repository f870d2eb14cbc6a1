//! Words that must not be in the repository.
//!
//! In: all files, and the table `xtask/banned.toml` (data, so that no source file has to contain the words it bans).
//! Out: a violation for each match, with the fix from the table; and for each file called `mod.rs`.

use anyhow::{Context, Result};
use regex::Regex;
use serde::Deserialize;

use super::Violation;
use crate::repo::{File, has_extension};

const TABLE_PATH: &str = "xtask/banned.toml";
const TABLE: &str = include_str!("../../banned.toml");

#[derive(Deserialize)]
struct Table {
    rule: Vec<RawRule>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRule {
    /// Extensions of the files it holds for; empty means all.
    #[serde(default)]
    files: Vec<String>,
    pattern: String,
    problem: String,
    fix: String,
    /// Lines that must be found, tested below.
    #[cfg_attr(not(test), expect(dead_code, reason = "read by the test of the table"))]
    finds: Vec<String>,
    /// Lines that must not be found, tested below.
    #[cfg_attr(not(test), expect(dead_code, reason = "read by the test of the table"))]
    passes: Vec<String>,
}

/// Checks every file but the table itself.
pub(super) fn check(files: &[File]) -> Result<Vec<Violation>> {
    let rules = rules()?;
    let mut violations = Vec::new();
    for file in files.iter().filter(|file| file.path != TABLE_PATH) {
        if file.path.ends_with("/mod.rs") {
            violations.push(Violation::new(
                &file.path,
                1,
                "a file called mod.rs",
                "use `foo.rs` beside `foo/`",
            ));
        }
        for (rule, pattern) in rules.iter().filter(|(rule, _)| rule.holds_for(&file.path)) {
            let lines = file.text.lines().enumerate().filter(|(_, line)| pattern.is_match(line));
            violations.extend(
                lines.map(|(index, _)| Violation::new(&file.path, index + 1, &rule.problem, &rule.fix)),
            );
        }
    }
    Ok(violations)
}

impl RawRule {
    fn holds_for(&self, path: &str) -> bool {
        self.files.is_empty() || self.files.iter().any(|extension| has_extension(path, extension))
    }
}

fn rules() -> Result<Vec<(RawRule, Regex)>> {
    let table: Table = toml::from_str(TABLE).context(TABLE_PATH)?;
    table
        .rule
        .into_iter()
        .map(|rule| {
            let pattern = Regex::new(&rule.pattern).context(TABLE_PATH)?;
            Ok((rule, pattern))
        })
        .collect()
}

#[cfg(test)]
mod tests;
