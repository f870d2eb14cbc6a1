//! What is written loads to the same source, and to the same text again.
//!
//! The tests stand in files by subject; here is what they share: the fingerprint of a source, and the round trip
//! that holds two of them against each other.

mod generated;
mod report;
mod texts;

use super::{WriteOptions, write};
use crate::load;
use aqueduct_operations::operation::Operation;
use aqueduct_operations::params::Param;
use aqueduct_operations::registry::LoadedSource;
use aqueduct_operations::target::Target;
use aqueduct_source_kind::settings::SourceSettings;
use std::fmt::Write;

/// Everything that matters of a source, as text.
pub(super) fn fingerprint(loaded: &LoadedSource) -> String {
    let mut source = loaded.source.clone();
    // The head is kept as it was written; these are compared where they act.
    for key in ["tags", "triggers", "trust"] {
        source.info.shift_remove(key);
    }
    let mut out = format!("{source:#?}\n");
    let mut operations: Vec<&Operation> = loaded.operations.iter().collect();
    operations.sort_by_key(|operation| (operation.category.lower(), operation.name.clone()));
    for operation in operations {
        let mut plain = operation.clone();
        for param in &mut plain.params {
            if let Some(schema) = param.schema.take() {
                writeln!(out, "{} {} {}", operation.name, param.name, sorted(&schema.document())).unwrap();
            }
        }
        if let Some(output) = plain.output.take() {
            writeln!(out, "{} gives {}", operation.name, sorted(&output.document())).unwrap();
        }
        if !plain.params.iter().any(Param::is_body)
            && let Target::Http(target) = &mut plain.target
        {
            target.body = Default::default();
        }
        writeln!(out, "{plain:#?}").unwrap();
    }
    out
}

/// JSON with its keys in order.
fn sorted(json: &serde_json::Value) -> serde_json::Value {
    let mut json = json.clone();
    json.sort_all_objects();
    json
}

/// Writes a source and holds what comes back against it; gives the text.
pub(crate) fn round_trips(loaded: &LoadedSource, settings: &SourceSettings) -> String {
    let how = WriteOptions::default();
    let text = write(loaded, None, &how);
    let file = format!("{}-adapter.md", loaded.source.name);
    let outcome = load(&file, text.as_bytes(), settings);
    let Some(again) = outcome.loaded else {
        let found: Vec<String> = outcome.diagnostics.iter().map(ToString::to_string).collect();
        panic!("{}\n{text}", found.join("\n"));
    };
    let (before, after) = (fingerprint(loaded), fingerprint(&again));
    if before != after {
        let differing = before.lines().zip(after.lines()).find(|(before, after)| before != after);
        panic!("{differing:?}\n{text}");
    }
    let second = write(&again, None, &how);
    assert!(second == text, "the same bytes\n{text}\n{second}");
    text
}

/// Files that people wrote come back as they were, and with the same text every time.
#[test]
fn files_of_our_own() {
    for (file, text) in [
        ("github-adapter.md", include_str!("../../../../examples/github-adapter.md")),
        ("httpbin-adapter.md", include_str!("../../../../examples/httpbin-adapter.md")),
        ("json-server-adapter.md", include_str!("../../../../examples/json-server-adapter.md")),
        ("kinto-adapter.md", include_str!("../../../../examples/kinto-adapter.md")),
        ("todo-adapter.md", include_str!("../../../../examples/todo-adapter.md")),
        ("bookshop-adapter.md", include_str!("../../../cli/src/demo/bookshop-adapter.md")),
    ] {
        let settings = SourceSettings::default();
        let loaded = load(file, text.as_bytes(), &settings).loaded.unwrap();
        round_trips(&loaded, &settings);
    }
}

/// The operations stand by category, each with short definitions on one line.
#[test]
fn a_file_reads_well() {
    let text = include_str!("../../../../examples/todo-adapter.md");
    let loaded = load("todo-adapter.md", text.as_bytes(), &SourceSettings::default()).loaded.unwrap();
    insta::assert_snapshot!(write(&loaded, None, &WriteOptions::default()));
}
