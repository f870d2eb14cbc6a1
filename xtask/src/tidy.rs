//! The rules that no compiler holds: crate edges, file headers, file length, paths named in the docs, banned words, permits,
//! who knows which kinds of sources, how many crates the library needs, and subjects of commits.
//!
//! In: the checkout. Out: every violation at once, each with its place and its fix; and the files close to the limit,
//! as warnings. The test at the end is what makes them rules.

mod banned;
mod commits;
mod dependencies;
mod edges;
mod headers;
mod kinds;
mod library_tree;
mod manifest;
mod paths;
mod permits;
mod rust_tokens;
mod size;
mod test_files;

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
    violations.extend(test_files::check(files));
    violations.extend(paths::check(files, |path| root.join(path).exists()));
    violations.extend(permits::check(files)?);
    violations.extend(kinds::check(files));
    violations.extend(banned::check(files)?);
    violations.extend(commits::check(root));
    violations.extend(library_tree::check(root)?);
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
mod tests;
