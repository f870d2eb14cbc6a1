//! `Aqueduct`: what was built, to be served to clients or called by the program.
//!
//! This is what users of the library hold; the binary uses nothing else. Futures are boxed here: those of a whole server
//! nest deeper than the compiler follows in a user's crate.

use crate::boot::RefreshScope;
use crate::builder::Builder;
use crate::reload::{self, FileWatcher, Reloaded, Reloader};
use crate::servers::ConnectedServers;
#[cfg(feature = "serve")]
use crate::serving::ServeState;
use crate::session::Session;
use aqueduct_dispatch::{Catalog, Dispatcher};
use aqueduct_operations::call::{Call, Caller, SessionEnd, SessionId};
use aqueduct_operations::diagnostic::Diagnostic;
use aqueduct_operations::mcp::ServerConfig;
use aqueduct_operations::registry::LoadedSource;
use aqueduct_operations::reply::Reply;
#[cfg(all(feature = "serve", feature = "store"))]
use aqueduct_safety::confirmation::GateSettings;
use aqueduct_source_kind::connection::Connection;
use aqueduct_source_kind::report::ImportReport;
#[cfg(feature = "store")]
use aqueduct_store::Store;
use futures::FutureExt;
use serde_json::{Map, Value};
use std::sync::Arc;
use std::time::Duration;

/// How long the store is waited for at the end.
#[cfg(feature = "store")]
const LAST_LINES: Duration = Duration::from_secs(5);

/// How long APIs are waited for at the end, which are told that their jobs are not wanted any more.
const LAST_EXECUTIONS: Duration = Duration::from_secs(5);

/// A set of APIs, ready to be served or called. Clones are the same set.
///
/// ```
/// use aqueduct::serde_json::{Map, Value, json};
/// use aqueduct::{Aqueduct, OperationKind, OperationSpec};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let spec = OperationSpec::new("shop", "get_book", OperationKind::Query, "Get the book of the day");
/// let book = |_: Map<String, Value>| async { Ok(json!({"title": "Moby-Dick"})) };
/// let aqueduct = Aqueduct::builder().operation(spec, book).build()?;
/// let book: Value = aqueduct.call_operation("get_book", Map::new()).await.read()?;
/// assert_eq!(book["title"], "Moby-Dick");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Aqueduct {
    pub(crate) dispatcher: Arc<Dispatcher>,
    pub(crate) diagnostics: Arc<Vec<Diagnostic>>,
    #[cfg(feature = "serve")]
    pub(crate) serving: Arc<ServeState>,
    pub(crate) reloader: Arc<Reloader>,
    pub(crate) servers: Arc<ConnectedServers>,
    #[cfg(feature = "store")]
    pub(crate) store: Option<Store>,
    /// What the yes of an operator is good for.
    #[cfg(all(feature = "serve", feature = "store"))]
    pub(crate) gate_settings: GateSettings,
    /// How long a code that the operator is shown is good.
    #[cfg(all(feature = "serve", feature = "store"))]
    pub(crate) challenge_ttl: Duration,
    /// The session of calls that are made by `call_operation`.
    pub(crate) own_session: SessionId,
}

impl Aqueduct {
    /// Starts with nothing.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// What was found while loading: warnings and hints, and errors of files that are not served.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Reads every file again and serves what they say now; clients are notified when that is something else. A file that is
    /// no good any more stays in service as it was, and calls that have begun go on in any case.
    pub fn reload(&self) -> Reloaded {
        self.reloader.reload(RefreshScope::All)
    }

    /// Loads files again whenever they change, as long as what this gives is kept. `on_reload` is called each time when
    /// something was found, on the thread that watches.
    #[must_use = "files are watched only as long as this is kept"]
    pub fn watch(&self, on_reload: impl Fn(&Reloaded) + Send + 'static) -> FileWatcher {
        reload::watch(Arc::clone(&self.reloader), Box::new(on_reload))
    }

    /// Follows what MCP servers and other connections offer, as long as what this gives is kept, and leaves files alone.
    #[must_use = "servers are followed only as long as this is kept"]
    pub fn follow_servers(&self, on_reload: impl Fn(&Reloaded) + Send + 'static) -> FileWatcher {
        reload::follow_connections(Arc::clone(&self.reloader), Box::new(on_reload))
    }

    /// What the imports among the sources did: what was found, renamed and left out.
    pub fn reports(&self) -> Vec<ImportReport> {
        self.reloader.sources().reports()
    }

    /// The sources in service, with their operations.
    pub fn loaded(&self) -> Vec<LoadedSource> {
        self.reloader.sources().loaded()
    }

    /// What the only source behind a connection, such as an MCP server, is reached by.
    pub fn connection(&self) -> Option<Arc<dyn Connection>> {
        self.reloader.sources().connection()
    }

    /// The discovery bundle of the only source behind a connection.
    pub fn bundle(&self, captured_at: &str) -> Option<Value> {
        self.reloader.sources().bundle(captured_at)
    }

    /// Leaves executions in order, ends the MCP servers that were started, with time to leave in order, waits for the last lines of the audit, and seals it.
    /// Dropping the last clone ends servers at once.
    pub async fn close(&self) {
        self.dispatcher.close_executions(LAST_EXECUTIONS).await;
        self.servers.close().await;
        #[cfg(feature = "store")]
        self.reloader.close_agents().await;
        #[cfg(feature = "store")]
        if let Some(store) = &self.store {
            store.close(LAST_LINES).await;
        }
    }

    /// Waits, for a while, until everything is in the store that no one waited for: the last lines of the audit, ended sessions.
    #[cfg(feature = "store")]
    pub async fn settle(&self) {
        self.dispatcher.close_executions(LAST_EXECUTIONS).await;
        if let Some(store) = &self.store {
            store.settle(LAST_LINES).await;
        }
    }

    /// What can be called.
    pub fn catalog(&self) -> Arc<Catalog> {
        self.dispatcher.catalog()
    }

    /// Runs one call.
    pub async fn call(&self, call: Call) -> Reply {
        self.dispatcher.call(call).boxed().await
    }

    /// Runs one operation by name, in the one session of the program itself: what must be confirmed runs when the same is called
    /// again with the token as `confirmation_token`. A program that calls for several people has a [`Session`] for each.
    pub async fn call_operation(&self, operation: &str, params: Map<String, Value>) -> Reply {
        Session::lasting(self.clone(), self.own_session.clone()).call(operation, params).await
    }

    /// A session: calls that belong together, so that what one of them asks for can be confirmed by another.
    pub fn session(&self) -> Session {
        Session::new(self.clone())
    }

    /// Ends a session of this caller, and with it what was kept for it.
    pub(crate) fn end_session(&self, session: &SessionId, caller: &Caller) {
        self.dispatcher.end_session(session, caller, SessionEnd::Graceful);
    }

    /// Every MCP server that is connected to: how many tools it offers, or why it is not there.
    pub fn server_states(&self) -> Vec<(String, Result<usize, String>)> {
        self.servers.states()
    }

    /// The MCP servers among the sources that were not started, because no one needs them.
    pub fn servers_not_started(&self) -> Vec<ServerConfig> {
        self.servers.not_started()
    }
}
