//! Adapter files as a kind of source. They are what a path is taken for when no other kind knows it.
//!
//! A path or the bytes of a file in; where it is, or its operations and diagnostics, out.

use super::file_servers::{FileServers, NoServers};
use super::{FileContext, load_with, name_prefix};
use aqueduct_documents::disk::MAX_ADAPTER_FILE;
use aqueduct_source_kind::kind::{
    Candidate, ContentLocation, KindInfo, LoadServices, LoadedContent, LocationKind, Recognition,
    SourceContent, SourceKind, SourceLocation,
};
use std::path::PathBuf;
use std::sync::Arc;

/// Extensions of other formats: a file of one of them is not taken for an adapter file with a wrong name.
const OTHER_FORMATS: [&str; 3] = ["json", "yaml", "yml"];

/// Adapter files, with the connector to the servers that they name.
#[derive(Debug, Clone)]
pub struct AdapterFileKind(pub Arc<dyn FileServers>);

/// Connects to nothing.
impl Default for AdapterFileKind {
    fn default() -> AdapterFileKind {
        AdapterFileKind(Arc::new(NoServers))
    }
}

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

    fn recognise(&self, candidate: &Candidate<'_>) -> Option<Recognition> {
        match candidate.place {
            LocationKind::Directory | LocationKind::Web => None,
            _ if name_prefix(candidate.given).is_some() => Some(Recognition::Name),
            // Reading it says what is wrong.
            LocationKind::Missing => Some(Recognition::Fallback),
            LocationKind::File => (!candidate.has_extension(&OTHER_FORMATS)).then_some(Recognition::Fallback),
        }
    }

    fn locate(&self, given: &str) -> Result<SourceLocation, String> {
        Ok(SourceLocation::Content(location(PathBuf::from(given))))
    }

    fn load(&self, content: SourceContent<'_>, services: &dyn LoadServices) -> LoadedContent {
        let context = FileContext { settings: &|name| services.settings(name), servers: &self.0 };
        load_with(content.place, &content.bytes, &context)
    }
}

/// Where an adapter file is, and what its name says.
pub fn location(path: PathBuf) -> ContentLocation {
    let name = name_prefix(&path.to_string_lossy()).map(str::to_owned);
    ContentLocation::File { path, max_size: MAX_ADAPTER_FILE, name }
}
