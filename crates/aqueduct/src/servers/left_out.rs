//! In place of MCP servers in a build without the feature `mcp-servers`.
//!
//! Configurations in; for each of them the sentence that says why nothing comes of it out.

use super::{ServerSettings, not_there};
use aqueduct_operations::handler::Handler;
use aqueduct_operations::mcp::{Listing, ServerConfig};
use aqueduct_sources::HandlerFactory;
use aqueduct_upstream::Environment;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

const WHY: &str = "this program was built without MCP servers; build it with the feature 'mcp-servers'";

/// The servers that somebody asked for.
#[derive(Debug)]
pub(crate) struct Servers {
    asked: Mutex<BTreeSet<String>>,
}

impl Servers {
    /// No server, now and later.
    pub fn new(_settings: ServerSettings, _environment: Arc<dyn Environment>) -> Servers {
        Servers { asked: Mutex::default() }
    }

    /// Remembers that it was asked for.
    pub fn add(&self, config: &ServerConfig) {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).insert(config.name.clone());
    }

    /// Forgets that it was asked for.
    pub fn remove(&self, name: &str) {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).remove(name);
    }

    /// Nothing to wait for.
    pub fn wait_for_listings(&self) {}

    /// Every server that was asked for, and why it is not there.
    pub fn states(&self) -> Vec<(String, Result<usize, String>)> {
        let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.iter().map(|name| (name.clone(), Err(WHY.to_owned()))).collect()
    }

    /// Why there is none.
    pub fn listing(&self, config: &ServerConfig) -> Result<Listing, String> {
        Err(format!("The MCP server '{}' is not connected to: {WHY}", config.name))
    }

    /// Code that says that the server is not there.
    pub fn handler(&self, server: &str, _tool: &str) -> Arc<dyn Handler> {
        not_there(server)
    }

    /// Makes such handlers for adapter files that name a server.
    pub fn factory(self: &Arc<Servers>) -> HandlerFactory {
        super::idle_factory()
    }

    /// There is no news.
    pub fn on_news(&self, _tell: impl Fn() + Send + 'static) {}

    /// Nothing to end.
    pub async fn close(&self) {}
}
