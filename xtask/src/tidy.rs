//! The rules that no compiler holds: crate edges, file headers, file length, paths named in the docs, banned words.
//!
//! In: the checkout. Out: every violation at once, each with its place and its fix; and the files close to the limit,
//! as warnings. The test at the end is what makes them rules.

mod banned;
mod dependencies;
mod edges;
mod headers;
mod paths;
mod size;

use std::fmt;
use std::path::Path;

use anyhow::{Result, bail};

use crate::repo::{self, File};

const REQUIRED_FILES: &[&str] = &["CHANGELOG.md", "README.md", "LICENSE-APACHE", "LICENSE-MIT"];

/// One broken rule.
#[derive(Debug, PartialEq, Eq)]
struct Violation {
    file: String,
    line: usize,
    problem: String,
    fix: String,
}

impl Violation {
    fn new(file: &str, line: usize, problem: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line, problem: problem.into(), fix: fix.into() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}; fix: {}", self.file, self.line, self.problem, self.fix)
    }
}

/// Prints warnings and violations; fails when there is a violation.
pub fn report(root: &Path) -> Result<()> {
    let files = repo::files(root)?;
    for warning in size::close_to_limit(&files) {
        println!("warning: {warning}");
    }
    let violations = check(root, &files)?;
    for violation in &violations {
        println!("{violation}");
    }
    if !violations.is_empty() {
        bail!("{} violations of the tidy rules", violations.len());
    }
    Ok(())
}

fn check(root: &Path, files: &[File]) -> Result<Vec<Violation>> {
    let mut violations = edges::check(files)?;
    violations.extend(edges::stale(files)?);
    violations.extend(dependencies::check(files)?);
    violations.extend(headers::check(files));
    violations.extend(size::check(files));
    violations.extend(paths::check(files, |path| root.join(path).exists()));
    violations.extend(banned::check(files)?);
    violations.extend(missing_files(|path| root.join(path).exists()));
    Ok(violations)
}

fn missing_files(exists: impl Fn(&str) -> bool) -> Vec<Violation> {
    REQUIRED_FILES
        .iter()
        .filter(|path| !exists(path))
        .map(|path| Violation::new(path, 1, "the file is missing", "write it"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Violation, check, missing_files};
    use crate::repo::{self, File};

    /// A file of a made-up checkout.
    pub(super) fn file(path: &str, text: &str) -> File {
        File { path: path.to_owned(), text: text.to_owned() }
    }

    /// `file:line` of each violation.
    pub(super) fn places(violations: &[Violation]) -> Vec<String> {
        violations.iter().map(|violation| format!("{}:{}", violation.file, violation.line)).collect()
    }

    #[test]
    fn the_repository_is_tidy() {
        let root = repo::root().unwrap();
        let violations = check(root, &repo::files(root).unwrap()).unwrap();
        let lines: Vec<String> = violations.iter().map(ToString::to_string).collect();
        assert!(lines.is_empty(), "{} violations of the tidy rules\n{}", lines.len(), lines.join("\n"));
    }

    #[test]
    fn a_missing_changelog_is_a_violation() {
        let missing = missing_files(|path| path != "CHANGELOG.md");
        assert_eq!(places(&missing), ["CHANGELOG.md:1"]);
    }

    #[test]
    fn a_violation_shows_its_place_and_its_fix() {
        let violation = Violation::new("a.rs", 3, "too long", "split it");
        assert_eq!(violation.to_string(), "a.rs:3: too long; fix: split it");
    }
}
