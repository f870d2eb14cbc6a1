//! What an operator or a program chooses for all servers together.
//!
//! Plain data with defaults that suit most.

use aqueduct_egress::backoff::Backoff;
use aqueduct_operations::credential_scope::origin_text;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use url::Url;

/// Settings of the clients.
#[derive(Debug, Clone)]
pub struct ClientSettings {
    /// A program that runs `guard_main`, which starts the servers and ends them when this process is gone.
    pub guard: Option<PathBuf>,
    /// Longest wait until a server has started and listed its tools; a package may have to be downloaded first.
    pub startup: Duration,
    /// How long a server may take to end by itself when it is closed.
    pub grace: Duration,
    /// Waits between restarts. A server that has answered a call in its life starts again with the first wait.
    pub backoff: Backoff,
    /// So does one that has run this long.
    pub healthy_after: Duration,
    /// Text blocks that are JSON become that JSON.
    pub parse_json_text: bool,
    /// Addresses that the operator gave.
    pub own_origins: OwnOrigins,
    /// Servers may ask the person behind a call.
    pub offers_elicitation: bool,
}

/// The origins that the operator gave for servers: their names may lead to private addresses, which those of others may not.
#[derive(Debug, Clone, Default)]
pub struct OwnOrigins(Arc<Mutex<BTreeSet<String>>>);

impl OwnOrigins {
    /// Adds the origin of this address, for all that share the list.
    pub fn add(&self, url: &Url) {
        let origin = origin_text(url);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(origin);
    }

    /// True when the operator gave it.
    pub(crate) fn contains(&self, url: &Url) -> bool {
        let origin = origin_text(url);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains(&origin)
    }
}

impl Default for ClientSettings {
    fn default() -> ClientSettings {
        ClientSettings {
            guard: None,
            startup: Duration::from_secs(60),
            grace: Duration::from_secs(2),
            backoff: Backoff { first: Duration::from_millis(200), longest: Duration::from_secs(30) },
            healthy_after: Duration::from_secs(60),
            parse_json_text: false,
            own_origins: OwnOrigins::default(),
            offers_elicitation: true,
        }
    }
}
