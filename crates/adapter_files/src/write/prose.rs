//! The prose below the front matter: what the API says of itself, then what was left out and what needs a person's eye.
//!
//! Documentation and a report in; Markdown out.

use super::text::{on_one_line, prose};
use aqueduct_source_kind::report::ImportReport;

/// More lines than this in one section are counted, not listed.
const MOST: usize = 1_000;

/// All of it. `unwritten` are operations that are loaded but could not be written, with the reason.
pub(super) fn write(
    documentation: &str,
    report: Option<&ImportReport>,
    unwritten: &[(String, String)],
    was_cut: bool,
) -> String {
    let mut parts: Vec<String> = Vec::new();
    let documentation = prose(documentation.trim());
    if !documentation.trim().is_empty() {
        parts.push(documentation.trim().to_owned());
    }
    let left_out = report.into_iter().flat_map(|report| &report.left_out);
    let left_out = left_out.map(|each| (each.what.as_str(), each.why.as_str()));
    let unwritten = unwritten.iter().map(|(name, why)| (name.as_str(), why.as_str()));
    section("Left out", left_out.chain(unwritten), &mut parts);
    if let Some(report) = report {
        let needs = report.needs_review.iter().map(|(name, reason)| (name.as_str(), reason.as_str()));
        section("To be looked at", needs, &mut parts);
        let renamed = report.renamed.iter();
        let renamed: Vec<(String, &str)> =
            renamed.map(|each| (format!("{} is {}", each.from, each.to), each.why.as_str())).collect();
        section("Renamed", renamed.iter().map(|(what, why)| (what.as_str(), *why)), &mut parts);
        let warnings = report.warnings.iter();
        let warnings =
            warnings.map(|each| (each.operation.as_deref().unwrap_or("The whole"), each.what.as_str()));
        section("Remarks", warnings, &mut parts);
    }
    if was_cut {
        parts.push("Some schemas are nested deeper than a file can be, and were cut there.".to_owned());
    }
    parts.join("\n\n")
}

fn section<'s>(title: &str, lines: impl Iterator<Item = (&'s str, &'s str)>, parts: &mut Vec<String>) {
    let mut lines: Vec<String> =
        lines.map(|(what, why)| format!("- {}: {}", on_one_line(what), on_one_line(why))).collect();
    if lines.is_empty() {
        return;
    }
    if lines.len() > MOST {
        let more = lines.len() - MOST;
        lines.truncate(MOST);
        lines.push(format!("- and {more} more"));
    }
    parts.push(format!("## {title}\n\n{}", lines.join("\n")));
}
