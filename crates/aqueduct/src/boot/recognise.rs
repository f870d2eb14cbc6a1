//! What a given source is: the kinds are asked with its form first, then with its content.
//!
//! The words of a user in; a kind and the place of its content out. Nothing is loaded yet, but a file may be read to know it;
//! of what kind a document on the web is, is seen when it has come.

use super::origin::FileRead;
use crate::build_error::BuildError;
use aqueduct_documents::disk::{self, MAX_DOCUMENT};
use aqueduct_source_kind::kind::{
    Candidate, ContentLocation, LocationKind, Recognition, SourceKind, SourceLocation,
};
use aqueduct_sources::kind_table::KindTable;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use url::Url;

/// So many bytes of a file are looked at first. Most content is known by them, and all of it may be many megabytes.
const BEGINNING: u64 = 64 * 1024;

/// What something is that was given.
#[derive(Debug)]
pub enum RecognisedSource {
    /// A source with content of its own.
    Content {
        /// What it is; nothing for a document on the web that has to come first.
        kind: Option<Arc<dyn SourceKind>>,
        /// Where its content is.
        location: ContentLocation,
    },
    /// A list of sources.
    List {
        /// What it is.
        kind: Arc<dyn SourceKind>,
        /// The directory or file.
        path: PathBuf,
    },
}

impl RecognisedSource {
    /// Asks the kinds what this is.
    pub fn of(path: &Path, kinds: &KindTable) -> Result<RecognisedSource, BuildError> {
        RecognisedSource::with_content(path, kinds).map(|(source, _)| source)
    }

    /// The same, with the file where it had to be read for that.
    pub(super) fn with_content(
        path: &Path,
        kinds: &KindTable,
    ) -> Result<(RecognisedSource, Option<FileRead>), BuildError> {
        let given = path.to_string_lossy();
        let place = place_of(path);
        let by_form = kinds.recognise(&Candidate { given: &given, place, content: None });
        let is_sure = by_form.as_ref().is_some_and(|(_, confidence)| *confidence >= Recognition::Name);
        let mut read = None;
        let found = match place {
            LocationKind::Web if !is_sure => {
                let url = Url::parse(&given);
                let url = url.map_err(|_| BuildError::NotASource(format!("'{given}' is not a URL")))?;
                let location = ContentLocation::Web(url);
                return Ok((RecognisedSource::Content { kind: None, location }, None));
            }
            LocationKind::File if !is_sure => {
                let beginning = disk::beginning(path, MAX_DOCUMENT, BEGINNING)?;
                match beginning.and_then(|bytes| known(&given, place, &bytes, kinds)) {
                    Some((kind, Recognition::Content)) => Some(kind),
                    _ => {
                        let file = read.insert(FileRead::of(path, MAX_DOCUMENT)?);
                        by_content(&given, place, &file.bytes, kinds)
                    }
                }
            }
            _ => by_form.map(|(kind, _)| kind),
        };
        let kind = found.ok_or_else(|| BuildError::NotASource(unknown(&given, kinds)))?;
        let source = match kind.locate(&given).map_err(BuildError::NotASource)? {
            SourceLocation::Content(location) => RecognisedSource::Content { kind: Some(kind), location },
            SourceLocation::List(path) => RecognisedSource::List { kind, path },
        };
        Ok((source, read))
    }
}

fn is_url(path: &Path) -> bool {
    ["http://", "https://"].iter().any(|start| path.to_string_lossy().starts_with(start))
}

/// What there is where something was given.
fn place_of(path: &Path) -> LocationKind {
    match path {
        _ if is_url(path) => LocationKind::Web,
        _ if path.is_dir() => LocationKind::Directory,
        _ if path.is_file() => LocationKind::File,
        // One that is not there is of the kind that can say so.
        _ => LocationKind::Missing,
    }
}

/// The kind of a text that is no file, by the name that it was given.
pub(super) fn kind_by_name(given: &str, kinds: &KindTable) -> Result<Arc<dyn SourceKind>, BuildError> {
    let found = kinds.recognise(&Candidate { given, place: LocationKind::Missing, content: None });
    found.map(|(kind, _)| kind).ok_or_else(|| BuildError::NotASource(unknown(given, kinds)))
}

/// The kind that content is of.
pub(super) fn by_content(
    given: &str,
    place: LocationKind,
    bytes: &[u8],
    kinds: &KindTable,
) -> Option<Arc<dyn SourceKind>> {
    known(given, place, bytes, kinds).map(|(kind, _)| kind)
}

fn known(
    given: &str,
    place: LocationKind,
    bytes: &[u8],
    kinds: &KindTable,
) -> Option<(Arc<dyn SourceKind>, Recognition)> {
    let text = String::from_utf8_lossy(bytes);
    let content = Some(text.trim_start_matches('\u{feff}'));
    kinds.recognise(&Candidate { given, place, content })
}

/// That no kind knows something, and what they know.
pub(super) fn unknown(given: &str, kinds: &KindTable) -> String {
    format!("'{given}' is no source that is known: {}", kinds.known_forms())
}

/// How many sources something stands for, as far as it says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceForm {
    /// It is one.
    One,
    /// A file that lists one and no more.
    ListOfOne,
    /// A directory, or a file that lists several, or none.
    List,
}

impl SourceForm {
    /// The form of what was given; what is no source has the form of one.
    pub fn of(path: &Path) -> SourceForm {
        let found = RecognisedSource::with_content(path, &KindTable::default());
        let Ok((RecognisedSource::List { kind, path }, read)) = found else { return SourceForm::One };
        // A directory cannot be read.
        let file = read.or_else(|| FileRead::of(&path, MAX_DOCUMENT).ok());
        let is_one = file.is_some_and(|file| kind.list(&path, Some(&file.bytes)).sources.len() == 1);
        if is_one { SourceForm::ListOfOne } else { SourceForm::List }
    }
}

/// True for a document on the web.
pub fn is_web_document(path: &Path) -> bool {
    let is_on_web =
        |source| matches!(source, RecognisedSource::Content { location: ContentLocation::Web(_), .. });
    // A file would be read to see what it is.
    !path.is_file() && RecognisedSource::of(path, &KindTable::default()).is_ok_and(is_on_web)
}

/// True for what is no path: a URL, or a server by its command or URL.
pub fn is_elsewhere(path: &Path) -> bool {
    let candidate = Candidate { given: &path.to_string_lossy(), place: LocationKind::Missing, content: None };
    let found = KindTable::default().recognise(&candidate);
    is_url(path) || found.is_some_and(|(_, confidence)| confidence == Recognition::Prefix)
}
