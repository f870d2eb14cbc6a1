//! OpenAPI and Swagger documents: text in, operations, diagnostics and a report out (operation sources, FromOpenAPI).
//!
//! `read` opens a document and follows its references, `lower` makes operations of it. Nothing is lost in silence: what
//! could not be carried over is in the report, and every operation of the document is either loaded or named there.

pub mod read;

mod fitting_defaults;
mod kind;
mod lower;

pub use kind::OpenApiKind;

use crate::fitting_defaults::fit_defaults;
use aqueduct_operations::diagnostic::{Diagnostic, DiagnosticSeverity, Position};
use aqueduct_operations::registry::LoadedSource;
use aqueduct_source_kind::allow_refs::AllowRefs;
use aqueduct_source_kind::disk_reader::decode;
use aqueduct_source_kind::kind::DocumentReader;
use aqueduct_source_kind::plain_text::make_plain;
use aqueduct_source_kind::report::ImportReport;
use aqueduct_source_kind::settings::{ALLOW_ORIGINS, SourceSettings, withheld};
use aqueduct_source_kind::unusable_patterns;
use aqueduct_source_kind::unusable_patterns::{UNUSABLE_PATTERN, Unusable};
use lower::NotLowered;
use read::{DocumentSet, OpenError};
use regex::Regex;
use std::sync::{Arc, LazyLock};

/// The code of the warning that credentials are not sent to an address of the document's.
pub const CREDENTIALS_WITHHELD: &str = "CREDENTIALS_WITHHELD";

/// What an import gives.
#[derive(Debug)]
pub struct ImportedDocument {
    /// The source and its operations; absent if and only if there is an error among the diagnostics.
    pub loaded: Option<LoadedSource>,
    /// Findings about the document.
    pub diagnostics: Vec<Diagnostic>,
    /// What was found, loaded, renamed, left out and lost.
    pub report: ImportReport,
    /// Other documents that it refers to, as they were read.
    pub places: Vec<String>,
}

/// Loads a document as it came, in whatever encoding.
pub fn load_bytes(
    place: &str,
    bytes: Vec<u8>,
    settings: &SourceSettings,
    reader: Option<&dyn DocumentReader>,
) -> ImportedDocument {
    match decode(bytes).map_err(OpenError::from) {
        Ok(text) => load(place, text, settings, reader),
        Err(error) => refused(unreadable(place, &error)),
    }
}

/// Loads a document. `place` is the path or the URL it came from; other documents that it refers to are read with the
/// reader, and those of a file from the disk when there is none.
pub fn load(
    place: &str,
    text: String,
    settings: &SourceSettings,
    reader: Option<&dyn DocumentReader>,
) -> ImportedDocument {
    let allow = AllowRefs::new(settings.allow_refs.iter().cloned());
    let opened = match DocumentSet::open(place, text, reader, &allow) {
        Ok(opened) => opened,
        Err(error) => return refused(unreadable(place, &error)),
    };
    let library = Arc::new(opened.library);
    let places = library.places().filter(|other| other != place).collect();
    match lower::lower(&library, place, settings) {
        Ok(mut lowered) => {
            make_plain(&mut lowered.loaded);
            let mut report = lowered.report;
            fit_defaults(&mut lowered.loaded.operations, &mut report);
            opened.warnings.into_iter().for_each(|warning| report.warn(warning));
            let mut diagnostics = Vec::new();
            if lowered.is_plain_http {
                let words = "Plain http can be read by others; calls with credentials are refused";
                diagnostics.push(diagnostic(
                    DiagnosticSeverity::Warning,
                    "PLAIN_HTTP",
                    "servers",
                    words.to_owned(),
                    place,
                ));
            }
            if let Some(words) = withheld(&lowered.withheld) {
                let mut found =
                    diagnostic(DiagnosticSeverity::Warning, CREDENTIALS_WITHHELD, "servers", words, place);
                found.hint = Some(ALLOW_ORIGINS.to_owned());
                diagnostics.push(found);
            }
            for unusable in unusable_patterns::first_of(library.unusable_patterns()) {
                let Unusable { place: path, words } = unusable;
                report.warn(if path.is_empty() { words.clone() } else { format!("{path}: {words}") });
                diagnostics.push(diagnostic(
                    DiagnosticSeverity::Warning,
                    UNUSABLE_PATTERN,
                    &path,
                    words,
                    place,
                ));
            }
            if report.loaded == 0 {
                let words = "The document has no operation that can be called".to_owned();
                diagnostics.push(diagnostic(
                    DiagnosticSeverity::Warning,
                    "NO_OPERATIONS",
                    "paths",
                    words,
                    place,
                ));
            }
            ImportedDocument { loaded: Some(lowered.loaded), diagnostics, report, places }
        }
        Err(NotLowered::SharedVariable(shared)) => {
            let [first, second] = &shared.schemes;
            let words = format!(
                "The security schemes '{first}' and '{second}' would both read the variable {}",
                shared.variable
            );
            let path = "components.securitySchemes";
            let mut error = diagnostic(DiagnosticSeverity::Error, "CREDENTIAL_CLASH", path, words, place);
            error.hint =
                Some("set the credentials yourself, with --auth-env or auth in aqueduct.toml".to_owned());
            refused(error)
        }
        Err(NotLowered::NoServer(problems)) => {
            let words = format!("The document does not say where the API is: {}", problems.join("; "));
            let mut error = diagnostic(DiagnosticSeverity::Error, "NO_SERVER", "servers", words, place);
            error.hint = Some("give the address with --base-url URL".to_owned());
            refused(error)
        }
    }
}

/// True when a text says that it is an OpenAPI or Swagger document.
pub fn looks_like_openapi(text: &str) -> bool {
    static KEY: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r#"(?m)(?:^['"]?|"|[{,]\s*)(?:openapi|swagger)['"]?\s*:\s*['"]?[0-9]+(?:\.|\s|['",}]|$)"#)
            .ok()
    });
    KEY.as_ref().is_some_and(|key| key.is_match(text))
}

fn refused(error: Diagnostic) -> ImportedDocument {
    ImportedDocument {
        loaded: None,
        diagnostics: vec![error],
        report: ImportReport::default(),
        places: Vec::new(),
    }
}

fn unreadable(place: &str, error: &OpenError) -> Diagnostic {
    let mut words = error.to_string();
    if let Some(first) = words.get(..1) {
        words = first.to_uppercase() + &words[1..];
    }
    let mut found = diagnostic(DiagnosticSeverity::Error, "OPENAPI", "", words, place);
    if let Some((line, column)) = error.place() {
        (found.position.line, found.position.column) = (line, column);
    }
    found
}

fn diagnostic(
    severity: DiagnosticSeverity,
    code: &'static str,
    path: &str,
    message: String,
    place: &str,
) -> Diagnostic {
    Diagnostic {
        severity,
        code,
        path: path.to_owned(),
        message,
        expected: None,
        received: None,
        hint: None,
        position: Position { file: place.to_owned(), line: 1, column: 1, source_line: String::new() },
    }
}

#[cfg(test)]
mod tests;
