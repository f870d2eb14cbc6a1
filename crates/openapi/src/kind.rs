//! OpenAPI and Swagger documents as a kind of source: files that say so in their content, and every URL.
//!
//! A path, a URL or the bytes of a document in; where it is, or its operations and report, out.

use super::{load_bytes, looks_like_openapi};
use aqueduct_documents::disk::MAX_DOCUMENT;
use aqueduct_source_kind::kind::{
    Candidate, Confidence, ContentLocation, KindInfo, LoadServices, LoadedContent, SourceContent, SourceKind,
    SourceLocation,
};
use aqueduct_source_kind::settings::SourceSettings;
use std::path::{Path, PathBuf};
use url::Url;

/// OpenAPI and Swagger documents.
#[derive(Debug, Clone, Copy)]
pub struct OpenApiKind;

fn is_url(given: &str) -> bool {
    ["http://", "https://"].iter().any(|start| given.starts_with(start))
}

impl SourceKind for OpenApiKind {
    fn explain(&self) -> KindInfo {
        KindInfo {
            noun: "an OpenAPI document",
            recognised_by: Some("an OpenAPI document has 'openapi' or 'swagger' at its top"),
            import_command: Some("openapi"),
            import_hint: "'aqueduct import openapi {source}' imports it",
            validate_hint: Some("'aqueduct import openapi {source} --report-only' says what becomes of it"),
            needs_consent: false,
        }
    }

    fn recognise(&self, candidate: &Candidate<'_>) -> Option<Confidence> {
        if is_url(candidate.given) {
            return Some(Confidence::Prefix);
        }
        candidate.content.filter(|content| looks_like_openapi(content)).map(|_| Confidence::Content)
    }

    fn locate(&self, given: &str) -> Result<SourceLocation, String> {
        if is_url(given) {
            return Url::parse(given)
                .map(|url| SourceLocation::Content(ContentLocation::Web(url)))
                .map_err(|_| format!("'{given}' is not a URL"));
        }
        Ok(SourceLocation::Content(ContentLocation::File {
            path: PathBuf::from(given),
            max_size: MAX_DOCUMENT,
        }))
    }

    fn load(
        &self,
        content: SourceContent<'_>,
        settings: &SourceSettings,
        services: &dyn LoadServices,
    ) -> LoadedContent {
        let SourceContent::Bytes { place, bytes } = content else { return LoadedContent::default() };
        let reader = services.references(settings);
        let imported = load_bytes(place, bytes.to_vec(), settings, Some(&*reader));
        LoadedContent {
            loaded: imported.loaded,
            diagnostics: imported.diagnostics,
            report: Some(imported.report),
            references: imported.places.into_iter().map(PathBuf::from).collect(),
        }
    }
    /// Documents on the web are not watched.
    fn watch(&self, _path: &Path, references: Vec<PathBuf>) -> Vec<PathBuf> {
        references.into_iter().filter(|reference| reference.is_file()).collect()
    }
}
