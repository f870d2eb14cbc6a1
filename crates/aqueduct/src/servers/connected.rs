//! The MCP servers that sources connect to; nothing runs until the first one is added.
//!
//! Configurations in; what each server offers, and handlers of its tools, out. `gate` holds what a server offers against
//! what it offered when it was first seen. Callers wait once, from the first start on.

use super::gate::PinGate;
use super::{NamedServers, ServerNeed, ServerSettings, is_same};
use aqueduct_adapter_files::file_servers::{FileServers, not_connected};
use aqueduct_mcp_client::{
    ClientEvent, ClientSettings, McpClient, McpClients, NotConnected, OwnOrigins, Pins, ToolCall,
};
use aqueduct_operations::consent::{Consent, ConsentRequest};
use aqueduct_operations::digest::Digest;
use aqueduct_operations::gatekeeper::ConnectPermit;
use aqueduct_operations::handler::{Boxed, Envelope, Handler, HandlerCall, HandlerError, SealedHandler};
use aqueduct_operations::mcp::{ServerConfig, ServerListing};
use aqueduct_operations::naming::namespaced;
use aqueduct_source_kind::kind::ChangeListener;
use aqueduct_source_kind::named_connection::NamedConnection;
use aqueduct_sources::mcp_server::{ServerConnector, ServerOffer};
use aqueduct_upstream::Environment;
use serde_json::{Map, Value, json};
use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use tokio::sync::broadcast::error::RecvError;
use url::Url;

/// The servers that are connected to.
pub(crate) struct ConnectedServers {
    settings: ServerSettings,
    need: ServerNeed,
    environment: Arc<dyn Environment>,
    clients: OnceLock<Option<McpClients>>,
    began: OnceLock<Instant>,
    gate: Arc<PinGate>,
    /// Servers that are not to be started.
    named: NamedServers,
    /// Addresses that the operator gave.
    own_origins: OwnOrigins,
}

impl ConnectedServers {
    /// No server yet.
    pub fn new(
        settings: ServerSettings,
        need: ServerNeed,
        environment: Arc<dyn Environment>,
    ) -> ConnectedServers {
        let gate = Arc::new(PinGate::new(settings.pins.clone().map(Pins::new), settings.quarantine));
        ConnectedServers {
            settings,
            need,
            environment,
            clients: OnceLock::new(),
            began: OnceLock::new(),
            gate,
            named: NamedServers::default(),
            own_origins: OwnOrigins::default(),
        }
    }

    /// The servers that were named and are not started.
    pub fn not_started(&self) -> Vec<ServerConfig> {
        self.named.all()
    }

    /// Every server, by name: how many tools it offers now, or why it is not connected. Waits for those that are starting.
    pub fn states(&self) -> Vec<(String, Result<usize, String>)> {
        let Some(clients) = self.clients() else { return Vec::new() };
        let missing = futures_executor::block_on(clients.wait_ready(self.patience()));
        let state = |client: &McpClient| match missing.iter().find(|failure| failure.name == client.name()) {
            Some(failure) => Err(failure.why.clone()),
            None => Ok(client.listing().map_or(0, |listing| listing.tools.len())),
        };
        clients.clients().iter().map(|client| (client.name().to_owned(), state(client))).collect()
    }

    /// Ends every server, with time to leave in order.
    pub async fn close(&self) {
        if let Some(clients) = self.clients() {
            clients.close_all().await;
        }
    }

    /// How much longer servers are waited for.
    fn patience(&self) -> Duration {
        let waited = self.began.get().map_or(Duration::ZERO, Instant::elapsed);
        self.settings.patience.saturating_sub(waited)
    }

    fn clients(&self) -> Option<&McpClients> {
        self.clients.get().and_then(Option::as_ref)
    }

    fn started(&self) -> Option<&McpClients> {
        self.began.get_or_init(Instant::now);
        let start = || {
            let settings = ClientSettings {
                guard: self.settings.guard.clone(),
                own_origins: self.own_origins.clone(),
                ..ClientSettings::default()
            };
            McpClients::start(settings, Arc::clone(&self.environment))
                .inspect_err(
                    |error| tracing::error!(target: "aqueduct::load", %error, "no MCP server can be started"),
                )
                .ok()
        };
        self.clients.get_or_init(start).as_ref()
    }
}

