//! A kind of source: how it is recognised, located, loaded, watched, imported and explained.
//!
//! What a user gave in; the kind that recognises it, and its operations, out. The loader reads files, fetches documents
//! and opens connections; what else a kind needs comes through `LoadServices`.

use crate::allow_refs::AllowRefs;
use crate::connection::Connection;
use crate::named_connection::NamedConnection;
use crate::report::ImportReport;
use crate::settings::SourceSettings;
use aqueduct_operations::diagnostic::Diagnostic;
use aqueduct_operations::registry::LoadedSource;
use bytes::Bytes;
use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use url::Url;

/// A kind of source.
pub trait SourceKind: Debug + Send + Sync {
    /// What it is, for messages and commands.
    fn explain(&self) -> KindInfo;

    /// How sure it is that something is of this kind; nothing when it is not.
    fn recognise(&self, candidate: &Candidate<'_>) -> Option<Recognition>;

    /// Where the content is of something that was recognised, which is what is watched. The error is a sentence. What does
    /// not say so is a list.
    fn locate(&self, given: &str) -> Result<SourceLocation, String> {
        Ok(SourceLocation::List(PathBuf::from(given)))
    }

    /// Makes operations of content. Every problem is a diagnostic; with an error among them there is no source. A list is
    /// never loaded.
    fn load(&self, _content: SourceContent<'_>, _services: &dyn LoadServices) -> LoadedContent {
        LoadedContent::default()
    }

    /// Reads what a document on the web refers to, with a reader that keeps the texts: loading waits for nothing then.
    fn read_references(&self, _content: SourceContent<'_>, _allow: &AllowRefs, _reader: &dyn DocumentReader) {
    }

    /// The files beside the one at `path` that are watched: a change of one loads the source again. `references` are those
    /// that loading gave. The file itself, documents on the web and connections are followed anyway.
    fn watch(&self, _path: &Path, references: Vec<PathBuf>) -> Vec<PathBuf> {
        references
    }

    /// The sources that a list stands for. `content` is that of the file, where it is one.
    fn list(&self, _path: &Path, _content: Option<&[u8]>) -> ListedSources {
        ListedSources::default()
    }

    /// Waits, at the start, until the connections that were opened have said what they offer, or are known not to. Those of one
    /// kind start together, so they are waited for together.
    fn wait_for_connections(&self) {}

    /// Calls the listener whenever a connection of this kind offers something else than before.
    fn follow_connections(&self, _listener: ChangeListener) {}

    /// The source for `import`, where the user gave a shorter form of it.
    fn import_source(&self, given: &Path) -> PathBuf {
        given.to_owned()
    }
}

/// Is called when there is something to look at again.
pub type ChangeListener = Box<dyn Fn() + Send>;

/// What a kind is, in words.
#[derive(Debug, Clone, Copy)]
pub struct KindInfo {
    /// With its article: `an OpenAPI document`.
    pub noun: &'static str,
    /// How it is given, for the help of commands that take sources: `OpenAPI documents or URLs`.
    pub given_as: &'static str,
    /// How a user makes something be recognised, as part of a sentence.
    pub recognised_by: Option<&'static str>,
    /// How it is imported, where it can be.
    pub import: Option<ImportInfo>,
    /// What to do with it instead of validating it as an adapter file; `{source}` stands for it.
    pub validate_hint: Option<&'static str>,
    /// The content names variables and programs itself, which its author may not have without the operator's consent.
    pub needs_consent: bool,
}

impl KindInfo {
    /// The noun without its article.
    pub fn bare_noun(&self) -> &'static str {
        self.noun.split_once(' ').map_or(self.noun, |(_, noun)| noun)
    }
}

/// The subcommand of `aqueduct import` that imports a kind.
#[derive(Debug, Clone, Copy)]
pub struct ImportInfo {
    /// Its word. Kinds with the same word share the subcommand of the first.
    pub command: &'static str,
    /// What it imports, for its help.
    pub about: &'static str,
    /// What stands for a source in its help, and what that is.
    pub value_name: &'static str,
    /// What a source is.
    pub value_help: &'static str,
    /// Several sources may be given.
    pub takes_several: bool,
    /// The source has a discovery bundle, which can be written too.
    pub has_bundle: bool,
    /// What to do with a source instead of importing it as another kind; `{source}` stands for it.
    pub hint: &'static str,
}

