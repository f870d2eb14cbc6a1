//! In place of MCP servers in a build without the feature `mcp-servers`.
//!
//! Configurations in; for each of them the sentence that says why nothing comes of it out.

use super::{ServerNeed, ServerSettings, is_same};
use aqueduct_adapter_files::file_servers::FileServers;
use aqueduct_operations::gatekeeper::ConnectPermit;
use aqueduct_operations::mcp::ServerConfig;
use aqueduct_sources::mcp_server::{ServerConnector, ServerOffer};
use aqueduct_upstream::Environment;
use std::sync::{Arc, Mutex, PoisonError};

const WHY: &str = "this program was built without MCP servers; build it with the feature 'mcp-servers'";

/// The servers that somebody asked for.
#[derive(Debug)]
pub(crate) struct ConnectedServers {
    asked: Mutex<Vec<ServerConfig>>,
}

impl ConnectedServers {
    /// No server, now and later.
    pub fn new(
        _settings: ServerSettings,
        _need: ServerNeed,
        _environment: Arc<dyn Environment>,
    ) -> ConnectedServers {
        ConnectedServers { asked: Mutex::default() }
    }

    /// Every server that was asked for, and why it is not there.
    pub fn states(&self) -> Vec<(String, Result<usize, String>)> {
        let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.iter().map(|config| (config.name.clone(), Err(WHY.to_owned()))).collect()
    }

    /// Every server that was asked for.
    pub fn asked(&self) -> Vec<ServerConfig> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Nothing to end.
    pub async fn close(&self) {}
}

impl FileServers for ConnectedServers {}

impl ServerConnector for ConnectedServers {
    /// Remembers that it was asked for.
    fn add(&self, permit: ConnectPermit) {
        let config = permit.config();
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        if !asked.iter().any(|known| is_same(known, config)) {
            asked.push(config.clone());
        }
    }

    /// Forgets that it was asked for.
    fn remove(&self, config: &ServerConfig) {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).retain(|known| !is_same(known, config));
    }

    /// Why there is none.
    fn listing(&self, config: &ServerConfig) -> Result<ServerOffer, Option<String>> {
        Err(Some(format!("The MCP server '{}' is not connected to: {WHY}", config.name)))
    }
}
