//! One source: what it says now, and the version of it that is in service.
//!
//! Its content in, a version or problems out. What is the same as before is not loaded again, and a source that is no
//! good keeps the version in service (ruling S8).

use super::loading::{self, LoadContext, LoadOutcome, LoadRequest};
use super::on_web::OnWeb;
use super::origin::{ContentOrigin, FetchedContent, NoContent, OnDisk};
use super::web::{Notifier, shown};
use crate::grants::{FileOrigin, FileTrust};
use crate::servers::is_same;
use aqueduct_documents::disk;
use aqueduct_documents::disk::MAX_DOCUMENT;
use aqueduct_documents::disk::ReadError;
use aqueduct_operations::consent::ConsentRequest;
use aqueduct_operations::diagnostic::{Diagnostic, DiagnosticSeverity};
use aqueduct_operations::mcp::ServerConfig;
use aqueduct_operations::registry::{LoadedSource, NamingScheme, PublishedSource, SourceProblem};
use aqueduct_operations::trust::TrustLevel;
use aqueduct_source_kind::kind::{ContentLocation, SourceKind};
use aqueduct_source_kind::report::ImportReport;
use aqueduct_source_kind::settings::SourceSettings;
use aqueduct_sources::scan::hide_linked_content;
use sha2::{Digest, Sha256};
use std::collections::{BTreeSet, HashSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

/// How many problems of a source clients are told.
const TOLD: usize = 5;

/// The remark on a server that has not said what it offers.
pub const SERVER_NOT_READY: &str = "SERVER_NOT_READY";

/// The remark on a document that cannot be fetched.
const DOCUMENT_UNREADABLE: &str = "DOCUMENT_UNREADABLE";

/// Which sources are looked at.
#[derive(Debug, Clone, Copy)]
pub(crate) enum RefreshScope<'a> {
    /// Every one.
    All,
    /// Files with these names, and those that the system says have changed; whatever else is due.
    Changed(&'a HashSet<OsString>),
    /// Servers, and documents on the web that were never there.
    Servers,
}

/// A good version of a source.
#[derive(Debug)]
pub(super) struct SourceVersion {
    digest: [u8; 32],
    /// The source and its operations.
    pub loaded: LoadedSource,
    /// What the import did, when it is one.
    pub report: Option<ImportReport>,
    /// The source before it was corrected, where there is a file of corrections.
    uncorrected: Option<LoadedSource>,
    /// As registries have it, made when it is first put into one.
    published: OnceLock<PublishedSource>,
}

impl SourceVersion {
    fn new(
        digest: [u8; 32],
        loaded: LoadedSource,
        report: Option<ImportReport>,
        uncorrected: Option<LoadedSource>,
    ) -> SourceVersion {
        SourceVersion { digest, loaded, report, uncorrected, published: OnceLock::new() }
    }

    /// The source as registries share it. All of them give public names in the same way.
    pub fn published(&self, names: NamingScheme) -> &PublishedSource {
        self.published.get_or_init(|| PublishedSource::new(self.loaded.clone(), names))
    }

    /// The source's name.
    pub fn name(&self) -> &str {
        &self.loaded.source.name
    }

    /// The source's name, and how far it is trusted.
    pub fn trust(&self) -> (String, TrustLevel) {
        (self.loaded.source.name.clone(), self.loaded.source.trust)
    }
}

/// Who names a server that nobody has given a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ServerNaming {
    /// Its file, its command or its address.
    Reach,
    /// The server itself, once it has told.
    Itself,
}

/// One source.
#[derive(Debug)]
pub(super) struct SourceState {
    file: String,
    /// What makes operations of its content; nothing for a source that the program made itself.
    kind: Option<Arc<dyn SourceKind>>,
    origin: ContentOrigin,
    settings: SourceSettings,
    naming: ServerNaming,
    /// The directory that it was found in: a link out of it leads to what nobody named.
    directory: Option<PathBuf>,
    digest: Option<[u8; 32]>,
    /// What it says, when that is good.
    latest: Option<Arc<SourceVersion>>,
    /// What is in service.
    served: Option<Arc<SourceVersion>>,
    /// What was remarked about what it says.
    remarks: Vec<Diagnostic>,
    /// Why what it says cannot be served beside the other sources, though it is good by itself.
    refusal: Option<Diagnostic>,
    /// Operations of a server that wait for approval.
    withheld: Vec<String>,
    /// What has no effect on a server that is set for it.
    idle_setting: Option<Diagnostic>,
    /// It came at the start, or is looked at again since.
    coming: FileOrigin,
    /// What the file asked for at the start, and had no need to wait for.
    vouched: BTreeSet<ConsentRequest>,
    /// The name that it had when the operator gave it: what is set for that name is set for this source.
    first_name: Option<String>,
}

