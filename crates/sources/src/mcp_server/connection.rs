//! One MCP server as something that is connected to.
//!
//! Its configuration and the connector in; what it lists, as content, and the handlers of its tools out.

use super::adapter_target::adapter_target;
use super::bundle::{ConnectedSource, bundle};
use super::lower::own_name;
use super::operator_settings::{unused_settings, with_settings};
use aqueduct_adapter_files::file_servers::{FileServers, NoServers, not_connected};
use aqueduct_operations::diagnostic::Diagnostic;
use aqueduct_operations::digest::Digest;
use aqueduct_operations::gatekeeper::ConnectPermit;
use aqueduct_operations::handler::SealedHandler;
use aqueduct_operations::mcp::{ServerConfig, ServerListing, ServerTransport};
use aqueduct_operations::registry::LoadedSource;
use aqueduct_source_kind::connection::{AdapterTarget, Connection, ConnectionOffer, PreparedConnection};
use aqueduct_source_kind::kind::ChangeListener;
use aqueduct_source_kind::report::ImportReport;
use aqueduct_source_kind::settings::SourceSettings;
use serde_json::Value;
use std::sync::Arc;
use url::Url;

/// The connector to MCP servers, also to those that adapter files name. What is not written connects to nothing.
pub trait ServerConnector: FileServers {
    /// Begins to connect to a server; one that is known already goes on.
    fn add(&self, _permit: ConnectPermit) {}

    /// Ends a server. Another one that took its name goes on.
    fn remove(&self, _config: &ServerConfig) {}

    /// Waits until every server that is needed and was never seen has said what it offers, or is known not to.
    fn wait_for_listings(&self) {}

    /// Calls the listener whenever a server offers something else than before, for as long as there are servers.
    fn on_change(&self, _listener: ChangeListener) {}

    /// What a server offers, without what is withheld. Else why not: nothing, when it was closed, which is no news to the code that
    /// closes it.
    fn listing(&self, _config: &ServerConfig) -> Result<ServerOffer, Option<String>> {
        Err(None)
    }

    /// What a server that is connected listed, exactly as it did.
    fn as_listed(&self, _config: &ServerConfig) -> Option<Arc<ServerListing>> {
        None
    }

    /// The code that calls a tool of a server.
    fn handler(&self, config: &ServerConfig, _tool: &str) -> SealedHandler {
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
        self.servers.add(ConnectPermit::named_by_operator(self.config.clone()));
    }

    fn close(&self) {
        self.servers.remove(&self.config);
    }

    fn offer(&self) -> Result<ConnectionOffer, Option<String>> {
        let ServerOffer { listing, withheld } = self.servers.listing(&self.config)?;
        let content = serde_json::to_vec(&listing).map_err(|error| Some(error.to_string()))?;
        Ok(ConnectionOffer { content, own_name: own_name(&listing), withheld })
    }

    fn handler(&self, name: &str) -> SealedHandler {
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

    fn adapter_target(&self) -> Option<AdapterTarget> {
        Some(adapter_target(&self.config))
    }

    fn bundle(&self, loaded: &LoadedSource, report: &ImportReport, captured_at: &str) -> Option<Value> {
        let listing = &*self.servers.as_listed(&self.config)?;
        Some(bundle(&ConnectedSource { server: &self.config, listing, loaded, report }, captured_at))
    }
}

impl ServerConnector for NoServers {}
