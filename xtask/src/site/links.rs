//! Whether the links of a built site lead somewhere.
//!
//! In: a folder of HTML. Out: a line for every link to a file or an anchor that does not exist, for everything that would
//! be loaded from elsewhere, and for a search that knows nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::LazyLock;

use anyhow::Result;
use regex::Regex;

use crate::repo;

#[expect(clippy::unwrap_used, reason = "a constant pattern, compiled by every test run")]
static LINK: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"<(\w+)\s[^>]*?(?:href|src)="([^"]*)""#).unwrap());
#[expect(clippy::unwrap_used, reason = "a constant pattern, compiled by every test run")]
static ANCHOR: LazyLock<Regex> = LazyLock::new(|| Regex::new(r#"\sid="([^"]*)""#).unwrap());

/// Pages that mdBook makes for itself; their links are those of the others.
const MADE: &[&str] = &["print.html", "404.html", "toc.html"];

/// A page's links, each with its element, and its anchors.
pub(super) struct Page {
    links: Vec<(String, String)>,
    anchors: BTreeSet<String>,
}

impl Page {
    /// Reads the HTML of a page.
    pub(super) fn read(html: &str) -> Page {
        let links =
            LINK.captures_iter(html).map(|found| (found[1].to_owned(), found[2].to_owned())).collect();
        let anchors = ANCHOR.captures_iter(html).map(|found| found[1].to_owned()).collect();
        Page { links, anchors }
    }
}

/// What is wrong with a built site.
pub(super) fn check(html: &Path) -> Result<Vec<String>> {
    let mut pages = BTreeMap::new();
    for file in repo::files(html)?.iter().filter(|file| repo::has_extension(&file.path, "html")) {
        if !MADE.contains(&file.path.as_str()) {
            pages.insert(file.path.clone(), Page::read(&file.text));
        }
    }
    let mut problems = broken(&pages, |path| html.join(path).exists());
    let has_index = std::fs::read_dir(html)?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .any(|name| name.starts_with("searchindex"));
    if !has_index {
        problems.push("the site cannot be searched: there is no index".to_owned());
    }
    Ok(problems)
}

/// The links that lead nowhere; `exists` takes paths from the root of the site.
pub(super) fn broken(pages: &BTreeMap<String, Page>, exists: impl Fn(&str) -> bool) -> Vec<String> {
    let mut problems = Vec::new();
    for (path, page) in pages {
        for (element, link) in &page.links {
            if let Some(problem) = problem_with(path, element, link, pages, &exists) {
                problems.push(format!("{path}: {link}: {problem}"));
            }
        }
    }
    problems
}

fn problem_with(
    path: &str,
    element: &str,
    link: &str,
    pages: &BTreeMap<String, Page>,
    exists: impl Fn(&str) -> bool,
) -> Option<&'static str> {
    if link.contains("://") {
        return (element != "a").then_some("this would be loaded from elsewhere");
    }
    if link.starts_with("mailto:") || link.starts_with("data:") {
        return None;
    }
    let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in file.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    let target = if file.is_empty() { path.to_owned() } else { parts.join("/") };
    if !exists(&target) {
        return Some("there is no such file");
    }
    let known = anchor.is_empty() || pages.get(&target).is_none_or(|page| page.anchors.contains(anchor));
    (!known).then_some("there is no such anchor")
}

#[cfg(test)]
mod tests;
