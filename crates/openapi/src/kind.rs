//! OpenAPI and Swagger documents as a kind of source: files and documents on the web that say so in their content.
//!
//! A path or the bytes of a document in; where it is, or its operations and report, out.

use super::read::DocumentSet;
use super::{load_content, looks_like_openapi};
use aqueduct_documents::disk::MAX_DOCUMENT;
use aqueduct_source_kind::allow_refs::AllowRefs;
use aqueduct_source_kind::disk_reader::decoded;
use aqueduct_source_kind::kind::{
    Candidate, ContentLocation, DocumentReader, ImportInfo, KindInfo, LoadServices, LoadedContent,
    LocationKind, Recognition, SourceContent, SourceKind, SourceLocation,
};
use std::path::{Path, PathBuf};

/// OpenAPI and Swagger documents.
#[derive(Debug, Clone, Copy)]
pub struct OpenApiKind;

impl SourceKind for OpenApiKind {
    fn explain(&self) -> KindInfo {
        KindInfo {
            noun: "an OpenAPI document",
            given_as: "OpenAPI documents or URLs",
            recognised_by: Some("an OpenAPI document has 'openapi' or 'swagger' at its top"),
            import: Some(ImportInfo {
                command: "openapi",
                about: "An OpenAPI or Swagger document, file or URL",
                value_name: "SPEC",
                value_help: "The document; several only with --report-only",
                takes_several: true,
                has_bundle: false,
                hint: "'aqueduct import openapi {source}' imports it",
            }),
            validate_hint: Some("'aqueduct import openapi {source} --report-only' says what becomes of it"),
            needs_consent: false,
        }
    }

    fn recognise(&self, candidate: &Candidate<'_>) -> Option<Recognition> {
        if candidate.content.is_some_and(looks_like_openapi) {
            return Some(Recognition::Content);
        }
        // What is on the web and of no other kind was meant to be one: reading it says what is wrong.
        (candidate.place == LocationKind::Web).then_some(Recognition::Fallback)
    }

    fn locate(&self, given: &str) -> Result<SourceLocation, String> {
        let path = PathBuf::from(given);
        Ok(SourceLocation::Content(ContentLocation::File { path, max_size: MAX_DOCUMENT, name: None }))
    }

    fn load(&self, content: SourceContent<'_>, services: &dyn LoadServices) -> LoadedContent {
        let imported = load_content(content, services);
        LoadedContent {
            loaded: imported.loaded,
            diagnostics: imported.diagnostics,
            report: Some(imported.report),
            references: imported.places.into_iter().map(PathBuf::from).collect(),
            ..LoadedContent::default()
        }
    }

    /// Most documents refer to no other, and those are not taken apart.
    fn read_references(&self, content: SourceContent<'_>, allow: &AllowRefs, reader: &dyn DocumentReader) {
        if let Some(text) = decoded(&content.bytes).ok().filter(|text| refers_elsewhere(text)) {
            // What is wrong with the document is reported when it is loaded.
            drop(DocumentSet::open(content.place, text.to_owned(), Some(reader), allow));
        }
    }

    /// Documents on the web are not watched.
    fn watch(&self, _path: &Path, references: Vec<PathBuf>) -> Vec<PathBuf> {
        references.into_iter().filter(|reference| reference.is_file()).collect()
    }
}

/// True when a `$ref` of the text does not begin with `#`.
fn refers_elsewhere(text: &str) -> bool {
    let is_between = |c: char| c == '"' || c == '\'' || c == ':' || c.is_whitespace();
    text.split("$ref").skip(1).any(|rest| !rest.trim_start_matches(is_between).starts_with('#'))
}

#[cfg(test)]
mod tests;
