//! What an operator or a program chooses for all servers together, and where variables are looked up.
//!
//! Plain data with defaults that suit most, and how long to wait before a restart. Values of variables are secrets:
//! they are never printed.

use secrecy::SecretString;
use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use url::Url;

/// Settings of the clients.
#[derive(Debug, Clone)]
pub struct ClientSettings {
    /// A program that runs `guard_main`, which starts the servers and ends them when this process is gone.
    pub guard: Option<PathBuf>,
    /// Longest wait until a server has started and told its tools; a package may have to be downloaded first.
    pub startup: Duration,
    /// How long a server may take to end by itself when it is closed.
    pub grace: Duration,
    /// Waits between restarts.
    pub backoff: Backoff,
    /// Text blocks that are JSON become that JSON.
    pub parse_json_text: bool,
    /// Addresses that the operator gave.
    pub own_origins: OwnOrigins,
}

/// The origins that the operator gave for servers: their names may lead to private addresses, which those of others may not.
#[derive(Debug, Clone, Default)]
pub struct OwnOrigins(Arc<Mutex<BTreeSet<String>>>);

impl OwnOrigins {
    /// Adds the origin of this address, for all that share the list.
    pub fn add(&self, url: &Url) {
        let origin = url.origin().ascii_serialization();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(origin);
    }

    /// True when the operator gave it.
    pub(crate) fn have(&self, url: &Url) -> bool {
        let origin = url.origin().ascii_serialization();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains(&origin)
    }
}

/// How long to wait before a server is started again: doubling, with chance. A server that has answered a call in
/// its life starts again with the first wait.
#[derive(Debug, Clone, Copy)]
pub struct Backoff {
    /// The first wait.
    pub first: Duration,
    /// The longest wait.
    pub longest: Duration,
    /// So does one that has run this long.
    pub healthy_after: Duration,
}

impl Default for ClientSettings {
    fn default() -> ClientSettings {
        ClientSettings {
            guard: None,
            startup: Duration::from_secs(60),
            grace: Duration::from_secs(2),
            backoff: Backoff::default(),
            parse_json_text: false,
            own_origins: OwnOrigins::default(),
        }
    }
}

impl Default for Backoff {
    fn default() -> Backoff {
        Backoff {
            first: Duration::from_millis(200),
            longest: Duration::from_secs(30),
            healthy_after: Duration::from_secs(60),
        }
    }
}

impl Backoff {
    /// The wait before the attempt that follows this many failures; `chance` of 0 to 1 takes off up to a quarter, so
    /// that servers that died together do not start together.
    pub(crate) fn wait(&self, failures: u32, chance: f64) -> Duration {
        let doubled = self.first.saturating_mul(1 << failures.saturating_sub(1).min(20));
        doubled.min(self.longest).mul_f64(1.0 - chance.clamp(0.0, 1.0) / 4.0)
    }
}

type LookUp = dyn Fn(&str) -> Option<SecretString> + Send + Sync;

/// Looks up a variable of the environment.
#[derive(Clone)]
pub struct VariableLookup(Arc<LookUp>);

impl VariableLookup {
    /// Looks variables up with this function.
    pub fn new(look_up: impl Fn(&str) -> Option<SecretString> + Send + Sync + 'static) -> VariableLookup {
        VariableLookup(Arc::new(look_up))
    }

    /// The value of a variable, if it is set.
    pub fn get(&self, name: &str) -> Option<SecretString> {
        (self.0)(name)
    }
}

// Values are secrets.
impl fmt::Debug for VariableLookup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Variables")
    }
}

#[cfg(test)]
mod tests;
