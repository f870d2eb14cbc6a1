//! The pages of the site, and their text as mdBook needs it.
//!
//! In: `docs/SUMMARY.md`, whose links are relative to `docs`, and the pages as they stand in the repository. Out: the
//! same tree with paths from the root, so that relative links go on working. A link to a file that is not part of the
//! site (source code, licences) becomes its label.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use anyhow::{Result, bail};
use regex::{Captures, Regex};

use crate::repo::File;

#[expect(clippy::unwrap_used, reason = "a constant pattern, compiled by every test run")]
static LINK: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(!?)\[([^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*)\]\(([^)\s]+)\)").unwrap());

/// The page under which all decisions stand.
const DECISIONS: &str = "docs/decisions/README.md";

/// A decision's path and title.
pub(super) struct Decision {
    path: String,
    title: String,
}

/// Every decision, in order.
pub(super) fn decisions(files: &[File]) -> Vec<Decision> {
    let are_decisions = |file: &&File| file.path.starts_with("docs/decisions/") && file.path != DECISIONS;
    let title = |text: &str| text.lines().next().unwrap_or_default().trim_start_matches("# ").to_owned();
    files
        .iter()
        .filter(are_decisions)
        .map(|file| Decision { path: file.path.clone(), title: title(&file.text) })
        .collect()
}

/// What the site has, in its order.
pub(super) struct Summary {
    text: String,
    pages: Vec<String>,
    names: BTreeSet<String>,
}

impl Summary {
    /// The summary with paths from the root, and the decisions below their page.
    pub(super) fn read(summary: &str, decisions: &[Decision]) -> Result<Summary> {
        let mut pages = Vec::new();
        let mut lines = Vec::new();
        for line in summary.lines() {
            lines.push(
                LINK.replace_all(line, |found: &Captures<'_>| {
                    let path = resolved("docs", &found[3]);
                    let link = format!("[{}]({})", &found[2], on_the_site(&path));
                    pages.push(path);
                    link
                })
                .into_owned(),
            );
            if pages.last().is_some_and(|page| page == DECISIONS) {
                for decision in decisions {
                    lines.push(format!("  - [{}]({})", decision.title, decision.path));
                    pages.push(decision.path.clone());
                }
            }
        }
        let names: BTreeSet<String> = pages.iter().cloned().collect();
        if names.len() != pages.len() {
            bail!("docs/SUMMARY.md names a page twice");
        }
        Ok(Summary { text: lines.join("\n"), pages, names })
    }

    /// The summary as mdBook reads it.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The paths of all pages, from the root.
    pub(super) fn pages(&self) -> &[String] {
        &self.pages
    }

    /// A page whose links lead to pages, to files of the site or to other sites. `is_sample` knows the files of `examples`.
    pub(super) fn staged(&self, page: &str, text: &str, is_sample: impl Fn(&str) -> bool) -> String {
        let folder = page.rsplit_once('/').map_or("", |(folder, _)| folder);
        let mut in_code = false;
        let staged = text.lines().map(|line| {
            if line.trim_start().starts_with("```") {
                in_code = !in_code;
            }
            if in_code {
                return line.to_owned();
            }
            let link = |found: &Captures<'_>| self.link(folder, found, &is_sample);
            LINK.replace_all(line, link).into_owned()
        });
        staged.collect::<Vec<_>>().join("\n") + "\n"
    }

    fn link(&self, folder: &str, found: &Captures<'_>, is_sample: impl Fn(&str) -> bool) -> String {
        let (whole, label, target) = (found[0].to_owned(), &found[2], &found[3]);
        if target.contains("://") || target.starts_with(['#', '/']) || target.starts_with("mailto:") {
            return whole;
        }
        let path = resolved(folder, target.split('#').next().unwrap_or(target));
        let is_folder = self.names.contains(&format!("{path}/README.md"));
        let is_file =
            path.starts_with("docs/images/") || path.strip_prefix("examples/").is_some_and(is_sample);
        if is_folder {
            format!("[{label}]({}/index.md)", target.trim_end_matches('/'))
        } else if self.names.contains(&path) {
            format!("[{label}]({})", on_the_site(target))
        } else if is_file && !path.ends_with(".md") {
            whole
        } else {
            label.to_owned()
        }
    }
}

/// The path of a page on the site, where the first page of a folder is its index.
pub(super) fn on_the_site(path: &str) -> String {
    path.replace("README.md", "index.md")
}

/// A relative path as one from the root.
fn resolved(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests;
