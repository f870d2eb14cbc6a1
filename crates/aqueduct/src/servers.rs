//! The MCP servers that sources connect to.
//!
//! With the feature `mcp-servers`, `connected` runs them; without it, `disabled` stands in its place, nothing of MCP clients
//! is built, and a configuration that names a server gets an error that says so.

#[cfg(feature = "mcp-servers")]
mod connected;
#[cfg(not(feature = "mcp-servers"))]
mod disabled;
#[cfg(feature = "mcp-servers")]
mod gate;

#[cfg(feature = "mcp-servers")]
pub(crate) use connected::ConnectedServers;
#[cfg(not(feature = "mcp-servers"))]
pub(crate) use disabled::ConnectedServers;

pub(crate) use aqueduct_sources::mcp_server::ServerConnector;

use aqueduct_operations::mcp::ServerConfig;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// What is set for all servers together.
#[derive(Debug, Clone)]
pub struct ServerSettings {
    /// The program that runs children so that they end with this one; this program itself when it is `aqueduct`.
    pub guard: Option<PathBuf>,
    /// The file in which it is remembered what servers offered.
    pub pins: Option<PathBuf>,
    /// What is new or has changed is withheld until it is approved.
    pub quarantine: bool,
    /// The longest wait for servers that were never seen before.
    pub patience: Duration,
    /// Who is told when that takes long.
    pub notice: Option<WaitNotice>,
}

/// Tells somebody that servers are waited for which are still starting.
#[derive(Debug, Clone, Copy)]
pub struct WaitNotice {
    /// After how long.
    pub after: Duration,
    /// Gets the names of the servers.
    pub tell: fn(&[String]),
}

impl Default for ServerSettings {
    fn default() -> ServerSettings {
        let patience = Duration::from_secs(20);
        ServerSettings { guard: None, pins: None, quarantine: false, patience, notice: None }
    }
}

/// Which servers somebody waits for.
#[cfg_attr(not(feature = "mcp-servers"), allow(dead_code, reason = "nobody reads it where no server runs"))]
#[derive(Debug, Clone, Default)]
pub enum ServerNeed {
    /// Every one.
    #[default]
    All,
    /// The one that has the operation of this name, if the name tells.
    Operation(String),
    /// None: they are not even started.
    Nothing,
}

/// Servers that somebody named and that are not started.
#[derive(Debug, Default)]
struct NamedServers(Mutex<Vec<ServerConfig>>);

impl NamedServers {
    /// Adds a server, unless it is there.
    fn add(&self, config: &ServerConfig) {
        let mut named = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !named.iter().any(|known| is_same(known, config)) {
            named.push(config.clone());
        }
    }

    fn all(&self) -> Vec<ServerConfig> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    #[cfg(not(feature = "mcp-servers"))]
    fn remove(&self, config: &ServerConfig) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).retain(|known| !is_same(known, config));
    }
}

/// True when nothing has to be started anew.
pub(crate) fn is_same(one: &ServerConfig, other: &ServerConfig) -> bool {
    one.name == other.name && one.timeout == other.timeout && one.identity() == other.identity()
}