impl ServerConnector for ConnectedServers {
    fn add(&self, permit: ConnectPermit) {
        if matches!(self.need, ServerNeed::Nothing) {
            return self.named.add(permit.config());
        }
        let Some(clients) = self.started() else { return };
        if !is_known(clients, permit.config()) {
            clients.add(permit);
        }
    }

    fn remove(&self, config: &ServerConfig) {
        if let Some(clients) = self.clients().filter(|clients| is_known(clients, config)) {
            clients.remove(&config.name);
        }
    }

    /// Those that were seen before need no wait.
    fn wait_for_listings(&self) {
        let Some(clients) = self.clients() else { return };
        let is_unknown = |client: &McpClient| !matches!(self.gate.known(client.config()), Ok(Some(_)));
        let is_meant = |client: &McpClient| match &self.need {
            ServerNeed::Operation(operation) => operation.starts_with(&namespaced(client.name(), "")),
            ServerNeed::All | ServerNeed::Nothing => false,
        };
        let mut unknown = clients.clients();
        if unknown.iter().any(is_meant) {
            unknown.retain(is_meant);
        }
        unknown.retain(is_unknown);
        let patience = self.patience();
        let first = self.settings.notice.map_or(patience, |notice| notice.after.min(patience));
        let mut failures = futures_executor::block_on(clients.wait_for(unknown.clone(), first));
        let starting = |failures: &[NotConnected]| -> Vec<String> {
            failures
                .iter()
                .filter(|failure| failure.is_starting())
                .map(|failure| failure.name.clone())
                .collect()
        };
        let names = starting(&failures);
        if let Some(notice) = self.settings.notice.filter(|_| !names.is_empty() && first < patience) {
            (notice.tell)(&names);
            unknown.retain(|client| names.iter().any(|name| name == client.name()));
            failures = futures_executor::block_on(clients.wait_for(unknown, self.patience()));
        }
        // Who asks for the listing of one that failed is told why.
        for failure in failures {
            tracing::debug!(target: "aqueduct::load", "{failure}");
        }
    }

    fn on_change(&self, listener: ChangeListener) {
        let Some(clients) = self.clients() else { return };
        let mut events = clients.events();
        let listen = move || {
            loop {
                match events.blocking_recv() {
                    Ok(ClientEvent::Same { .. }) => {}
                    Ok(ClientEvent::Lost { name, why, .. }) => {
                        tracing::warn!(target: "aqueduct::load", server = name, why, "the MCP server is not there");
                        listener();
                    }
                    Ok(ClientEvent::Listed { .. } | ClientEvent::Changed { .. }) => listener(),
                    Err(RecvError::Closed) => return,
                    // Some were missed: whatever they were, there is something to look at.
                    Err(RecvError::Lagged(_)) => listener(),
                }
            }
        };
        if let Err(error) = std::thread::Builder::new().name("mcp-changes".to_owned()).spawn(listen) {
            tracing::warn!(target: "aqueduct::load", %error, "changes of MCP servers are not followed");
        }
    }

    /// Before it is connected, what it offered the last time.
    fn listing(&self, config: &ServerConfig) -> Result<ServerOffer, Option<String>> {
        let client = self.clients().and_then(|clients| clients.client(&config.name));
        if let Some(listing) = client.as_ref().and_then(|client| client.listing()) {
            return self.gate.reviewed(config, &listing).map_err(Some);
        }
        let known = self.gate.known(config).map_err(Some)?;
        known.ok_or_else(|| match client {
            Some(client) => {
                let why = client.why_not_ready()?;
                Some(format!("The MCP server '{}' offers nothing yet: {why}", config.name))
            }
            None if self.clients().is_some() => None,
            None => Some(format!("The MCP server '{}' cannot be started", config.name)),
        })
    }

    fn as_listed(&self, config: &ServerConfig) -> Option<Arc<ServerListing>> {
        self.clients()?.listing(&config.name)
    }

