//! What a given source is: the kinds are asked with its form first, then with the content of its file.
//!
//! The words of a user in; a kind and the place of its content out. Nothing is loaded yet, but a file may be read to know it.

use crate::build_error::BuildError;
use aqueduct_documents::disk::{self, MAX_ADAPTER_FILE, MAX_DOCUMENT};
use aqueduct_source_kind::kind::{
    Candidate, Confidence, ContentLocation, DiskEntry, SourceKind, SourceLocation,
};
use aqueduct_sources::kind_table::KindTable;
use std::path::Path;
use std::sync::Arc;

/// A source that a kind recognised.
#[derive(Debug)]
pub struct RecognisedSource {
    /// What it is.
    pub kind: Arc<dyn SourceKind>,
    /// Where its content is.
    pub location: SourceLocation,
}

impl RecognisedSource {
    /// Asks the kinds what this is.
    pub fn of(path: &Path, kinds: &KindTable) -> Result<RecognisedSource, BuildError> {
        let given = path.to_string_lossy();
        let kind = kind_of(path, &given, kinds)?;
        let location = kind.locate(&given).map_err(BuildError::NotASource)?;
        Ok(RecognisedSource { kind, location })
    }

    /// True when it may stand for several sources, so that names are namespaced (ruling N2).
    pub fn is_several(&self) -> bool {
        matches!(self.location, SourceLocation::List(_))
    }
}

/// The kind of what was given. A file that is not there is of the kind that can say so.
fn kind_of(path: &Path, given: &str, kinds: &KindTable) -> Result<Arc<dyn SourceKind>, BuildError> {
    let entry = match path {
        _ if path.is_dir() => DiskEntry::Directory,
        _ if path.is_file() => DiskEntry::File,
        _ => DiskEntry::Missing,
    };
    let by_form = kinds.recognise(&Candidate { given, entry, content: None });
    let is_sure = by_form.as_ref().is_some_and(|(_, confidence)| *confidence >= Confidence::Name);
    let found = if is_sure || entry != DiskEntry::File {
        by_form
    } else {
        let bytes = disk::read(path, MAX_DOCUMENT)?;
        let text = String::from_utf8_lossy(&bytes);
        kinds.recognise(&Candidate { given, entry, content: Some(text.trim_start_matches('\u{feff}')) })
    };
    found.map(|(kind, _)| kind).ok_or_else(|| {
        BuildError::NotASource(format!("'{given}' is no source that is known: {}", kinds.known_forms()))
    })
}

/// True for a list of several sources, as far as it says how many it has.
pub fn is_several(path: &Path) -> bool {
    RecognisedSource::of(path, &KindTable::default()).is_ok_and(|source| source.is_several())
}

/// True for a file that lists one source and no more.
pub fn lists_one_source(path: &Path) -> bool {
    let Ok(source) = RecognisedSource::of(path, &KindTable::default()) else { return false };
    let bytes = (source.is_several() && path.is_file()).then(|| disk::read(path, MAX_ADAPTER_FILE));
    matches!(bytes, Some(Ok(bytes)) if source.kind.has_one_source(path, &bytes))
}

/// True for a document on the web.
pub fn is_web_document(path: &Path) -> bool {
    let source = RecognisedSource::of(path, &KindTable::default());
    source.is_ok_and(|source| matches!(source.location, SourceLocation::Content(ContentLocation::Web(_))))
}

/// True for what is no path: a URL, or a server by its command or URL.
pub fn is_elsewhere(path: &Path) -> bool {
    let candidate = Candidate { given: &path.to_string_lossy(), entry: DiskEntry::Missing, content: None };
    let found = KindTable::default().recognise(&candidate);
    found.is_some_and(|(_, confidence)| confidence == Confidence::Prefix)
}
