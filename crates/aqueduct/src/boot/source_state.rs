//! One source: what it says now, and the version of it that is in service.
//!
//! Its content in, a version or problems out. What is the same as before is not loaded again, and a source that is no
//! good keeps the version in service (ruling S8).

mod problems;
mod refresh;
mod serving;
mod version;

pub use problems::CONNECTION_NOT_READY;
pub(crate) use refresh::RefreshScope;
pub(super) use version::SourceVersion;

use super::loading::LoadContext;
use super::origin::{ContentOrigin, OnDisk};
use super::web_content::OnWeb;
use super::web_fetch::{Notifier, WebDocument};
use crate::grants::FileOrigin;
use aqueduct_operations::consent::ConsentRequest;
use aqueduct_operations::credential_scope::without_secrets;
use aqueduct_operations::diagnostic::Diagnostic;
use aqueduct_operations::registry::LoadedSource;
use aqueduct_source_kind::connection::Connection;
use aqueduct_source_kind::kind::{ContentLocation, SourceKind};
use aqueduct_source_kind::report::ImportReport;
use aqueduct_source_kind::settings::SourceSettings;
use aqueduct_sources::kind_table::KindTable;
use aqueduct_sources::overrides::SourceNames;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Who names a connection that no one has given a name.
#[derive(Debug, Clone, PartialEq, Eq)]
enum ConnectionNaming {
    /// Its file, its command or its address.
    Reach,
    /// The other side, once it has told.
    Itself(Option<String>),
}

/// One source.
#[derive(Debug)]
pub(super) struct SourceState {
    file: String,
    /// What makes operations of its content; nothing for a document on the web, whose content tells, and for a source that the
    /// program made itself.
    kind: Option<Arc<dyn SourceKind>>,
    origin: ContentOrigin,
    settings: SourceSettings,
    naming: ConnectionNaming,
    /// What the name of its file says that it is called.
    name_of_file: Option<String>,
    /// The directory that it was found in: a link out of it leads to what no one named.
    directory: Option<PathBuf>,
    digest: Option<[u8; 32]>,
    /// What it says, when that is good.
    latest: Option<Arc<SourceVersion>>,
    /// What is in service.
    served: Option<Arc<SourceVersion>>,
    /// What was remarked about what it says.
    diagnostics: Vec<Diagnostic>,
    /// Why what it says cannot be served beside the other sources, though it is good by itself.
    refusal: Option<Diagnostic>,
    /// Operations of a connection that wait for approval.
    withheld: Vec<String>,
    /// What has no effect on a connection that is set for it.
    setting_warning: Option<Diagnostic>,
    /// It came at the start, or is looked at again since.
    file_origin: FileOrigin,
    /// What the file asked for at the start, and had no need to wait for.
    granted_at_start: BTreeSet<ConsentRequest>,
    /// The name that it had when the operator gave it: what is set for that name is set for this source.
    first_name: Option<String>,
}

impl SourceState {
    /// A source whose content is there, which is not looked at yet. Of a document on the web the kind may not be known.
    pub fn new(
        kind: Option<Arc<dyn SourceKind>>,
        location: ContentLocation,
        settings: SourceSettings,
        kinds: &KindTable,
        notifier: &Notifier,
    ) -> SourceState {
        let (file, name_of_file, origin) = match location {
            ContentLocation::File { path, max_size, name } => {
                (path.display().to_string(), name, ContentOrigin::Disk(OnDisk::new(path, max_size)))
            }
            ContentLocation::Web(url) => {
                let file = without_secrets(&url);
                let document = WebDocument::new(url, kind.clone(), kinds, &settings);
                let on_web = OnWeb::new(document, notifier.clone());
                (file, None, ContentOrigin::Web(Box::new(on_web)))
            }
            ContentLocation::Connection(connection) => {
                let noun = kind.as_ref().map_or("connection", |kind| kind.explain().bare_noun());
                (format!("{noun} {}", connection.name()), None, ContentOrigin::Connection(connection))
            }
        };
        SourceState { name_of_file, ..SourceState::empty(file, kind, origin, settings) }
    }

    /// The same, found in a directory.
    pub fn found_in(self, directory: &Path) -> SourceState {
        SourceState { directory: Some(directory.to_owned()), file_origin: FileOrigin::Found, ..self }
    }

    /// The start is over: what the file asks for from now on, no one has named.
    pub fn finish_start(&mut self) {
        self.file_origin = FileOrigin::Later;
        // A file that could not be read at the start was meant all the same, by the name of its file.
        if self.first_name.is_none() && self.directory.is_some() {
            self.first_name.clone_from(&self.name_of_file);
        }
    }