impl SourceState {
    /// A source whose content is there, which is not looked at yet.
    pub fn new(
        kind: Arc<dyn SourceKind>,
        location: ContentLocation,
        settings: SourceSettings,
        notifier: &Notifier,
    ) -> SourceState {
        let (file, origin) = match location {
            ContentLocation::File { path, max_size } => {
                (path.display().to_string(), ContentOrigin::Disk(OnDisk::new(path, max_size)))
            }
            ContentLocation::Web(url) => {
                let file = shown(&url);
                (file, ContentOrigin::Web(Box::new(OnWeb::new(url, &settings, notifier.clone()))))
            }
            ContentLocation::Server(config) => {
                (format!("MCP server {}", config.name), ContentOrigin::Server(config))
            }
        };
        SourceState::empty(file, Some(kind), origin, settings)
    }

    /// The same, found in a directory.
    pub fn found_in(self, directory: &Path) -> SourceState {
        SourceState { directory: Some(directory.to_owned()), coming: FileOrigin::Found, ..self }
    }

    /// The start is over: what the file asks for from now on, nobody has named.
    pub fn settle(&mut self) {
        self.coming = FileOrigin::Later;
        // A file that could not be read at the start was meant all the same, by the name of its file.
        if self.first_name.is_none() && self.directory.is_some() {
            self.first_name = self.name_of_file().map(str::to_owned);
        }
    }

    /// It appeared after the start, where there may have been a source of this name before.
    pub fn came_later(self, first_name: Option<String>) -> SourceState {
        SourceState { coming: FileOrigin::Later, first_name, ..self }
    }

    /// The name that it had when the operator gave it.
    pub fn first_name(&self) -> Option<&str> {
        self.first_name.as_deref()
    }

    /// Lets a server name itself where nobody else has: it is the only source, so that no other can have its name.
    pub fn let_name_itself(&mut self) {
        self.naming = ServerNaming::Itself;
    }

