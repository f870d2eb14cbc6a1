//! The report as text, JSON and Markdown (conformance testing specification, section 6).
//!
//! The lines and members are those of the public runner, which reads such reports too. What a server says stands in one line, with what
//! would move the cursor or begin a heading written out.

use crate::report::{CategoryReport, Report, TestReport};
use crate::verdict::MOST_SHOWN;
use aqueduct_operations::sanitize;

/// The most characters of one finding in a text for people.
const MOST_OF_A_FINDING: usize = 1_000;

/// For people.
pub fn text(report: &Report) -> String {
    let mut lines = vec![
        format!("Implementation: {}", sanitize::escaped(&report.implementation)),
        format!("Spec version: {}", report.spec_version),
        format!("Requested level: {}", report.requested_level),
        format!("Conformance level: {}", report.conformance_level),
        format!("Summary: {}", counts(report)),
        String::new(),
    ];
    for category in &report.categories {
        lines.push(format!("{} [{}] -> {}", category.name, requirement(category), category.result.word()));
        for test in &category.tests {
            lines.push(format!("  - {}: {}", test.result.word(), test.name));
            lines.extend(details(test).map(|line| format!("    {line}")));
        }
        lines.push(String::new());
    }
    lines.join("\n").trim_end().to_owned()
}

/// For programs.
pub fn json(report: &Report) -> Result<String, serde_json::Error> {
    serde_json::to_string_pretty(report)
}

/// For pages.
pub fn markdown(report: &Report) -> String {
    let mut lines = vec![
        "# MCP-AQL Conformance Report".to_owned(),
        String::new(),
        format!("- Implementation: `{}`", of_page(&report.implementation)),
        format!("- Spec version: `{}`", report.spec_version),
        format!("- Requested level: `{}`", report.requested_level),
        format!("- Conformance level: `{}`", report.conformance_level),
        format!("- Summary: {}", counts(report)),
        String::new(),
    ];
    for category in &report.categories {
        lines.push(format!("## {}", category.name));
        lines.push(String::new());
        lines.push(format!("Requirement: {}", requirement(category)));
        lines.push(format!("Result: {}", category.result.word()));
        lines.push(String::new());
        for test in &category.tests {
            lines.push(format!("- {}: {}", test.result.word(), test.name));
            lines.extend(details(test).map(|line| format!("  {}", of_page(&line))));
        }
        lines.push(String::new());
    }
    lines.join("\n").trim_end().to_owned()
}

/// Why a test came out as it did: one finding a line, the first ones of many, each with its beginning.
fn details(test: &TestReport) -> impl Iterator<Item = String> {
    let (shown, others) = match test.findings.as_slice() {
        [] => (std::slice::from_ref(&test.detail), 0),
        findings => (&findings[..findings.len().min(MOST_SHOWN)], findings.len().saturating_sub(MOST_SHOWN)),
    };
    let others = (others > 0).then(|| format!("and {others} more"));
    shown.iter().map(|text| beginning(&sanitize::escaped(text))).chain(others)
}

fn beginning(text: &str) -> String {
    match text.char_indices().nth(MOST_OF_A_FINDING) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A text of others in a page: no mark-up of its own, which could look like a part of the report.
fn of_page(text: &str) -> String {
    sanitize::escaped(text).replace('`', "'").replace('<', "&lt;")
}

fn counts(report: &Report) -> String {
    let summary = &report.summary;
    let (passed, warned) = (summary.passed, summary.warned);
    format!("{passed} passed, {warned} warned, {} failed, {} skipped", summary.failed, summary.skipped)
}

fn requirement(category: &CategoryReport) -> &'static str {
    if category.required { "MUST" } else { "SHOULD" }
}
