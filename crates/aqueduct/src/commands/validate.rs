//! `validate`: every problem of every file, for people or for programs.
//!
//! Files in; findings, a verdict each and the exit code out. A file that cannot be read does not hide the others.

use super::pretty;
use crate::cli::Format;
use crate::report::{self, Exit, Stop};
use aqueduct_operations::diagnostic::Severity;
use aqueduct_sources::disk::{self, MAX_ADAPTER_FILE};
use aqueduct_sources::{Outcome, SourceSettings, adapter_file};
use serde_json::{Value, json};
use std::path::PathBuf;

/// Checks files. Invalid is 2, unreadable is 4; the worse of the two wins.
pub fn validate(files: &[PathBuf], format: Format) -> Result<Exit, Stop> {
    let mut exit = Exit::Done;
    let mut reports = Vec::new();
    for path in files {
        let file = path.display().to_string();
        let bytes = match disk::read(path, MAX_ADAPTER_FILE) {
            Ok(bytes) => bytes,
            Err(error) => {
                report::note(&format!("error: {error}"));
                reports.push(json!({"file": file, "valid": false, "error": error.to_string()}));
                exit = Exit::Io;
                continue;
            }
        };
        let outcome = adapter_file::load(&file, &bytes, &SourceSettings::default());
        if outcome.loaded.is_none() && exit != Exit::Io {
            exit = Exit::Invalid;
        }
        if format == Format::Text {
            show(&file, &outcome);
        }
        reports.push(json!({
            "file": file,
            "valid": outcome.loaded.is_some(),
            "operations": outcome.loaded.as_ref().map_or(0, |loaded| loaded.operations.len()),
            "diagnostics": outcome.diagnostics,
        }));
    }
    if format == Format::Json {
        report::data(&pretty(&Value::from(reports)));
    }
    Ok(exit)
}

fn show(file: &str, outcome: &Outcome) {
    for diagnostic in &outcome.diagnostics {
        report::data(&format!("{}\n", report::shown(diagnostic)));
    }
    let count = |severity| outcome.diagnostics.iter().filter(|each| each.severity == severity).count();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let verdict = match &outcome.loaded {
        Some(loaded) => format!("valid, {}", counted(loaded.operations.len(), "operation")),
        None => format!("invalid, {}", counted(errors, "error")),
    };
    let verdict = format!("{verdict}, {}", counted(warnings, "warning"));
    report::data(&format!("{file}: {verdict}"));
}

fn counted(count: usize, thing: &str) -> String {
    if count == 1 { format!("1 {thing}") } else { format!("{count} {thing}s") }
}
