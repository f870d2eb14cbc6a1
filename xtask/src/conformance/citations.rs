//! Which test carries which row ID.
//!
//! In: the Rust files, and the Python scripts of the real-client checks. Out: one citation per ID in the doc comment of a test
//! function (the docstring, in Python). Comments of other code do not count: only what can fail carries a row. A function whose name
//! stands in `on_both_engines!(...)` is a test, which that macro runs once for each engine of the store.

use std::sync::LazyLock;

use regex::Regex;

use super::ids;
use crate::repo::{File, has_extension};

/// A row ID in the doc comment of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Citation {
    pub id: String,
    pub opens_range: bool,
    pub test: String,
    pub file: String,
}

#[expect(clippy::unwrap_used, reason = "a constant pattern, compiled by every test run")]
static TEST_ATTRIBUTE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^#\[(?:\w+::)*r?test\b").unwrap());
#[expect(clippy::unwrap_used, reason = "a constant pattern, compiled by every test run")]
static RUST_FUNCTION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^(?:pub(?:\([^)]*\))? )?(?:async )?fn (\w+)").unwrap());
#[expect(clippy::unwrap_used, reason = "a constant pattern, compiled by every test run")]
static PYTHON_FUNCTION: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^\s*(?:async )?def (\w+)").unwrap());

#[expect(clippy::unwrap_used, reason = "a constant pattern, compiled by every test run")]
static LISTED_TESTS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)^on_both_engines!\(([\w\s,]*)\);").unwrap());

/// The citations of every test.
pub(super) fn find(files: &[File]) -> Vec<Citation> {
    let mut citations = Vec::new();
    for file in files {
        if file.is_rust() {
            in_rust(file, &mut citations);
        } else if file.path.starts_with("xtask/clients/") && has_extension(&file.path, "py") {
            in_python(file, &mut citations);
        }
    }
    citations
}

/// Walks over doc comments and attributes until the item they belong to.
fn in_rust(file: &File, citations: &mut Vec<Citation>) {
    let listed: Vec<&str> = LISTED_TESTS
        .captures_iter(&file.text)
        .flat_map(|list| list.get(1).map_or("", |names| names.as_str()).split(','))
        .map(str::trim)
        .collect();
    let mut doc = String::new();
    let mut is_test = false;
    let mut inside_attribute = false;
    for line in file.text.lines().map(str::trim) {
        if inside_attribute {
            inside_attribute = !line.ends_with(']');
        } else if let Some(text) = line.strip_prefix("///") {
            doc.push_str(text);
            doc.push('\n');
        } else if line.starts_with("#[") {
            is_test |= TEST_ATTRIBUTE.is_match(line);
            inside_attribute = !line.ends_with(']');
        } else if !line.starts_with("//") {
            if let Some(function) = RUST_FUNCTION.captures(line)
                && (is_test || listed.contains(&&function[1]))
            {
                cite(&doc, &function[1], file, citations);
            }
            doc.clear();
            is_test = false;
        }
    }
}

/// Takes the docstring that directly follows a `def`.
fn in_python(file: &File, citations: &mut Vec<Citation>) {
    let lines: Vec<&str> = file.text.lines().collect();
    for (index, line) in lines.iter().enumerate() {
        let Some(function) = PYTHON_FUNCTION.captures(line) else { continue };
        let Some(body) = lines[index..].iter().position(|line| line.trim_end().ends_with(':')) else {
            continue;
        };
        let docstring = lines[index + body + 1..].join("\n");
        let Some(rest) = docstring.trim_start().strip_prefix("\"\"\"") else { continue };
        let text = rest.split("\"\"\"").next().unwrap_or(rest);
        cite(text, &function[1], file, citations);
    }
}

fn cite(doc: &str, test: &str, file: &File, citations: &mut Vec<Citation>) {
    for found in ids::find(doc) {
        let citation = Citation {
            id: found.id,
            opens_range: found.opens_range,
            test: test.to_owned(),
            file: file.path.clone(),
        };
        if !citations.contains(&citation) {
            citations.push(citation);
        }
    }
}

#[cfg(test)]
mod tests;
