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
use aqueduct_operations::diagnostic::{Diagnostic, DiagnosticSeverity};
use aqueduct_operations::registry::LoadedSource;
use aqueduct_source_kind::allow_refs::AllowRefs;
use aqueduct_source_kind::disk_reader::{decode, decoded};
use aqueduct_source_kind::kind::{DocumentReader, LoadServices, SourceContent};
use aqueduct_source_kind::plain_text::make_plain;
use aqueduct_source_kind::report::ImportReport;
use aqueduct_source_kind::settings::{ALLOW_ORIGINS, SourceSettings, withheld};
use aqueduct_source_kind::side_by_side::both;
use aqueduct_source_kind::unusable_patterns::{self, UNUSABLE_PATTERN, UnusablePattern};
use lower::{NotLowered, SharedVariable};
use read::{OpenError, RootDocument};
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
    match RootDocument::read(place, &text) {
        Ok(root) => import(place, root, settings, reader),
        Err(error) => refused(unreadable(place, &error)),
    }
}

/// Loads the content of a source: it is read once, and what is set for the name that it has holds for the rest.
fn load_content(content: SourceContent<'_>, services: &dyn LoadServices) -> ImportedDocument {
    let SourceContent { place, bytes } = content;
    let root = decoded(&bytes).map_err(OpenError::from).and_then(|text| RootDocument::read(place, text));
    // The bytes of a large document go back to the system before its operations take memory.
    drop(bytes);
    match root {
        Ok(root) => {
            let settings = services.settings(&lower::declared_name(root.members(), place));
            let reader = services.references(&settings);
            import(place, root, &settings, Some(&*reader))
        }
        Err(error) => refused(unreadable(place, &error)),
    }
}

fn import(
    place: &str,
    root: RootDocument,
    settings: &SourceSettings,
    reader: Option<&dyn DocumentReader>,
) -> ImportedDocument {
    let allow = AllowRefs::new(settings.allow_refs.iter().cloned());
    let opened = root.open(reader, &allow);
    let library = Arc::new(opened.library);
    let places = library.places().filter(|other| other != place).collect();
    let (unusable, lowered) = both(
        library.text_length(),
        || unusable_patterns::first_of(library.unusable_patterns()),
        || lower::lower(&library, place, settings),
    );
    let mut lowered = match lowered {
        Ok(lowered) => lowered,
        Err(not_lowered) => return refused(no_source(place, not_lowered)),
    };
    make_plain(&mut lowered.loaded);
    let mut report = lowered.report;
    fit_defaults(&mut lowered.loaded.operations, &mut report);
    opened.warnings.into_iter().for_each(|warning| report.warn(warning));
    let mut diagnostics = Vec::new();
    let warning = |code, path: &str, words: String| Diagnostic {
        path: path.to_owned(),
        ..Diagnostic::about(place, DiagnosticSeverity::Warning, code, words)
    };
    if lowered.is_plain_http {
        let words = "Plain http can be read by others; calls with credentials are refused";
        diagnostics.push(warning("PLAIN_HTTP", "servers", words.to_owned()));
    }
    if let Some(words) = withheld(&lowered.withheld) {
        let hint = Some(ALLOW_ORIGINS.to_owned());
        diagnostics.push(Diagnostic { hint, ..warning(CREDENTIALS_WITHHELD, "servers", words) });
    }
    for UnusablePattern { place: path, words } in unusable {
        report.warn(if path.is_empty() { words.clone() } else { format!("{path}: {words}") });
        diagnostics.push(warning(UNUSABLE_PATTERN, &path, words));
    }
    if report.loaded == 0 {
        let words = "The document has no operation that can be called";
        diagnostics.push(warning("NO_OPERATIONS", "paths", words.to_owned()));
    }
    ImportedDocument { loaded: Some(lowered.loaded), diagnostics, report, places }
}

/// Why a document that could be opened gives no source.
fn no_source(place: &str, not_lowered: NotLowered) -> Diagnostic {
    let (code, path, words, hint) = match not_lowered {
        NotLowered::SharedVariable(SharedVariable { variable, schemes: [first, second] }) => (
            "CREDENTIAL_CLASH",
            "components.securitySchemes",
            format!("The security schemes '{first}' and '{second}' would both read the variable {variable}"),
            "set the credentials yourself, with --auth-env or auth in aqueduct.toml",
        ),
        NotLowered::NoServer(problems) => (
            "NO_SERVER",
            "servers",
            format!("The document does not say where the API is: {}", problems.join("; ")),
            "give the address with --base-url URL",
        ),
    };
    let error = Diagnostic::about(place, DiagnosticSeverity::Error, code, words);
    Diagnostic { path: path.to_owned(), hint: Some(hint.to_owned()), ..error }
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
    let mut found = Diagnostic::about(place, DiagnosticSeverity::Error, "OPENAPI", words);
    if let Some((line, column)) = error.place() {
        (found.position.line, found.position.column) = (line, column);
    }
    found
}

#[cfg(test)]
mod tests;
