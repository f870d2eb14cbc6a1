//! Adapter files as a kind of source. They are what a path is taken for when no other kind knows it.
//!
//! A path or the bytes of a file in; where it is, or its operations and diagnostics, out.

use super::{load, name_prefix};
use aqueduct_documents::disk::MAX_ADAPTER_FILE;
use aqueduct_source_kind::kind::{
    Candidate, Confidence, ContentLocation, KindInfo, LoadServices, LoadedContent, Place, SourceContent,
    SourceKind, SourceLocation,
};
use aqueduct_source_kind::settings::SourceSettings;
use std::path::PathBuf;

/// Extensions of other formats: a file of one of them is not taken for an adapter file with a wrong name.
const OTHER_FORMATS: [&str; 3] = ["json", "yaml", "yml"];

/// Adapter files.
#[derive(Debug, Clone, Copy)]
pub struct AdapterFileKind;

impl SourceKind for AdapterFileKind {
    fn explain(&self) -> KindInfo {
        KindInfo {
            noun: "an adapter file",
            given_as: "adapter files",
            recognised_by: Some("adapter files are named *-adapter.md"),
            import: None,
            validate_hint: None,
            needs_consent: true,
        }
    }

    fn recognise(&self, candidate: &Candidate<'_>) -> Option<Confidence> {
        match candidate.place {
            Place::Directory | Place::Web => None,
            _ if name_prefix(candidate.given).is_some() => Some(Confidence::Name),
            // Reading it says what is wrong.
            Place::Missing => Some(Confidence::Fallback),
            Place::File => (!candidate.has_extension(&OTHER_FORMATS)).then_some(Confidence::Fallback),
        }
    }

    fn locate(&self, given: &str) -> Result<SourceLocation, String> {
        Ok(SourceLocation::Content(location(PathBuf::from(given))))
    }

    fn load(
        &self,
        content: SourceContent<'_>,
        settings: &SourceSettings,
        _services: &dyn LoadServices,
    ) -> LoadedContent {
        let outcome = load(content.place, content.bytes, settings);
        LoadedContent { loaded: outcome.loaded, diagnostics: outcome.diagnostics, ..LoadedContent::default() }
    }
}

/// Where an adapter file is, and what its name says.
pub fn location(path: PathBuf) -> ContentLocation {
    let name = name_prefix(&path.to_string_lossy()).map(str::to_owned);
    ContentLocation::File { path, max_size: MAX_ADAPTER_FILE, name }
}
