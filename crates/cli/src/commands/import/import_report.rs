//! The report of an import, for people or for programs: what was found and loaded, renamed and left out, what was lost,
//! and what it costs a model before and after.

use super::super::{counted, terminal_safe_json};
use crate::cli::OutputFormat;
use crate::cost::ToolCost;
use crate::report;
use aqueduct_operations::size::grouped;
use aqueduct_source_kind::report::ImportReport;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// Lines of each kind that people are shown; programs get all of them.
const SHOWN: usize = 20;

/// Tells what an import did.
pub fn report(found: &ImportReport, cost: Option<&ToolCost>, format: OutputFormat, output: Option<&Path>) {
    match format {
        OutputFormat::Json => {
            let mut printed = json!(found);
            printed["cost"] = cost.map_or(Value::Null, |cost| {
                json!({
                    "vocabulary": cost.vocabulary,
                    "one_tool_per_operation": cost.one_per_operation(),
                    "offered": {"tools": cost.tools, "tokens": cost.tokens, "operations": cost.shown},
                })
            });
            report::data(&terminal_safe_json(&printed.to_string()));
        }
        OutputFormat::Text => {
            // The file itself may go to standard output.
            let text = as_text(found, cost);
            if output == Some(Path::new("-")) { report::note(&text) } else { report::data(&text) }
        }
    }
}

/// Tells that one of several could not be imported.
pub fn failed(what: &str, why: &str, format: OutputFormat) {
    match format {
        OutputFormat::Json => {
            report::data(&terminal_safe_json(&json!({"source": what, "error": why}).to_string()))
        }
        OutputFormat::Text => {
            report::note(&format!("error: {}: {}", report::terminal_safe(what), report::terminal_safe(why)))
        }
    }
}

fn as_text(found: &ImportReport, cost: Option<&ToolCost>) -> String {
    let left_out = found.operations_left_out();
    let mut text = format!(
        "{}: {} found, {} loaded, {} renamed, {} left out",
        found.source,
        counted(found.found, "operation"),
        found.loaded,
        found.renamed.len(),
        left_out
    );
    text.push_str(&match cost {
        Some(cost) => format!(
            "\ncost: {} tokens as one tool for every operation, {} tokens in {} for the {} of {} that are shown ({})",
            grouped(cost.one_per_operation()),
            grouped(cost.tokens),
            counted(cost.tools, "tool"),
            cost.shown,
            cost.operations(),
            cost.vocabulary
        ),
        None => "\ncost: not counted for so many operations".to_owned(),
    });
    section(&mut text, "left out", found.left_out.iter().map(|each| format!("{}: {}", each.what, each.why)));
    section(
        &mut text,
        "renamed",
        found.renamed.iter().map(|each| format!("{} -> {} ({})", each.from, each.to, each.why)),
    );
    let reviews = found.needs_review.iter().map(|(operation, why)| format!("{operation}: {why}"));
    section(&mut text, "to be looked at by a person", reviews);
    let mut alike: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for warning in &found.warnings {
        alike.entry(&warning.what).or_default().extend(warning.operation.as_deref());
    }
    let warnings = alike.iter().map(|(what, operations)| match operations.as_slice() {
        [] => (*what).to_owned(),
        [only] => format!("{only}: {what}"),
        [first, more @ ..] => format!("{first} and {} more: {what}", more.len()),
    });
    section(&mut text, "warnings", warnings);
    text
}

fn section(text: &mut String, title: &str, lines: impl Iterator<Item = String>) {
    let lines: Vec<String> = lines.collect();
    if lines.is_empty() {
        return;
    }
    text.push_str(&format!("\n\n{title}:"));
    for line in lines.iter().take(SHOWN) {
        text.push_str(&format!("\n  {}", report::terminal_safe(line)));
    }
    if lines.len() > SHOWN {
        text.push_str(&format!("\n  ... and {} more; --format json has them all", lines.len() - SHOWN));
    }
}

#[cfg(test)]
mod tests;
