//! Paths that the docs name exist.
//!
//! In: the Markdown files, adapter files apart (they are data). Out: a violation for every relative link, and every
//! path in backticks that starts in one of our folders, that leads nowhere. Fenced blocks are read too.

use std::sync::LazyLock;

use regex::Regex;

use super::Violation;
use crate::repo::{File, has_extension};

#[expect(clippy::unwrap_used, reason = "a constant pattern, compiled by every test run")]
static QUOTED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"`((?:crates|docs|examples|xtask|\.ci)/[^`\s]*)`").unwrap());
#[expect(clippy::unwrap_used, reason = "a constant pattern, compiled by every test run")]
static LINK: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\]\(([^)\s]+)\)").unwrap());

/// Checks every Markdown file; `exists` takes a path relative to the root.
pub(super) fn check(files: &[File], exists: impl Fn(&str) -> bool) -> Vec<Violation> {
    let mut violations = Vec::new();
    for file in
        files.iter().filter(|file| has_extension(&file.path, "md") && !file.path.ends_with("-adapter.md"))
    {
        let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        for (index, line) in file.text.lines().enumerate() {
            let quoted = QUOTED.captures_iter(line).map(|found| fixed_part(&found[1]).to_owned());
            let linked = LINK.captures_iter(line).filter_map(|found| link_target(folder, &found[1]));
            for path in quoted.chain(linked).filter(|path| !exists(path)) {
                let problem = format!("the path '{path}' does not exist");
                violations.push(Violation::new(
                    &file.path,
                    index + 1,
                    problem,
                    "correct the path or create the file",
                ));
            }
        }
    }
    violations
}

/// The part of a quoted path before a wildcard, a brace or a line number.
fn fixed_part(path: &str) -> &str {
    let path = path.split(['#', ':']).next().unwrap_or(path);
    match path.find(['*', '{', '<', '…']) {
        Some(end) => path[..end].rsplit_once('/').map_or("", |(folder, _)| folder),
        None => path,
    }
}

/// A relative link as a path from the root; nothing for addresses and anchors.
fn link_target(folder: &str, link: &str) -> Option<String> {
    let path = link.split('#').next().unwrap_or(link);
    if path.is_empty() || path.contains("://") || path.starts_with("mailto:") {
        return None;
    }
    let mut parts: Vec<&str> = if path.starts_with('/') { Vec::new() } else { folder.split('/').collect() };
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            name => parts.push(name),
        }
    }
    parts.retain(|part| !part.is_empty());
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests;