/// Something that may be a source.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<'a> {
    /// As the user wrote it.
    pub given: &'a str,
    /// What is there.
    pub place: LocationKind,
    /// The content of a file, when no one was sure without it, or of a document on the web.
    pub content: Option<&'a str>,
}

impl Candidate<'_> {
    /// True when the file's extension is one of these.
    pub fn has_extension(&self, extensions: &[&str]) -> bool {
        let extension = Path::new(self.given).extension().map(|extension| extension.to_string_lossy());
        extension.is_some_and(|extension| extensions.iter().any(|each| extension.eq_ignore_ascii_case(each)))
    }
}

/// What there is where something was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LocationKind {
    /// Nothing, or it is no path at all.
    Missing,
    /// The web: it is a URL.
    Web,
    /// A file, or what can be read like one.
    File,
    /// A directory.
    Directory,
}

/// How sure a kind is. The surest wins; of two that are as sure, the first in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Recognition {
    /// If no one else knows it.
    Fallback,
    /// By what is in the file.
    Content,
    /// By the name of the file, or what is at the path.
    Name,
    /// By a prefix that no other kind has.
    Prefix,
}

/// Where a source is.
#[derive(Debug, Clone)]
pub enum SourceLocation {
    /// It has content of its own.
    Content(ContentLocation),
    /// A directory, or a file, that lists several sources.
    List(PathBuf),
}

/// Where content is, and so what is watched.
#[derive(Debug, Clone)]
pub enum ContentLocation {
    /// A file of at most so many bytes.
    File {
        /// Where it is.
        path: PathBuf,
        /// The largest that is read.
        max_size: u64,
        /// What its name says that the source is called, while no one has read it.
        name: Option<String>,
    },
    /// A document on the web.
    Web(Url),
    /// Something live, which is asked what it offers.
    Connection(Arc<dyn Connection>),
}

/// Content that is to be loaded.
#[derive(Debug, Clone)]
pub struct SourceContent<'a> {
    /// The file as the user named it, the URL, or the name of the connection.
    pub place: &'a str,
    /// The bytes of the file or document, or what the connection offers. No one else holds them for long: a kind that is done
    /// with many of them drops them, and their memory is given back.
    pub bytes: Bytes,
}

/// What a kind needs to load, besides the content. What does IO is behind it.
pub trait LoadServices {
    /// What is set for the source that the content calls so. Some of it is set for the name, so that a kind asks for it when it
    /// has read the name, and before it makes operations.
    fn settings(&self, declared_name: &str) -> SourceSettings;

    /// Reads the other documents that the content refers to.
    fn references(&self, settings: &SourceSettings) -> Box<dyn DocumentReader + '_>;

    /// What the content came over, which has the code that runs what is in it; nothing for files and documents.
    fn connection(&self) -> Option<&dyn Connection>;
}

/// Reads the text of a document.
pub trait DocumentReader: Send + Sync {
    /// The text of the document in this place, which is a path or a URL, or why there is none.
    fn read(&self, place: &str) -> Result<String, String>;
}

/// What was made of content.
#[derive(Debug, Default)]
pub struct LoadedContent {
    /// The source; nothing when there are errors.
    pub loaded: Option<LoadedSource>,
    /// Every finding.
    pub diagnostics: Vec<Diagnostic>,
    /// What became of each thing that was found, where something is imported.
    pub report: Option<ImportReport>,
    /// The documents that the content refers to, as `SourceKind::watch` gets them.
    pub references: Vec<PathBuf>,
    /// What the content names that its operations are run by, and that the operator has to allow.
    pub connections: Vec<Arc<dyn NamedConnection>>,
}

/// The sources of a list.
#[derive(Debug, Default)]
pub struct ListedSources {
    /// Each with its kind.
    pub sources: Vec<ListedSource>,
    /// Findings about the list itself.
    pub diagnostics: Vec<Diagnostic>,
    /// The list could not be read, or is being written: what was in it before is still there.
    pub is_unsettled: bool,
    /// Why there is nothing to serve, when there is nothing.
    pub empty: Option<EmptyList>,
}

/// One source of a list.
#[derive(Debug)]
pub struct ListedSource {
    /// What it is.
    pub kind: Arc<dyn SourceKind>,
    /// Where it is.
    pub location: ContentLocation,
}

/// Why there is nothing in a list.
#[derive(Debug)]
pub enum EmptyList {
    /// Everything in it is broken.
    Invalid(Vec<Diagnostic>),
    /// There is nothing of the kind in it.
    Nothing(String),
}
