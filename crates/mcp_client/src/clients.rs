//! All servers together: added, found by name, listed, closed.
//!
//! Everything runs on one thread of its own, with its own runtime, so that clients can be made, used and dropped from
//! any code, inside a runtime or not. Dropping them ends the children at once; `close_all` gives them time.

use crate::event::ClientEvent;
use crate::handler::{ToolCall, ToolHandler};
use crate::server::{ServerState, ServerSupervisor};
use crate::settings::ClientSettings;
use aqueduct_egress::environment::Environment;
use aqueduct_operations::gatekeeper::ConnectPermit;
use aqueduct_operations::handler::SealedHandler;
use aqueduct_operations::mcp::{ServerConfig, ServerListing};
use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::runtime;
use tokio::sync::{broadcast, oneshot};

/// The longest wait for children when clients are dropped without being closed.
const LONGEST_DROP: Duration = Duration::from_secs(5);

/// Clients of other MCP servers.
#[derive(Debug)]
pub struct McpClients {
    settings: Arc<ClientSettings>,
    environment: Arc<dyn Environment>,
    events: broadcast::Sender<ClientEvent>,
    runtime: runtime::Handle,
    servers: Mutex<BTreeMap<String, Arc<ServerSupervisor>>>,
    thread: Mutex<Option<(oneshot::Sender<()>, JoinHandle<()>)>>,
}

/// One client.
#[derive(Debug, Clone)]
pub struct McpClient {
    server: Arc<ServerSupervisor>,
    runtime: runtime::Handle,
}

/// A server that could not be connected to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the MCP server '{name}' is not connected: {why}")]
pub struct NotConnected {
    /// Its name.
    pub name: String,
    /// Why, in words, with the last line of its standard error; for the operator's eyes.
    pub why: String,
}

/// Why a server is not connected that may be so at any moment.
const STILL_STARTING: &str = "it is still starting";

impl NotConnected {
    /// True when it has not failed, but takes its time.
    pub fn is_starting(&self) -> bool {
        self.why == STILL_STARTING
    }
}

/// What came of loading several servers.
#[derive(Debug, Default)]
pub struct LoadedServers {
    /// Those that are connected.
    pub clients: Vec<McpClient>,
    /// Those that are not, all together; they are tried again in the background.
    pub failures: Vec<NotConnected>,
}

/// What to do when some servers cannot be connected to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnFailure {
    /// Keep the others.
    #[default]
    KeepOthers,
    /// Close all that were opened.
    CloseAll,
}

impl McpClients {
    /// Starts the thread on which connections live.
    pub fn start(settings: ClientSettings, environment: Arc<dyn Environment>) -> io::Result<McpClients> {
        aqueduct_egress::tls::ready();
        let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        let (stop, stopped) = oneshot::channel::<()>();
        let thread = std::thread::Builder::new().name("mcp-clients".into()).spawn(move || {
            runtime.block_on(stopped).ok();
        })?;
        Ok(McpClients {
            settings: Arc::new(settings),
            environment,
            events: broadcast::Sender::new(1_024),
            runtime: handle,
            servers: Mutex::default(),
            thread: Mutex::new(Some((stop, thread))),
        })
    }

    /// Starts to connect to a server, and gives its client at once. One of the same name is closed first. Nothing is started or
    /// connected to without a permit:
    ///
    /// ```compile_fail,E0308
    /// use aqueduct_mcp_client::{McpClient, McpClients};
    /// use aqueduct_operations::mcp::ServerConfig;
    ///
    /// fn unasked(clients: &McpClients, config: ServerConfig) -> McpClient {
    ///     clients.add(config)
    /// }
    /// ```
    pub fn add(&self, permit: ConnectPermit) -> McpClient {
        let name = permit.config().name.clone();
        let (settings, environment) = (Arc::clone(&self.settings), Arc::clone(&self.environment));
        let server = Arc::new(ServerSupervisor::new(permit, settings, environment, self.events.clone()));
        let before = self.servers().insert(name, Arc::clone(&server));
        if let Some(before) = before {
            before.stop(false);
        }
        self.runtime.spawn(Arc::clone(&server).supervise());
        self.client_of(server)
    }

    /// Closes one server's connection in the background, and forgets it.
    pub fn remove(&self, name: &str) {
        if let Some(server) = self.servers().remove(name) {
            server.stop(false);
        }
    }

    /// Adds servers and waits until each is connected or known not to be.
    pub async fn load(
        &self,
        permits: impl IntoIterator<Item = ConnectPermit>,
        on_failure: OnFailure,
    ) -> Result<LoadedServers, Vec<NotConnected>> {
        let added: Vec<McpClient> = permits.into_iter().map(|permit| self.add(permit)).collect();
        let mut loaded = LoadedServers::default();
        for client in added {
            match client.ready().await {
                Ok(()) => loaded.clients.push(client),
                Err(failure) => loaded.failures.push(failure),
            }
        }
        if on_failure == OnFailure::CloseAll && !loaded.failures.is_empty() {
            let names = loaded.clients.iter().map(McpClient::name).map(str::to_owned);
            let failed = loaded.failures.iter().map(|failure| failure.name.clone());
            let servers: Vec<Arc<ServerSupervisor>> =
                names.chain(failed).filter_map(|name| self.servers().remove(&name)).collect();
            close(&servers).await;
            return Err(loaded.failures);
        }
        Ok(loaded)
    }

