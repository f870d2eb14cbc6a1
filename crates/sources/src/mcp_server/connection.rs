//! One MCP server as something that is connected to.
//!
//! Its configuration and whoever connects in; what it lists, as content, and the handlers of its tools out.

use super::bundle::{ConnectedSource, bundle};
use super::lower::own_name;
use super::operator_settings::{unused_settings, with_settings};
use aqueduct_operations::diagnostic::Diagnostic;
use aqueduct_operations::digest::Digest;
use aqueduct_operations::handler::{Boxed, Envelope, Handler, HandlerCall, HandlerError};
use aqueduct_operations::mcp::{ServerConfig, ServerListing, ServerTransport};
use aqueduct_operations::registry::LoadedSource;
use aqueduct_source_kind::connection::{Connection, ConnectionOffer, PreparedConnection};
use aqueduct_source_kind::report::ImportReport;
use aqueduct_source_kind::settings::SourceSettings;
use serde_json::{Map, Value, json};
use std::fmt::Debug;
use std::sync::Arc;
use url::Url;

/// Whoever connects to MCP servers. What is not written connects to nothing.
pub trait ServerConnector: Debug + Send + Sync {
    /// Begins to connect to a server; one that is known already goes on.
    fn add(&self, _config: &ServerConfig) {}

    /// Ends a server. Another one that took its name goes on.
    fn remove(&self, _config: &ServerConfig) {}

    /// Remembers that the operator gave this address: it may be on a private network, whatever its name says.
    fn trust_origin_of(&self, _url: &Url) {}

    /// What a server offers, without what is withheld. Else why not: nothing, when it was closed, which is no news to whoever
    /// closes it.
    fn listing(&self, _config: &ServerConfig) -> Result<ServerOffer, Option<String>> {
        Err(None)
    }

    /// What a server that is connected listed, exactly as it did.
    fn as_listed(&self, _config: &ServerConfig) -> Option<Arc<ServerListing>> {
        None
    }

    /// The code that calls a tool of a server.
    fn handler(&self, config: &ServerConfig, _tool: &str) -> Arc<dyn Handler> {
        not_connected(&config.name)
    }
}

/// What a server offers.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerOffer {
    /// What is shown of it.
    pub listing: ServerListing,
    /// The names of operations that wait for approval and are not shown.
    pub withheld: Vec<String>,
}

/// One server.
#[derive(Debug)]
pub(super) struct McpConnection {
    pub config: ServerConfig,
    pub servers: Arc<dyn ServerConnector>,
}

impl Connection for McpConnection {
    fn name(&self) -> &str {
        &self.config.name
    }

    fn identity(&self) -> Digest {
        let ServerConfig { name, timeout, .. } = &self.config;
        Digest::of_text(&format!("{name} {timeout:?} {}", self.config.identity().hex()))
    }

    fn prepare(&self, settings: &SourceSettings) -> Result<PreparedConnection, Diagnostic> {
        settings.base_url.iter().for_each(|url| self.servers.trust_origin_of(url));
        let name = settings.source_name.clone().unwrap_or_else(|| self.config.name.clone());
        let named = ServerConfig { name, ..self.config.clone() };
        let (config, servers) = (with_settings(&named, settings)?, Arc::clone(&self.servers));
        let warning = unused_settings(&named, settings);
        Ok(PreparedConnection { connection: Arc::new(McpConnection { config, servers }), warning })
    }

    fn open(&self) {
        self.servers.add(&self.config);
    }

    fn close(&self) {
        self.servers.remove(&self.config);
    }

    fn offer(&self) -> Result<ConnectionOffer, Option<String>> {
        let ServerOffer { listing, withheld } = self.servers.listing(&self.config)?;
        let content = serde_json::to_vec(&listing).map_err(|error| Some(error.to_string()))?;
        Ok(ConnectionOffer { content, own_name: own_name(&listing), withheld })
    }

    fn handler(&self, name: &str) -> Arc<dyn Handler> {
        self.servers.handler(&self.config, name)
    }

    fn url(&self) -> Option<&Url> {
        match &self.config.reach {
            ServerTransport::Http { url, .. } => Some(url),
            ServerTransport::Stdio { .. } => None,
        }
    }

    fn variables(&self) -> Vec<String> {
        self.config.variables()
    }

    fn adapter_target(&self) -> Option<&ServerConfig> {
        Some(&self.config)
    }

    fn bundle(&self, loaded: &LoadedSource, report: &ImportReport, captured_at: &str) -> Option<Value> {
        let listing = &*self.servers.as_listed(&self.config)?;
        Some(bundle(&ConnectedSource { server: &self.config, listing, loaded, report }, captured_at))
    }
}

/// Connects to nothing, for whoever only wants to know what something is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NoServers;

impl ServerConnector for NoServers {}

/// The code of a tool whose server is not connected to.
pub fn not_connected(server: &str) -> Arc<dyn Handler> {
    Arc::new(NoServer { name: server.to_owned() })
}

/// Stands for a server that is not connected to.
#[derive(Debug)]
struct NoServer {
    name: String,
}

impl Handler for NoServer {
    fn run<'a>(&'a self, _run: HandlerCall<'a>) -> Boxed<'a, Result<Envelope, HandlerError>> {
        let message = format!("The MCP server '{}' cannot be started", self.name);
        Box::pin(async move { Err(HandlerError::Unavailable { message }) })
    }

    fn preview(&self, values: &Map<String, Value>) -> Value {
        json!({"server": self.name, "arguments": values})
    }
}
