//! `Aqueduct`: sources and settings in, a server or a caller out.
//!
//! This is what users of the library hold; the binary uses nothing else. Futures are boxed here: those of a whole server
//! nest deeper than the compiler follows in a user's crate.

use crate::boot::{self, Corrections, RefreshScope, SettingsByName, SourceSet, SourceSetSettings};
use crate::demo::DemoError;
use crate::grants::GrantList;
use crate::native::{Function, Natives, key_of};
use crate::reload::{self, CatalogPlan, FileWatcher, Reloaded, Reloader};
use crate::servers::{ConnectedServers, ServerNeed, ServerSettings};
use crate::session::Session;
use aqueduct_dispatch::cursor::CursorKey;
use aqueduct_dispatch::{Catalog, DispatchSettings, Dispatcher};
use aqueduct_operations::call::{Call, SessionEnd, SessionId};
use aqueduct_operations::clock::SystemClock;
use aqueduct_operations::diagnostic::{Diagnostic, DiagnosticSeverity};
use aqueduct_operations::exposure::{ContestedOperation, Exposure};
use aqueduct_operations::handler::{Handler, HandlerError};
use aqueduct_operations::mcp::ServerConfig;
use aqueduct_operations::native::OperationSpec;
use aqueduct_operations::registry::{LoadedSource, SourceClash};
use aqueduct_operations::reply::Reply;
use aqueduct_operations::trust::TrustLevel;
use aqueduct_safety::gatekeeper::{GateSettings, Gatekeeper};
use aqueduct_sources::SourceSettings;
use aqueduct_sources::adapter_file::AdapterFileKind;
use aqueduct_sources::disk::ReadError;
use aqueduct_sources::filter::OperationFilter;
use aqueduct_sources::kind::{EmptyList, KindTable, SourceKind};
use aqueduct_sources::overrides::{Override, OverridesFile};
use aqueduct_sources::report::ImportReport;
use aqueduct_surface::http::{self, HttpSettings, ListenError, Route};
use aqueduct_surface::metrics::Metrics;
use aqueduct_surface::stdio::{self, ServeError};
use aqueduct_upstream::{Environment, ProcessEnvironment, Upstream, UpstreamSettings, UpstreamStartError};
use futures::FutureExt;
use serde_json::{Map, Value};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// A set of APIs, ready to be served or called. Clones are the same set.
///
/// ```
/// use aqueduct::serde_json::{Map, Value, json};
/// use aqueduct::{Aqueduct, SourceSettings};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let aqueduct = Aqueduct::builder().source("demo", SourceSettings::default()).build()?;
/// let params = Map::from_iter([("book_id".to_owned(), json!(10))]);
/// let book: Value = aqueduct.call_operation("get_book", params).await.read()?;
/// assert_eq!(book["title"], "Moby-Dick");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Aqueduct {
    dispatcher: Arc<Dispatcher>,
    diagnostics: Arc<Vec<Diagnostic>>,
    metrics: Arc<Metrics>,
    http: Arc<HttpSettings>,
    pub(crate) reloader: Arc<Reloader>,
    servers: Arc<ConnectedServers>,
    /// The session of calls that are made by `call_operation`.
    own_session: SessionId,
}

/// Collects sources and settings.
///
/// ```
/// use aqueduct::{Aqueduct, SourceSettings, TrustLevel};
///
/// let settings = SourceSettings { trust: Some(TrustLevel::Certified), ..SourceSettings::default() };
/// let nothing = Aqueduct::builder().adapter_text("shop-adapter.md", "---\nname: shop\n---\n", settings).build();
/// let error = nothing.err().map(|error| error.to_string()).unwrap_or_default();
/// assert!(error.contains("shop-adapter.md:2:1: error[MISSING_KEY] type: Adapter type is required"), "{error}");
/// ```
#[derive(Debug, Default)]
pub struct Builder {
    sources: Vec<GivenSource>,
    kinds: KindTable,
    by_name: SettingsByName,
    exposure: Exposure,
    dispatch: DispatchSettings,
    gate: GateSettings,
    http: HttpSettings,
    environment: Option<Arc<dyn Environment>>,
    cursor_key: Option<CursorKey>,
    is_watched: bool,
    corrections: Corrections,
    servers: ServerSettings,
    grants: Option<PathBuf>,
    need: ServerNeed,
    natives: Natives,
}