    /// A text that was given, which stays as it is.
    pub fn of_text(
        kind: Arc<dyn SourceKind>,
        file: String,
        text: String,
        settings: SourceSettings,
        context: LoadContext<'_>,
    ) -> SourceState {
        let mut state = SourceState::empty(file, Some(kind), ContentOrigin::Given, settings);
        state.take(&FetchedContent::Bytes(text.into_bytes()), context);
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
            naming: ServerNaming::Reach,
            directory: None,
            digest: None,
            latest: None,
            served: None,
            remarks: Vec::new(),
            refusal: None,
            withheld: Vec::new(),
            idle_setting: None,
            coming: FileOrigin::Named,
            vouched: BTreeSet::new(),
            first_name: None,
        }
    }

    /// True when its content is in this place.
    pub fn is_at(&self, location: &ContentLocation) -> bool {
        match (&self.origin, location) {
            (ContentOrigin::Disk(on_disk), ContentLocation::File { path, .. }) => on_disk.path() == path,
            (ContentOrigin::Web(on_web), ContentLocation::Web(url)) => on_web.url() == url,
            (ContentOrigin::Server(config), ContentLocation::Server(other)) => is_same(config, other),
            _ => false,
        }
    }

    /// What the name of the file says that it is called.
    fn name_of_file(&self) -> Option<&str> {
        self.kind.as_ref().and_then(|kind| kind.name_of_file(&self.file))
    }

    /// The kind of the server, and how it is reached.
    pub fn connection(&self) -> Option<(&dyn SourceKind, &ServerConfig)> {
        Some((self.kind.as_deref()?, self.config()?))
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

    /// How the server is reached, when it is one.
    pub fn config(&self) -> Option<&ServerConfig> {
        match &self.origin {
            ContentOrigin::Server(config) => Some(config),
            _ => None,
        }
    }

    /// Begins to fetch a document on the web.
    pub fn begin(&mut self) {
        if let ContentOrigin::Web(on_web) = &mut self.origin {
            on_web.begin();
        }
    }

    /// Takes a document on the web that comes until then, or notes why it did not.
    pub fn wait(&mut self, then: Instant, context: LoadContext<'_>) {
        let ContentOrigin::Web(on_web) = &mut self.origin else { return };
        match on_web.look_until(then) {
            Ok(content) => drop(content.map(|content| self.take(&content, context))),
            Err(error) => drop(self.lose(&error)),
        }
    }

    /// True for a document on the web whose title nobody has read yet.
    pub fn is_nameless(&self) -> bool {
        matches!(self.origin, ContentOrigin::Web(_))
            && !self.is_usable()
            && self.settings.source_name.is_none()
    }

    /// Why there is no document on the web.
    pub fn web_error(&self) -> Option<String> {
        let not_there = self.remarks.iter().find(|each| each.code == DOCUMENT_UNREADABLE)?;
        Some(format!("{}: {}", self.file, not_there.message))
    }

    /// Takes new content where there may be some. True when it says something else than before.
    pub fn look(&mut self, scope: RefreshScope<'_>, context: LoadContext<'_>) -> Result<bool, NoContent> {
        let content = match &mut self.origin {
            ContentOrigin::Given => None,
            ContentOrigin::Disk(_) if matches!(scope, RefreshScope::Servers) => None,
            ContentOrigin::Disk(on_disk) => on_disk.look(scope)?.map(FetchedContent::Bytes),
            ContentOrigin::Web(on_web) => on_web.look(scope)?,
            ContentOrigin::Server(config) => match context.servers.listing(config) {
                Ok(offer) => {
                    self.withheld = offer.withheld;
                    Some(FetchedContent::Listing(Box::new(offer.listing)))
                }
                Err(why) => return Ok(why.is_some_and(|why| self.wait_for(&why))),
            },
        };
        Ok(content.is_some_and(|content| self.take(&content, context)))
    }

    /// Loads the content, unless it is what was loaded last.
    fn take(&mut self, content: &FetchedContent, context: LoadContext<'_>) -> bool {
        let digest = self.digest_of(content);
        if self.digest == Some(digest) {
            return false;
        }
        let Some(kind) = self.kind.clone() else { return false };
        let settings = self.settings_for(&*kind, content);
        let location = self.path().and_then(|path| disk::real_path(path).ok());
        let location = location.map_or_else(|| self.file.clone(), |path| path.display().to_string());
        let trust = FileTrust {
            file: &location,
            coming: self.coming,
            is_named: self.directory.is_none(),
            vouched: &self.vouched,
            first_name: self.first_name.as_deref(),
        };
        let request = LoadRequest {
            file: &self.file,
            kind: &*kind,
            origin: &self.origin,
            content,
            withheld: &self.withheld,
            settings: &settings,
            trust,
        };
        let LoadOutcome { content: loading, uncorrected, vouched } = loading::load(&request, context);
        tracing::debug!(target: "aqueduct::load", file = self.file, loaded = loading.loaded.is_some(), "source");
        if let ContentOrigin::Disk(on_disk) = &mut self.origin {
            let watched = kind.watch(on_disk.path(), loading.references);
            on_disk.refers_to(watched.into_iter());
        }
        // Which other files belong to it is known only now.
        let digest = self.digest_of(content);
        self.digest = Some(digest);
        if self.coming != FileOrigin::Later {
            self.vouched = vouched;
        }
        let is_given = self.coming != FileOrigin::Later || self.directory.is_none();
        if self.first_name.is_none() && is_given {
            self.first_name = loading.loaded.as_ref().map(|loaded| loaded.source.name.clone());
        }
        let report = loading.report;
        self.latest =
            loading.loaded.map(|loaded| Arc::new(SourceVersion::new(digest, loaded, report, uncorrected)));
        self.remarks = match (&self.directory, self.path()) {
            (Some(directory), Some(file)) => hide_linked_content(directory, file, loading.diagnostics),
            _ => loading.diagnostics,
        };
        true
    }

    fn settings_for(&self, kind: &dyn SourceKind, content: &FetchedContent) -> SourceSettings {
        let own_name = match content {
            FetchedContent::Listing(listing) if self.naming == ServerNaming::Itself => kind.own_name(listing),
            _ => None,
        };
        let settings = self.settings.clone();
        SourceSettings { source_name: settings.source_name.clone().or(own_name), ..settings }
    }

    /// Tells versions of the content apart, with that of the files which it refers to.
    fn digest_of(&self, content: &FetchedContent) -> [u8; 32] {
        let mut digest = Sha256::new();
        match content {
            FetchedContent::Bytes(bytes) => digest.update(bytes),
            FetchedContent::Listing(listing) => {
                digest.update(serde_json::Value::from(listing.tools.clone()).to_string());
                digest.update(listing.instructions.as_deref().unwrap_or_default());
                digest.update(serde_json::Value::from(listing.server.clone()).to_string());
            }
        }
        if let ContentOrigin::Disk(on_disk) = &self.origin {
            for path in on_disk.references() {
                // One that cannot be read is another version than any that can.
                digest.update(disk::read(path, MAX_DOCUMENT).unwrap_or_default());
            }
        }
        digest.finalize().into()
    }

    /// Notes that there is no content. True when that is news.
    pub fn lose(&mut self, error: &NoContent) -> bool {
        let (code, message) = match error {
            NoContent::Read(error) => ("FILE_UNREADABLE", unreadable(error).to_owned()),
            NoContent::Web(error) => (DOCUMENT_UNREADABLE, format!("The document is not there: {error}")),
            NoContent::NotYet => {
                return self.note("DOCUMENT_NOT_READY", "The document is still being fetched".to_owned());
            }
        };
        let is_news = self.note(code, message);
        match &mut self.origin {
            ContentOrigin::Disk(on_disk) => on_disk.forget(),
            ContentOrigin::Web(on_web) => on_web.forget(),
            ContentOrigin::Given | ContentOrigin::Server(_) => {}
        }
        self.digest = None;
        self.latest = None;
        is_news
    }

    /// Notes that a server has not said yet what it offers. What it offered before goes on to be offered.
    fn wait_for(&mut self, why: &str) -> bool {
        if self.latest.is_some() { false } else { self.note(SERVER_NOT_READY, why.to_owned()) }
    }

    fn note(&mut self, code: &'static str, message: String) -> bool {
        let remark = self.remark(code, message);
        let is_news = self.remarks.len() != 1 || self.remarks[0] != remark;
        self.remarks = vec![remark];
        is_news
    }

    /// The version to serve if the other sources allow it: what the file says, else what is in service.
    pub fn offered(&self) -> Option<&Arc<SourceVersion>> {
        self.latest.as_ref().or(self.served.as_ref())
    }

    /// The version in service.
    pub fn served(&self) -> Option<&Arc<SourceVersion>> {
        self.served.as_ref()
    }

    /// True when something else is offered than what is in service.
    pub fn has_offer(&self) -> bool {
        self.latest.as_ref().is_some_and(|latest| !self.serves(latest))
    }

    fn serves(&self, version: &SourceVersion) -> bool {
        self.served.as_ref().is_some_and(|served| served.digest == version.digest)
    }

    /// Puts what is offered into service. True when that is something else than before.
    pub fn accept(&mut self) -> bool {
        let is_new = self.has_offer();
        self.refusal = None;
        self.served = self.offered().cloned();
        is_new
    }

    /// Keeps what is in service, because what the file says cannot be served beside the others. True when that is news.
    pub fn refuse(&mut self, reason: String) -> bool {
        let refusal = self.remark("SOURCE_CLASH", reason);
        let is_news = self.refusal.as_ref() != Some(&refusal);
        self.refusal = Some(refusal);
        is_news
    }

    /// The source's name, or what the file's name says while there is no good version.
    pub fn name(&self) -> String {
        let known = self.offered().map(|version| version.name().to_owned());
        let by_config = || self.config().map(|config| config.name.clone());
        let by_file = || self.name_of_file().map(str::to_owned);
        let own = || known.or_else(by_config).or_else(by_file);
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

    /// The source as it was before it was corrected.
    pub fn uncorrected(&self) -> Option<&LoadedSource> {
        self.offered().and_then(|version| version.uncorrected.as_ref())
    }

    /// Everything that is remarked about the file as it is now.
    pub fn remarks(&self) -> impl Iterator<Item = &Diagnostic> {
        self.remarks.iter().chain(&self.refusal).chain(&self.idle_setting)
    }

    /// Remembers that something set for a server has no effect.
    pub fn note_setting_without_effect(&mut self, warning: Option<Diagnostic>) {
        self.idle_setting = warning;
    }

    /// What is wrong, when what is served is not what the file says.
    pub fn trouble(&self) -> Option<SourceProblem> {
        let is_as_said = self.latest.as_ref().is_some_and(|latest| self.serves(latest));
        if is_as_said && self.withheld.is_empty() {
            return None;
        }
        let errors = self.remarks().filter(|each| each.severity == DiagnosticSeverity::Error);
        let name = self.served.as_ref().map(|version| version.name().to_owned());
        Some(SourceProblem {
            name: name.unwrap_or_else(|| self.name()),
            is_served: self.served.is_some(),
            problems: errors.take(TOLD).map(|each| self.line(each)).collect(),
            withheld: self.withheld.clone(),
        })
    }

    /// A problem in one line, with the file's name alone.
    fn line(&self, problem: &Diagnostic) -> String {
        let Diagnostic { code, path, message, position, .. } = problem;
        let place = if path.is_empty() { String::new() } else { format!("{path}: ") };
        format!("{}:{}:{}: {code} {place}{message}", self.file_name(), position.line, position.column)
    }

    fn file_name(&self) -> &str {
        self.file.trim_end_matches('/').rsplit(['/', '\\']).next().unwrap_or(&self.file)
    }

    fn remark(&self, code: &'static str, message: String) -> Diagnostic {
        Diagnostic::about(self.file.as_str(), DiagnosticSeverity::Error, code, message)
    }
}

/// Why a file cannot be read, without its folders.
fn unreadable(error: &ReadError) -> &'static str {
    match error {
        ReadError::Missing { .. } => "The file does not exist",
        ReadError::Directory { .. } => "It is a directory, not a file",
        ReadError::NotRegular { .. } => "It is a pipe or a device, not a regular file",
        ReadError::TooLarge { .. } => "The file is too large",
        ReadError::Unreadable { .. } => "The file cannot be read",
    }
}
