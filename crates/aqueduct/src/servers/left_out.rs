//! In place of MCP servers in a build without the feature `mcp-servers`.
//!
//! Configurations in; for each of them the sentence that says why nothing comes of it out.

use super::{ServerNeed, ServerOffer, ServerSettings, ServerStart, is_same, not_there};
use aqueduct_operations::consent::Consent;
use aqueduct_operations::gatekeeper::ConnectPermit;
use aqueduct_operations::handler::SealedHandler;
use aqueduct_operations::mcp::{ServerConfig, ServerListing};
use aqueduct_source_kind::handler_factory::HandlerFactory;
use aqueduct_upstream::Environment;
use std::sync::{Arc, Mutex, PoisonError};
use url::Url;

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

    /// Remembers that it was asked for.
    pub fn add(&self, permit: ConnectPermit) {
        let config = permit.config();
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        if !asked.iter().any(|known| is_same(known, config)) {
            asked.push(config.clone());
        }
    }

    /// No address is connected to.
    pub fn trust_origin_of(&self, _url: &Url) {}

    /// Forgets that it was asked for.
    pub fn remove(&self, name: &str) {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).retain(|known| known.name != name);
    }

    /// Nothing to wait for.
    pub fn wait_for_listings(&self) {}

    /// Every server that was asked for, and why it is not there.
    pub fn states(&self) -> Vec<(String, Result<usize, String>)> {
        let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.iter().map(|config| (config.name.clone(), Err(WHY.to_owned()))).collect()
    }

    /// Every server that was asked for.
    pub fn asked(&self) -> Vec<ServerConfig> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Why there is none.
    pub fn listing(&self, config: &ServerConfig) -> Result<ServerOffer, Option<String>> {
        Err(Some(format!("The MCP server '{}' is not connected to: {WHY}", config.name)))
    }

    /// Nothing.
    pub fn as_listed(&self, _config: &ServerConfig) -> Option<Arc<ServerListing>> {
        None
    }

    /// Code that says that the server is not there.
    pub fn handler(&self, config: &ServerConfig, _tool: &str) -> SealedHandler {
        not_there(&config.name)
    }

    /// Makes such handlers for adapter files that name a server.
    pub fn factory(
        self: &Arc<ConnectedServers>,
        _consent: Arc<dyn Consent>,
        _start: ServerStart,
    ) -> HandlerFactory {
        super::idle_factory()
    }

    /// There is no news.
    pub fn on_news(&self, _tell: impl Fn() + Send + 'static) {}

    /// Nothing to end.
    pub async fn close(&self) {}
}
