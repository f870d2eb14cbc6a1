//! Tests of `tidy`.

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