    /// It appeared after the start, where there may have been a source of this name before.
    pub fn added_later(self, first_name: Option<String>) -> SourceState {
        SourceState { file_origin: FileOrigin::Later, first_name, ..self }
    }

    /// The name that it had when the operator gave it.
    pub fn first_name(&self) -> Option<&str> {
        self.first_name.as_deref()
    }

    /// Lets the other side name itself where no one else has: it is the only source, so that no other can have its name.
    pub fn let_name_itself(&mut self) {
        self.naming = ConnectionNaming::Itself(None);
    }

    /// A text that was given, which stays as it is.
    pub fn of_text(
        kind: Arc<dyn SourceKind>,
        file: String,
        text: String,
        settings: SourceSettings,
        context: &LoadContext,
    ) -> SourceState {
        let mut state = SourceState::empty(file, Some(kind), ContentOrigin::Given, settings);
        state.load(text.into_bytes().into(), context);
        state
    }

    /// A source that the program made itself.
    pub fn ready(loaded: LoadedSource) -> SourceState {
        let file = loaded.source.name.clone();
        let mut state = SourceState::empty(file, None, ContentOrigin::Given, SourceSettings::default());
        state.latest = Some(Arc::new(SourceVersion::new([0; 32], loaded, None, None)));
        state
    }

    fn empty(
        file: String,
        kind: Option<Arc<dyn SourceKind>>,
        origin: ContentOrigin,
        settings: SourceSettings,
    ) -> SourceState {
        SourceState {
            file,
            kind,
            origin,
            settings,
            naming: ConnectionNaming::Reach,
            name_of_file: None,
            directory: None,
            digest: None,
            latest: None,
            served: None,
            diagnostics: Vec::new(),
            refusal: None,
            withheld: Vec::new(),
            setting_warning: None,
            file_origin: FileOrigin::Named,
            granted_at_start: BTreeSet::new(),
            first_name: None,
        }
    }

    /// True when its content is in this place.
    pub fn is_at(&self, location: &ContentLocation) -> bool {
        match (&self.origin, location) {
            (ContentOrigin::Disk(on_disk), ContentLocation::File { path, .. }) => on_disk.path() == path,
            (ContentOrigin::Web(on_web), ContentLocation::Web(url)) => on_web.url() == url,
            (ContentOrigin::Connection(connection), ContentLocation::Connection(other)) => {
                connection.identity() == other.identity()
            }
            _ => false,
        }
    }

    /// Where the file is, when it is one.
    pub fn path(&self) -> Option<&Path> {
        match &self.origin {
            ContentOrigin::Disk(on_disk) => Some(on_disk.path()),
            _ => None,
        }
    }

    /// Every file that it is made of.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        let on_disk = match &self.origin {
            ContentOrigin::Disk(on_disk) => Some(on_disk),
            _ => None,
        };
        on_disk.into_iter().flat_map(|on_disk| std::iter::once(on_disk.path()).chain(on_disk.references()))
    }

    /// True for what may say something else later.
    pub fn can_change(&self) -> bool {
        !matches!(self.origin, ContentOrigin::Given)
    }

    /// True when operations wait for approval.
    pub fn withholds(&self) -> bool {
        !self.withheld.is_empty()
    }

    /// What it is behind, when it is behind something live.
    pub fn connection(&self) -> Option<&Arc<dyn Connection>> {
        match &self.origin {
            ContentOrigin::Connection(connection) => Some(connection),
            _ => None,
        }
    }

    /// True for a document on the web whose title no one has read yet.
    pub fn is_nameless(&self) -> bool {
        matches!(self.origin, ContentOrigin::Web(_))
            && !self.is_usable()
            && self.settings.source_name.is_none()
    }

    /// The source's name, or what the file's name says while there is no good version.
    pub fn name(&self) -> String {
        let known = self.offered().map(|version| version.name().to_owned());
        let by_connection = || self.connection().map(|connection| connection.name().to_owned());
        let own = || known.or_else(by_connection).or_else(|| self.name_of_file.clone());
        self.settings.source_name.clone().or_else(own).unwrap_or_else(|| self.file_name().to_owned())
    }

    /// The file as the user named it.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// True when the file has a good version, or had one.
    pub fn is_usable(&self) -> bool {
        self.offered().is_some()
    }

    /// What the import did, when what is served is one.
    pub fn report(&self) -> Option<&ImportReport> {
        self.offered().and_then(|version| version.report.as_ref())
    }

    /// The names as they were before the source was corrected.
    pub fn uncorrected(&self) -> Option<&SourceNames> {
        self.offered().and_then(|version| version.uncorrected.as_ref())
    }

    fn file_name(&self) -> &str {
        self.file.trim_end_matches('/').rsplit(['/', '\\']).next().unwrap_or(&self.file)
    }
}