    /// The client of this name.
    pub fn client(&self, name: &str) -> Option<McpClient> {
        self.servers().get(name).map(|server| self.client_of(Arc::clone(server)))
    }

    /// All clients, by name.
    pub fn clients(&self) -> Vec<McpClient> {
        self.servers().values().map(|server| self.client_of(Arc::clone(server))).collect()
    }

    /// What a server offers, once it is known.
    pub fn listing(&self, name: &str) -> Option<Arc<ServerListing>> {
        self.client(name).and_then(|client| client.listing())
    }

    /// The code that calls a tool under its own names, whether or not its server is connected yet, and fits its structured
    /// content to what it declares; none for a server that was not added.
    pub fn handler(&self, name: &str, tool: &str) -> Option<SealedHandler> {
        let client = self.client(name)?;
        Some(client.handler(ToolCall { tool: tool.to_owned(), fits_output: true, ..ToolCall::default() }))
    }

    /// Waits until every server is connected or known not to be, or the time is up; gives those that are not.
    pub async fn wait_ready(&self, longest: Duration) -> Vec<NotConnected> {
        self.wait_for(self.clients(), longest).await
    }

    /// Waits for these servers alone, in the same way.
    pub async fn wait_for(&self, clients: Vec<McpClient>, longest: Duration) -> Vec<NotConnected> {
        let mut missing = Vec::new();
        // The wait runs on the clients' thread, since the caller that waits may have no timer.
        let waited = self.runtime.spawn(async move {
            let deadline = tokio::time::Instant::now() + longest;
            for client in clients {
                match tokio::time::timeout_at(deadline, client.ready()).await {
                    Ok(Ok(())) => {}
                    Ok(Err(failure)) => missing.push(failure),
                    Err(_) => missing.push(client.not_connected(STILL_STARTING)),
                }
            }
            missing
        });
        waited.await.unwrap_or_default()
    }

    /// The events from now on; a subscriber that falls more than a thousand behind misses the oldest.
    pub fn events(&self) -> broadcast::Receiver<ClientEvent> {
        self.events.subscribe()
    }

    /// Closes every connection and ends every child, with time to leave in order.
    pub async fn close_all(&self) {
        let servers = std::mem::take(&mut *self.servers());
        close(&servers.into_values().collect::<Vec<_>>()).await;
    }

    fn servers(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Arc<ServerSupervisor>>> {
        self.servers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn client_of(&self, server: Arc<ServerSupervisor>) -> McpClient {
        McpClient { server, runtime: self.runtime.clone() }
    }
}

async fn close(servers: &[Arc<ServerSupervisor>]) {
    for server in servers {
        server.stop(false);
    }
    for server in servers {
        server.closed().await;
    }
}

impl Drop for McpClients {
    fn drop(&mut self) {
        let servers = std::mem::take(&mut *self.servers());
        for server in servers.values() {
            server.stop(true);
        }
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some((stop, thread)) = thread else { return };
        self.runtime.spawn(async move {
            let servers: Vec<Arc<ServerSupervisor>> = servers.into_values().collect();
            tokio::time::timeout(LONGEST_DROP, close(&servers)).await.ok();
            stop.send(()).ok();
        });
        // On the clients' own thread, waiting for it would never end.
        if thread.thread().id() == std::thread::current().id() {
            return;
        }
        if thread.join().is_err() {
            tracing::error!(target: "aqueduct::mcp", "the thread of the MCP clients has failed");
        }
    }
}

impl McpClient {
    /// The server's name.
    pub fn name(&self) -> &str {
        &self.server.config().name
    }

    /// How it is reached.
    pub fn config(&self) -> &ServerConfig {
        self.server.config()
    }

    /// What it offers, once it is known.
    pub fn listing(&self) -> Option<Arc<ServerListing>> {
        self.server.listing()
    }

    /// True when it takes calls.
    pub fn is_ready(&self) -> bool {
        matches!(self.server.state(), ServerState::Ready(_))
    }

    /// Why it takes no calls, in words; nothing when it does.
    pub fn why_not_ready(&self) -> Option<String> {
        match self.server.state() {
            ServerState::Ready(_) => None,
            ServerState::Starting => Some(STILL_STARTING.to_owned()),
            ServerState::Down { why, .. } | ServerState::Broken { why } => Some(why.to_string()),
            ServerState::Closed => Some("it has been closed".to_owned()),
        }
    }

    /// Waits until it is connected, or known not to be.
    pub async fn ready(&self) -> Result<(), NotConnected> {
        match self.server.settled().await {
            ServerState::Ready(_) => Ok(()),
            ServerState::Down { why, last_stderr: Some(line), .. } => {
                Err(self.not_connected(&format!("{why}; its last words: {line}")))
            }
            ServerState::Down { why, .. } | ServerState::Broken { why } => Err(self.not_connected(&why)),
            ServerState::Starting | ServerState::Closed => Err(self.not_connected("it has been closed")),
        }
    }

    /// The code that calls a tool. Running it takes a permit.
    pub fn handler(&self, call: ToolCall) -> SealedHandler {
        SealedHandler::new(ToolHandler::new(Arc::clone(&self.server), self.runtime.clone(), call))
    }

    /// Closes this connection, with time to leave in order.
    pub async fn close(&self) {
        close(std::slice::from_ref(&self.server)).await;
    }

    fn not_connected(&self, why: &str) -> NotConnected {
        NotConnected { name: self.name().to_owned(), why: why.to_owned() }
    }
}