    /// It works as long as the tool is what it was approved as.
    fn handler(&self, config: &ServerConfig, tool: &str) -> SealedHandler {
        let call =
            ToolCall { tool: tool.to_owned(), check: self.gate.check(config, tool), ..ToolCall::default() };
        match self.clients().and_then(|clients| clients.client(&config.name)) {
            Some(client) => client.handler(call),
            None => not_connected(&config.name),
        }
    }
}

/// True when a server runs as it is configured here.
fn is_known(clients: &McpClients, config: &ServerConfig) -> bool {
    clients.client(&config.name).is_some_and(|known| is_same(known.config(), config))
}

impl FileServers for ConnectedServers {
    fn trust_origin_of(&self, url: &Url) {
        self.own_origins.add(url);
    }

    fn named_by_file(self: Arc<Self>, config: ServerConfig) -> Arc<dyn NamedConnection> {
        Arc::new(FileServer { servers: self, config, consent: OnceLock::new(), client: OnceLock::new() })
    }
}

/// A server that a file names, reached only as far as the operator allows it to the file.
#[derive(Debug)]
struct FileServer {
    servers: Arc<ConnectedServers>,
    config: ServerConfig,
    consent: OnceLock<Arc<dyn Consent>>,
    /// The client, where it was reached when the file was loaded. What only waits for the operator is asked for by each call.
    client: OnceLock<McpClient>,
}

impl FileServer {
    /// The client, where the server may be reached; nothing when it cannot be started.
    fn reached(&self) -> Result<Option<McpClient>, HandlerError> {
        if let Some(client) = self.client.get() {
            return Ok(Some(client.clone()));
        }
        let Some(consent) = self.consent.get() else { return Ok(None) };
        let permit = ConnectPermit::allowed_by(&**consent, self.config.clone());
        let withheld =
            |request: ConsentRequest| HandlerError::Withheld { message: request.refusal(consent.source()) };
        self.servers.add(permit.map_err(withheld)?);
        Ok(self.servers.clients().and_then(|clients| clients.client(&self.config.name)))
    }
}

impl NamedConnection for FileServer {
    fn consent_requests(&self) -> Vec<ConsentRequest> {
        self.config.consent_requests()
    }

    fn allow(&self, consent: Arc<dyn Consent>) {
        if matches!(self.servers.need, ServerNeed::Nothing) {
            self.servers.named.add(&self.config);
        }
        self.consent.get_or_init(|| consent);
    }

    fn open(&self) {
        // What is refused now is asked for again by each call.
        if let Ok(Some(client)) = self.reached() {
            self.client.get_or_init(|| client);
        }
    }

    fn handler(self: Arc<Self>, tool: &str) -> SealedHandler {
        SealedHandler::new(FileTool { server: self, tool: tool.to_owned() })
    }
}

/// A tool of a server that a file names.
#[derive(Debug)]
struct FileTool {
    server: Arc<FileServer>,
    tool: String,
}

impl FileTool {
    fn handler(&self) -> Result<SealedHandler, HandlerError> {
        // The file says what the tool is; nothing of what the server says of it is shown.
        let call = || ToolCall { tool: self.tool.clone(), fits_output: true, ..ToolCall::default() };
        let client = self.server.reached()?;
        Ok(client.map_or_else(|| not_connected(&self.server.config.name), |client| client.handler(call())))
    }
}

impl Handler for FileTool {
    fn run<'a>(&'a self, run: HandlerCall<'a>) -> Boxed<'a, Result<Envelope, HandlerError>> {
        Box::pin(async move {
            let handler = self.handler()?;
            let values = run.values;
            run.delegate(&handler, values).await
        })
    }

    fn preview(&self, values: &Map<String, Value>) -> Value {
        json!({
            "server": self.server.config.name,
            "method": "tools/call",
            "params": {"name": self.tool, "arguments": values},
        })
    }

    fn identity(&self) -> Option<Digest> {
        Some(self.server.config.identity())
    }
}

impl fmt::Debug for ConnectedServers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Servers").field("settings", &self.settings).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
