//! `Aqueduct`: what was built, to be served to clients or called by the program.
//!
//! This is what users of the library hold; the binary uses nothing else. Futures are boxed here: those of a whole server
//! nest deeper than the compiler follows in a user's crate.

use crate::boot::RefreshScope;
use crate::builder::Builder;
use crate::reload::{self, FileWatcher, Reloaded, Reloader};
use crate::servers::ConnectedServers;
use crate::session::Session;
use aqueduct_dispatch::{Catalog, Dispatcher};
use aqueduct_operations::call::{Call, SessionEnd, SessionId};
use aqueduct_operations::diagnostic::Diagnostic;
use aqueduct_operations::mcp::ServerConfig;
use aqueduct_operations::registry::LoadedSource;
use aqueduct_operations::reply::Reply;
use aqueduct_source_kind::report::ImportReport;
use aqueduct_surface::http::{self, HttpSettings, ListenError, Route};
use aqueduct_surface::metrics::Metrics;
use aqueduct_surface::stdio::{self, ServeError};
use futures::FutureExt;
use serde_json::{Map, Value};
use std::sync::Arc;
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

/// What an `Aqueduct` is put together of.
#[derive(Debug)]
pub(crate) struct AqueductParts {
    /// Runs calls.
    pub dispatcher: Arc<Dispatcher>,
    /// Findings of loading.
    pub diagnostics: Vec<Diagnostic>,
    /// Counts calls.
    pub metrics: Arc<Metrics>,
    /// How clients are served over HTTP.
    pub http: HttpSettings,
    /// Keeps the sources up to date.
    pub reloader: Reloader,
    /// The servers that are connected to.
    pub servers: Arc<ConnectedServers>,
}

impl Aqueduct {
    /// Puts together what a builder made.
    pub(crate) fn new(parts: AqueductParts) -> Aqueduct {
        let AqueductParts { dispatcher, diagnostics, metrics, http, reloader, servers } = parts;
        Aqueduct {
            dispatcher,
            diagnostics: Arc::new(diagnostics),
            metrics,
            http: Arc::new(http),
            reloader: Arc::new(reloader),
            servers,
            own_session: Session::new_id(),
        }
    }

    /// Starts with nothing.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// What was found while loading: warnings and hints, and errors of files that are not served.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Reads every file again and serves what they say now; clients are told when that is something else. A file that is
    /// no good any more stays in service as it was, and calls that have begun go on in any case.
    pub fn reload(&self) -> Reloaded {
        self.reloader.reload(RefreshScope::All)
    }

    /// Loads files again whenever they change, as long as what this gives is kept. `on_reload` hears of each time when
    /// something was found, on the thread that watches.
    #[must_use = "files are watched only as long as this is kept"]
    pub fn watch(&self, on_reload: impl Fn(&Reloaded) + Send + 'static) -> FileWatcher {
        reload::watch(Arc::clone(&self.reloader), Box::new(on_reload))
    }

    /// Follows what MCP servers offer, as long as what this gives is kept, and leaves files alone.
    #[must_use = "servers are followed only as long as this is kept"]
    pub fn follow_servers(&self, on_reload: impl Fn(&Reloaded) + Send + 'static) -> FileWatcher {
        reload::follow_servers(Arc::clone(&self.reloader), Box::new(on_reload))
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
