//! In place of MCP servers in a build without the feature `mcp-servers`.
//!
//! Configurations in; for each of them the sentence that says why nothing comes of it out.

use super::{NamedServers, ServerNeed, ServerSettings};
use aqueduct_adapter_files::file_servers::FileServers;
use aqueduct_operations::gatekeeper::ConnectPermit;
use aqueduct_operations::mcp::ServerConfig;
use aqueduct_sources::mcp_server::{ServerConnector, ServerOffer};
use aqueduct_upstream::Environment;
use std::sync::Arc;

const WHY: &str = "this program was built without MCP servers; build it with the feature 'mcp-servers'";

/// The servers that somebody named.
#[derive(Debug)]
pub(crate) struct ConnectedServers {
    named: NamedServers,
}

impl ConnectedServers {
    /// No server, now and later.
    pub fn new(
        _settings: ServerSettings,
        _need: ServerNeed,
        _environment: Arc<dyn Environment>,
    ) -> ConnectedServers {
        ConnectedServers { named: NamedServers::default() }
    }

    /// Every server that was named, and why it is not there.
    pub fn states(&self) -> Vec<(String, Result<usize, String>)> {
        self.named.all().into_iter().map(|config| (config.name, Err(WHY.to_owned()))).collect()
    }

    /// Every server that was named.
    pub fn not_started(&self) -> Vec<ServerConfig> {
        self.named.all()
    }

    /// Nothing to end.
    pub async fn close(&self) {}
}

impl FileServers for ConnectedServers {}

impl ServerConnector for ConnectedServers {
    fn add(&self, permit: ConnectPermit) {
        self.named.add(permit.config());
    }

    fn remove(&self, config: &ServerConfig) {
        self.named.remove(config);
    }

    /// Why there is none.
    fn listing(&self, config: &ServerConfig) -> Result<ServerOffer, Option<String>> {
        Err(Some(format!("The MCP server '{}' is not connected to: {WHY}", config.name)))
    }
}