/// A source as it was given.
#[derive(Debug, Clone)]
pub(crate) enum GivenSource {
    /// A file or a directory.
    Path(PathBuf, SourceSettings),
    /// A text that stays as it is.
    Text {
        /// What it is.
        kind: Arc<dyn SourceKind>,
        /// The name to show for it.
        file: String,
        /// What is in it.
        text: String,
        /// What is set for it.
        settings: SourceSettings,
    },
    /// A source that the program made itself.
    Ready(Box<LoadedSource>),
}

/// Why there is nothing to serve.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// Files with errors in them.
    #[error("there are errors in the sources: {}", first_of(.0))]
    Invalid(Vec<Diagnostic>),
    /// A file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// No adapter in a directory, or no source at all.
    #[error("{0}")]
    Nothing(String),
    /// Something that is no source we know.
    #[error("{0}")]
    NotASource(String),
    /// A setting for a source that is not there.
    #[error("there is no source named '{name}'; the sources are: {}", known.join(", "))]
    UnknownSource {
        /// The name in the setting.
        name: String,
        /// The names there are.
        known: Vec<String>,
    },
    /// Two sources that cannot be told apart.
    #[error(transparent)]
    Clash(#[from] SourceClash),
    /// Two families that name the same operation.
    #[error(transparent)]
    Contested(#[from] ContestedOperation),
    /// The sample cannot open.
    #[error(transparent)]
    Demo(#[from] DemoError),
    /// A document cannot be fetched.
    #[error("{0}")]
    Web(String),
    /// The HTTP client cannot start.
    #[error(transparent)]
    Upstream(#[from] UpstreamStartError),
}

impl From<EmptyList> for BuildError {
    fn from(empty: EmptyList) -> BuildError {
        match empty {
            EmptyList::Invalid(diagnostics) => BuildError::Invalid(diagnostics),
            EmptyList::Nothing(message) => BuildError::Nothing(message),
        }
    }
}

/// So many errors are in the text; all of them are in the list.
const SHOWN_ERRORS: usize = 3;

/// The first errors, each with its place and in one line.
fn first_of(diagnostics: &[Diagnostic]) -> String {
    let errors: Vec<&Diagnostic> =
        diagnostics.iter().filter(|each| each.severity == DiagnosticSeverity::Error).collect();
    let shown = errors.iter().take(SHOWN_ERRORS).map(|error| {
        let text = error.to_string();
        text.lines().next().unwrap_or_default().to_owned()
    });
    let mut text = shown.collect::<Vec<_>>().join("; ");
    if errors.len() > SHOWN_ERRORS {
        text.push_str(&format!("; and {} more", errors.len() - SHOWN_ERRORS));
    }
    text
}

impl Aqueduct {
    /// Starts with nothing.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// What was remarked while loading: warnings and hints, and errors of files that are not served.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Reads every file again and serves what they say now; clients are told when that is something else. A file that is
    /// no good any more stays in service as it was, and calls that have begun go on in any case.
    pub fn reload(&self) -> Reloaded {
        self.reloader.reload(RefreshScope::All)
    }

    /// Loads files again whenever they change, as long as what this gives is kept. `told` hears of each time when
    /// something was found, on the thread that watches.
    #[must_use = "files are watched only as long as this is kept"]
    pub fn watch(&self, told: impl Fn(&Reloaded) + Send + 'static) -> FileWatcher {
        reload::watch(Arc::clone(&self.reloader), Box::new(told))
    }

    /// Follows what MCP servers offer, as long as what this gives is kept, and leaves files alone.
    #[must_use = "servers are followed only as long as this is kept"]
    pub fn follow_servers(&self, told: impl Fn(&Reloaded) + Send + 'static) -> FileWatcher {
        reload::follow_servers(Arc::clone(&self.reloader), Box::new(told))
    }

    /// What the imports among the sources did: what was found, renamed and left out.
    pub fn reports(&self) -> Vec<ImportReport> {
        self.reloader.reports()
    }

    /// The sources in service, with their operations.
    pub(crate) fn loaded(&self) -> Vec<LoadedSource> {
        self.reloader.loaded()
    }

    /// How the only MCP server among the sources is reached.
    pub(crate) fn server_config(&self) -> Option<ServerConfig> {
        self.reloader.server_config()
    }

    /// The discovery bundle of the only MCP server among the sources.
    pub(crate) fn bundle(&self, captured_at: &str) -> Option<Value> {
        self.reloader.bundle(captured_at)
    }

    /// Ends the MCP servers that were started, with time to leave in order. Dropping the last clone ends them at once.
    pub async fn close(&self) {
        self.servers.close().await;
    }

    /// What can be called.
    pub(crate) fn catalog(&self) -> Arc<Catalog> {
        self.dispatcher.catalog()
    }

    /// Runs one call.
    pub async fn call(&self, call: Call) -> Reply {
        self.dispatcher.call(call).boxed().await
    }

    /// Runs one operation by name, in the one session of the program itself: what must be confirmed runs when the same is called
    /// again with the token as `confirmation_token`. Whoever calls for several people has a [`Session`] for each.
    pub async fn call_operation(&self, operation: &str, params: Map<String, Value>) -> Reply {
        Session::lasting(self.clone(), self.own_session.clone()).call(operation, params).await
    }

    /// A session: calls that belong together, so that what one of them asks for can be confirmed by another.
    pub fn session(&self) -> Session {
        Session::new(self.clone())
    }

    /// Ends a session, and with it what was kept for it.
    pub(crate) fn end_session(&self, session: &SessionId) {
        self.dispatcher.end_session(session, SessionEnd::Graceful);
    }

    /// Every MCP server that is connected to: how many tools it offers, or why it is not there.
    pub(crate) fn server_states(&self) -> Vec<(String, Result<usize, String>)> {
        self.servers.states()
    }

    /// The MCP servers among the sources that were not started, because nobody needs them.
    pub(crate) fn servers_not_started(&self) -> Vec<ServerConfig> {
        self.servers.asked()
    }

    /// Serves one MCP session over standard input and output, until the input ends or `stop` is cancelled.
    pub async fn serve_stdio(&self, stop: CancellationToken) -> Result<(), ServeError> {
        stdio::serve_process(Arc::clone(&self.dispatcher), stop).boxed().await
    }

    /// Serves one MCP session over any pair of byte streams.
    pub async fn serve_streams<R, W>(
        &self,
        input: R,
        output: W,
        stop: CancellationToken,
    ) -> Result<(), ServeError>
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        stdio::serve(Arc::clone(&self.dispatcher), input, output, stop).boxed().await
    }

    /// Serves MCP clients over HTTP at `/mcp` until `stop` is cancelled. Off loopback there must be tokens.
    pub async fn serve_http(
        &self,
        listener: TcpListener,
        stop: CancellationToken,
    ) -> Result<(), ListenError> {
        let settings = HttpSettings::clone(&self.http);
        http::serve(&self.dispatcher, &self.metrics, listener, settings, stop).boxed().await
    }

    /// The routes of `serve_http`, for a web server of one's own: to be merged with others, or nested under a path.
    /// Whoever listens off loopback sets tokens, and names the hosts in [`HttpSettings::allowed_hosts`].
    ///
    /// ```
    /// # use aqueduct::{Aqueduct, BuildError, SourceSettings};
    /// # fn main() -> Result<(), BuildError> {
    /// let aqueduct = Aqueduct::builder().source("demo", SourceSettings::default()).build()?;
    /// let own = aqueduct::axum::Router::<()>::new();
    /// let app = own.nest("/ai", aqueduct.router()); // MCP clients connect to /ai/mcp
    /// # drop(app);
    /// # Ok(())
    /// # }
    /// ```
    pub fn router(&self) -> axum::Router {
        self.router_of(&Route::ALL)
    }

    /// These routes alone, where the web server has others of the same path.
    pub fn router_of(&self, routes: &[Route]) -> axum::Router {
        http::router(&self.dispatcher, &self.metrics, &self.http, routes)
    }
}

impl Builder {
    /// Adds an adapter file, or a directory of them. The word `demo` stands for the embedded sample.
    #[must_use]
    pub fn source(mut self, path: impl Into<PathBuf>, settings: SourceSettings) -> Builder {
        self.sources.push(GivenSource::Path(path.into(), settings));
        self
    }

    /// Adds a kind of source, which is asked after those that are known.
    #[must_use]
    pub fn source_kind(mut self, kind: Arc<dyn SourceKind>) -> Builder {
        self.kinds.add(kind);
        self
    }

    /// Adds an adapter file by its text. `file` is the name shown in messages, and ends in `-adapter.md`.
    #[must_use]
    pub fn adapter_text(
        mut self,
        file: impl Into<String>,
        text: impl Into<String>,
        settings: SourceSettings,
    ) -> Builder {
        let kind = Arc::new(AdapterFileKind);
        self.sources.push(GivenSource::Text { kind, file: file.into(), text: text.into(), settings });
        self
    }

    /// Adds an operation of the program itself: what it is, and the function that runs it. Its source is the namespace.
    #[must_use]
    pub fn operation<F, A>(self, spec: OperationSpec, function: F) -> Builder
    where
        F: Fn(Map<String, Value>) -> A + Send + Sync + 'static,
        A: Future<Output = Result<Value, HandlerError>> + Send + 'static,
    {
        let key = key_of(&spec);
        let handler = Arc::new(Function::new(key.clone(), function));
        self.operation_spec(spec).handler(key, handler)
    }

    /// Adds an operation of the program itself, whose handler is added apart.
    #[must_use]
    pub fn operation_spec(mut self, spec: OperationSpec) -> Builder {
        self.natives.spec(spec);
        self
    }

    /// Adds the handler of an operation that is declared apart, here or in an operation file: `<namespace>.<name>`.
    #[must_use]
    pub fn handler(mut self, key: impl Into<String>, handler: Arc<dyn Handler>) -> Builder {
        self.natives.handler(key.into(), handler);
        self
    }

    /// Keeps only some operations of every source.
    #[must_use]
    pub fn filter(mut self, filter: OperationFilter) -> Builder {
        self.corrections.filter = filter;
        self
    }

    /// Corrects what sources say of their operations, as a file says.
    #[must_use]
    pub fn overrides(mut self, overrides: OverridesFile) -> Builder {
        self.corrections.overrides = overrides;
        self
    }

    /// Corrects what the source with this name says of its operations.
    #[must_use]
    pub fn corrections_for(mut self, name: impl Into<String>, rules: Vec<Override>) -> Builder {
        self.corrections.by_source.insert(name.into(), rules);
        self
    }

    /// Sets how other MCP servers are run.
    #[must_use]
    pub fn servers(mut self, settings: ServerSettings) -> Builder {
        self.servers = settings;
        self
    }

    /// Sets the file in which it is kept what the operator allows to adapter files that somebody else wrote: which of the
    /// variables that they name is sent where, which program is started. Without one nothing of that is allowed.
    #[must_use]
    pub fn grants_file(mut self, path: impl Into<PathBuf>) -> Builder {
        self.grants = Some(path.into());
        self
    }

    /// Sets what holds for the source with this name, wherever it comes from. There must be such a source.
    #[must_use]
    pub fn settings_for(mut self, name: impl Into<String>, settings: SourceSettings) -> Builder {
        self.by_name.required.insert(name.into(), settings);
        self
    }

    /// Sets the trust in every source for whose name nothing else is set.
    #[must_use]
    pub fn trust_in_all(mut self, level: TrustLevel) -> Builder {
        self.by_name.trust_in_all = Some(level);
        self
    }

    /// Sets what holds for the source with this name, if there is one, where nothing else says so.
    #[must_use]
    pub fn defaults_for(mut self, name: impl Into<String>, settings: SourceSettings) -> Builder {
        self.by_name.defaults.insert(name.into(), settings);
        self
    }

    /// Sets mode, profile and prefix of the tools.
    #[must_use]
    pub fn exposure(mut self, exposure: Exposure) -> Builder {
        self.exposure = exposure;
        self
    }

    /// Sets limits and strictness.
    #[must_use]
    pub fn dispatch(mut self, settings: DispatchSettings) -> Builder {
        self.dispatch = settings;
        self
    }

    /// Sets how confirmations work.
    #[must_use]
    pub fn gate(mut self, settings: GateSettings) -> Builder {
        self.gate = settings;
        self
    }

    /// Sets how clients are served over HTTP, and which.
    #[must_use]
    pub fn http(mut self, settings: HttpSettings) -> Builder {
        self.http = settings;
        self
    }

    /// Sets the key of cursors. Servers with the same key take each other's; without one, cursors end with the process.
    #[must_use]
    pub fn cursor_key(mut self, key: CursorKey) -> Builder {
        self.cursor_key = Some(key);
        self
    }

    /// Waits so long for MCP servers that were never seen before.
    pub(crate) fn patience(mut self, patience: Duration) -> Builder {
        self.servers.patience = patience;
        self
    }

    /// Says which MCP servers are needed.
    pub(crate) fn need(mut self, need: ServerNeed) -> Builder {
        self.need = need;
        self
    }

    /// Notes sections of a configuration that have to find their source among the others.
    pub(crate) fn sections(mut self, sections: Vec<boot::SourceSection>) -> Builder {
        self.by_name.sections = sections;
        self
    }

    /// Says whether the command that serves watches files.
    pub(crate) fn watched(mut self, is_watched: bool) -> Builder {
        self.is_watched = is_watched;
        self
    }

    /// True when files are to be watched.
    pub(crate) fn is_watched(&self) -> bool {
        self.is_watched
    }

    /// Takes out sources that are not at hand, on the web or behind a server; gives them with what is set for each.
    pub(crate) fn take_elsewhere(&mut self) -> Vec<(PathBuf, SourceSettings)> {
        let is_elsewhere = |source: &mut GivenSource| matches!(source, GivenSource::Path(path, _) if boot::is_elsewhere(path));
        let taken: Vec<GivenSource> = self.sources.extract_if(.., is_elsewhere).collect();
        if !taken.is_empty() {
            // What has to be there may be what was taken out.
            for (name, required) in std::mem::take(&mut self.by_name.required) {
                let lower = self.by_name.defaults.remove(&name).unwrap_or_default();
                self.by_name.defaults.insert(name, boot::layered(&required, &lower));
            }
        }
        let named = |source| match source {
            GivenSource::Path(path, settings) => Some((path, settings)),
            GivenSource::Text { .. } | GivenSource::Ready(_) => None,
        };
        taken.into_iter().filter_map(named).collect()
    }

    /// True when something was given to serve.
    pub(crate) fn has_sources(&self) -> bool {
        !self.sources.is_empty()
    }

    /// Where the settings say to listen for HTTP.
    pub(crate) fn listen(&self) -> Option<String> {
        self.http.listen.clone()
    }

    /// Refuses an address that others can reach while nobody needs a token.
    pub(crate) fn check_reach(&self, address: SocketAddr) -> Result<(), ListenError> {
        self.http.check_reach(address)
    }

    /// Sets where credentials are looked up; the process environment when not set.
    #[must_use]
    pub fn environment(mut self, environment: Arc<dyn Environment>) -> Builder {
        self.environment = Some(environment);
        self
    }

    /// Loads every source. With several files, one with errors does not keep the others from being served; when nothing can
    /// be served, the errors of all files are reported together.
    pub fn build(self) -> Result<Aqueduct, BuildError> {
        let mut given = boot::opened(self.sources)?;
        let mut natives = self.natives;
        let skipped = boot::scan_operation_files(&given, &mut natives);
        let (sources, remarks) = natives.joined();
        given.extend(sources.into_iter().map(|loaded| GivenSource::Ready(Box::new(loaded))));
        let environment = self.environment.unwrap_or_else(|| Arc::new(ProcessEnvironment));
        let patience = self.servers.patience;
        let servers = Arc::new(ConnectedServers::new(self.servers, self.need, Arc::clone(&environment)));
        let settings = SourceSetSettings {
            kinds: self.kinds,
            by_name: self.by_name,
            corrections: self.corrections,
            exposure: self.exposure.clone(),
            servers: Arc::clone(&servers),
            grants: Arc::new(GrantList::new(self.grants)),
            patience,
        };
        let (sources, registry, mut diagnostics) = SourceSet::open(given, settings)?;
        diagnostics.extend(skipped.into_iter().chain(remarks));
        let plan = CatalogPlan { exposure: self.exposure, limits: self.dispatch.limits.clone() };
        let catalog = plan.catalog(registry);
        let upstream_settings = UpstreamSettings {
            max_response_size: self.dispatch.limits.max_response_size,
            ..UpstreamSettings::default()
        };
        let upstream = Upstream::new(upstream_settings, environment)?;
        let gatekeeper = Gatekeeper::new(self.gate, Arc::new(SystemClock));
        let metrics = Arc::new(Metrics::default());
        let mut dispatch = self.dispatch;
        dispatch.cursor_key = self.cursor_key.or(dispatch.cursor_key);
        let dispatcher =
            Dispatcher::new(catalog, gatekeeper, upstream, dispatch).observed_by(Arc::clone(&metrics) as _);
        let dispatcher = Arc::new(dispatcher);
        Ok(Aqueduct {
            reloader: Arc::new(Reloader::new(sources, Arc::clone(&dispatcher), plan)),
            servers,
            dispatcher,
            diagnostics: Arc::new(diagnostics),
            metrics,
            http: Arc::new(self.http),
            own_session: Session::new_id(),
        })
    }
}
