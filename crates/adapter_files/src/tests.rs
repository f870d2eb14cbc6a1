//! Whole files, loaded: what must load, what must not, and what is said about it.
//!
//! Here is the sample that the tests change and the helpers that load it; each file beside has one subject.

mod answers;
mod blocks;
mod connections;
mod credentials;
mod danger_patterns;
mod hostile;
mod lifecycle;
mod operations;
mod params;
mod report;
mod requests;
mod schema;
mod schemas;
mod servers;
mod shared_params;
mod structure;
mod syntax;
mod trust;

use super::load;
use aqueduct_operations::operation::Operation;
use aqueduct_operations::registry::LoadedSource;
use aqueduct_source_kind::settings::{LoadOutcome, SourceSettings};

/// A small file that loads without a word.
pub(super) const SHOP: &str = r#"---
name: shop
type: adapter
version: "1.0.0"
description: "A shop that sells things"
target:
  base_url: https://api.example.com/v1
  transport: http
  protocol: rest
  serialization: json
operations:
  read:
    - name: get_item
      maps_to: GET /items/{id}
      description: "Read one item"
      params:
        id: {type: integer, required: true}
---
# Shop
"#;

/// Loads a text as `shop-adapter.md`.
pub(super) fn load_text(text: &str) -> LoadOutcome {
    let outcome = load("shop-adapter.md", text.as_bytes(), &SourceSettings::default());
    assert_eq!(outcome.loaded.is_none(), outcome.errors().next().is_some(), "{:?}", outcome.diagnostics);
    schema::agrees(text, &outcome);
    if let Some(loaded) = outcome.loaded.as_ref().filter(|_| text.len() < 5_000) {
        crate::write::tests::round_trips(loaded, &SourceSettings::default());
    }
    outcome
}

/// The sample with one part replaced.
pub(super) fn changed(from: &str, to: &str) -> String {
    assert!(SHOP.contains(from), "{from}");
    SHOP.replacen(from, to, 1)
}

/// Loads a text that must load.
pub(super) fn good(text: &str) -> LoadedSource {
    let outcome = load_text(text);
    outcome.loaded.unwrap_or_else(|| panic!("{}\n{text}", shown(&outcome.diagnostics)))
}

/// `CODE path` of everything that was found.
pub(super) fn codes(text: &str) -> Vec<String> {
    load_text(text).diagnostics.iter().map(|d| format!("{} {}", d.code, d.path)).collect()
}

/// `CODE path` of everything that was found in a text that must not load.
pub(super) fn refusal(text: &str) -> Vec<String> {
    assert!(load_text(text).loaded.is_none(), "{text}");
    codes(text)
}

/// All findings as they are printed.
pub(super) fn shown(diagnostics: &[aqueduct_operations::diagnostic::Diagnostic]) -> String {
    diagnostics.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// The sample with other operations: the text after `operations:`, with two spaces of indentation.
pub(super) fn with_operations(operations: &str) -> String {
    let start = SHOP.find("  read:").unwrap();
    let end = SHOP.find("---\n# Shop").unwrap();
    format!("{}{}{}", &SHOP[..start], operations, &SHOP[end..])
}

/// The sample with one operation in a list, given by the keys after its name.
pub(super) fn with_operation(list: &str, name: &str, rest: &str) -> String {
    let mut text = format!("  {list}:\n    - name: {name}\n      description: \"It does something\"\n");
    for line in rest.lines() {
        text.push_str(&format!("      {line}\n"));
    }
    with_operations(&text)
}

/// The only operation of a text that must load.
pub(super) fn operation(text: &str) -> Operation {
    let mut operations = good(text).operations;
    assert_eq!(operations.len(), 1);
    operations.remove(0)
}
