//! Subjects of commits: short enough that every list shows them whole, as `CONTRIBUTING.md` asks.
//!
//! The history in; every subject since the rule is held that is too long out. Merges are left out. Where the history is not at hand, as in
//! an archive or a shallow clone, there is nothing to check.

use super::Violation;
use std::path::Path;
use std::process::{Command, Stdio};

/// The last commit before the rule was held.
const SINCE: &str = "f2afb33c3fddaa92bd5867d85e80819cd2a254b9";

/// The most characters of a subject.
const LONGEST: usize = 72;

pub(super) fn check(root: &Path) -> Vec<Violation> {
    let log = Command::new("git")
        .args(["log", "--no-merges", "--format=%h %s", &format!("{SINCE}..HEAD")])
        .current_dir(root)
        .stderr(Stdio::null())
        .output();
    match log {
        Ok(log) if log.status.success() => too_long(&String::from_utf8_lossy(&log.stdout)),
        _ => Vec::new(),
    }
}

fn too_long(log: &str) -> Vec<Violation> {
    let commits = log.lines().filter_map(|line| line.split_once(' '));
    let long = commits.map(|(commit, subject)| (commit, subject.chars().count()));
    long.filter(|(_, length)| *length > LONGEST)
        .map(|(commit, length)| {
            let problem = format!("the subject has {length} characters, {LONGEST} are allowed");
            Violation::new(&format!("commit {commit}"), 1, problem, "shorten it; the body has room")
        })
        .collect()
}

#[cfg(test)]
mod tests;
