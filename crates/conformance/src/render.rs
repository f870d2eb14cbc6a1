//! The report as text, JSON and Markdown (conformance testing specification, section 6).
//!
//! The lines and members are those of the public runner, which reads such reports too.

use crate::report::{CategoryReport, Report};

/// For people.
pub fn text(report: &Report) -> String {
    let mut lines = vec![
        format!("Implementation: {}", report.implementation),
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
            lines.push(format!("    {}", test.detail));
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
        format!("- Implementation: `{}`", report.implementation),
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
            lines.push(format!("  {}", test.detail));
        }
        lines.push(String::new());
    }
    lines.join("\n").trim_end().to_owned()
}

fn counts(report: &Report) -> String {
    let summary = &report.summary;
    let (passed, warned) = (summary.passed, summary.warned);
    format!("{passed} passed, {warned} warned, {} failed, {} skipped", summary.failed, summary.skipped)
}

fn requirement(category: &CategoryReport) -> &'static str {
    if category.required { "MUST" } else { "SHOULD" }
}
