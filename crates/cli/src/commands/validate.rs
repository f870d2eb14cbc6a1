//! `validate`: every problem of every file, for people or for programs.
//!
//! Files and directories in; findings, hidden operations, a verdict each and the exit code out. What cannot be read does
//! not hide the others.

use super::hidden_operations::{self, HiddenOperation};
use super::{counted, exit_of, pretty};
use crate::cli::OutputFormat;
use crate::report::{self, CommandError, Exit};
use aqueduct::BuildError;
use aqueduct::tooling::RecognisedSource;
use aqueduct_documents::disk::{self, MAX_ADAPTER_FILE};
use aqueduct_operations::diagnostic::DiagnosticSeverity;
use aqueduct_operations::gatekeeper::PolicyRules;
use aqueduct_operations::registry::{LoadedSource, NamingScheme, Registry};
use aqueduct_operations::sanitize::escaped;
use aqueduct_source_kind::kind::{Candidate, ContentLocation, LocationKind};
use aqueduct_source_kind::linked_content::hide_linked_content;
use aqueduct_source_kind::settings::{LoadOutcome, SourceSettings};
use aqueduct_sources::kind_table::KindTable;
use serde_json::{Value, json};
use std::fmt::Display;
use std::path::{Path, PathBuf};

/// Checks files, and the adapter files of directories. Invalid is 2, an empty directory 3, unreadable 4; the worst wins.
pub fn validate(paths: &[PathBuf], format: OutputFormat) -> Result<Exit, CommandError> {
    let mut validation = ValidationRun { format, exit: Exit::Done, reports: Vec::new() };
    for path in paths {
        if path.is_dir() {
            validation.check_directory(path);
        } else {
            validation.check_file(path, None);
        }
    }
    if format == OutputFormat::Json {
        report::data(&pretty(&Value::from(validation.reports)));
    }
    Ok(validation.exit)
}

/// What was found so far.
struct ValidationRun {
    format: OutputFormat,
    exit: Exit,
    reports: Vec<Value>,
}

impl ValidationRun {
    /// Each file by itself, then whether they can be served together.
    fn check_directory(&mut self, directory: &Path) {
        let listed = match RecognisedSource::of(directory, &KindTable::default()) {
            Ok(RecognisedSource::List { kind, path }) => kind.list(&path, None),
            Ok(RecognisedSource::Content { .. }) => {
                return self.fail(
                    directory,
                    Exit::Invalid,
                    &"this is one source, no directory of adapter files",
                );
            }
            Err(error) => return self.fail(directory, exit_of(&error), &error),
        };
        report::findings(&listed.diagnostics, DiagnosticSeverity::Warning);
        if let Some(empty) = listed.empty {
            let error = BuildError::from(empty);
            if let BuildError::Invalid(problems) = &error {
                report::findings(problems, DiagnosticSeverity::Warning);
            }
            return self.fail(directory, exit_of(&error), &error);
        }
        let files = listed.sources.iter().filter_map(|source| match &source.location {
            ContentLocation::File { path, .. } => Some(path),
            ContentLocation::Web(_) | ContentLocation::Connection(_) => None,
        });
        let loaded = files.filter_map(|file| self.check_file(file, Some(directory))).collect();
        if let Err(clash) = Registry::build(loaded, NamingScheme::Namespaced) {
            self.fail(directory, Exit::Invalid, &clash);
        }
    }

    /// Checks a file, found in a directory or named on its own.
    fn check_file(&mut self, path: &Path, directory: Option<&Path>) -> Option<LoadedSource> {
        let file = path.display().to_string();
        let bytes = match disk::read(path, MAX_ADAPTER_FILE) {
            Ok(bytes) => bytes,
            Err(error) => {
                self.fail(path, Exit::Io, &error);
                return None;
            }
        };
        if let Some(better) = other_command(path, &bytes) {
            self.fail(path, Exit::Invalid, &better);
            return None;
        }
        let mut outcome = aqueduct_adapter_files::load(&file, &bytes, &SourceSettings::default());
        if let Some(directory) = directory {
            outcome.diagnostics = hide_linked_content(directory, path, outcome.diagnostics);
        }
        let registry = outcome.loaded.clone().map(|loaded| Registry::build(vec![loaded], NamingScheme::Bare));
        let hidden = match registry.transpose() {
            Ok(registry) => {
                let of = |registry| hidden_operations::of(registry, &PolicyRules::default());
                registry.as_ref().map(of).unwrap_or_default()
            }
            Err(clash) => {
                self.fail(path, Exit::Invalid, &clash);
                return None;
            }
        };
        if outcome.loaded.is_none() {
            self.exit = self.exit.max(Exit::Invalid);
        }
        if self.format == OutputFormat::Text {
            show(&escaped(&file), &outcome, &hidden);
        }
        self.reports.push(json!({
            "file": file,
            "valid": outcome.loaded.is_some(),
            "operations": outcome.loaded.as_ref().map_or(0, |loaded| loaded.operations.len()),
            "hidden": hidden,
            "diagnostics": outcome.diagnostics,
        }));
        outcome.loaded
    }

    fn fail(&mut self, path: &Path, exit: Exit, error: &dyn Display) {
        let path = path.display().to_string();
        let error = error.to_string();
        let about = if error.contains(&path) { error.clone() } else { format!("{path}: {error}") };
        report::note(&format!("error: {}", escaped(&about)));
        self.reports.push(json!({"file": path, "valid": false, "error": error}));
        self.exit = self.exit.max(exit);
    }
}

/// What to do instead with a source that is no adapter file.
fn other_command(path: &Path, bytes: &[u8]) -> Option<String> {
    let (given, text) = (path.to_string_lossy(), String::from_utf8_lossy(bytes));
    let content = Some(text.trim_start_matches('\u{feff}'));
    let candidate = Candidate { given: &given, place: LocationKind::File, content };
    let (kind, _) = KindTable::default().recognise(&candidate)?;
    let info = kind.explain();
    let hint = info.validate_hint?.replace("{source}", &path.display().to_string());
    Some(format!("this is {}, no adapter file; {hint}", info.noun))
}

fn show(file: &str, outcome: &LoadOutcome, hidden: &[HiddenOperation]) {
    for diagnostic in &outcome.diagnostics {
        report::data(&format!("{diagnostic}\n"));
    }
    for HiddenOperation { name, rule, setting, is_by_name, .. } in hidden {
        let declare =
            if *is_by_name { ", and so would a 'danger' that the file declares for it" } else { "" };
        report::data(&format!("{file}: {name} is hidden ({rule}); {setting} would show it{declare}"));
    }
    let count = |severity| outcome.diagnostics.iter().filter(|each| each.severity == severity).count();
    let (errors, warnings) = (count(DiagnosticSeverity::Error), count(DiagnosticSeverity::Warning));
    let verdict = match &outcome.loaded {
        Some(loaded) => format!("valid, {}", counted(loaded.operations.len(), "operation")),
        None => format!("invalid, {}", counted(errors, "error")),
    };
    let of_them = if hidden.is_empty() { String::new() } else { format!(" ({} hidden)", hidden.len()) };
    let warnings = counted(warnings, "warning");
    report::data(&format!("{file}: {verdict}{of_them}, {warnings}"));
}

#[cfg(test)]
mod tests;
