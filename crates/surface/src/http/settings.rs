//! What may be set about the HTTP listener, and what holds when nothing is.
//!
//! No one on another machine is served without a token: `check_reach` says no to such an address.

use super::bearer_tokens::Token;
use super::known_tokens::CallerList;
use super::listener::ListenError;
use super::tls::TlsFiles;
use aqueduct_operations::handler::Boxed;
use std::fmt::Debug;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

/// Settings of the listener.
#[derive(Debug, Clone)]
pub struct HttpSettings {
    /// Where to listen, for the code that opens the listener.
    pub listen: Option<String>,
    /// Host names that requests may be addressed to, besides `localhost` and IP addresses.
    pub allowed_hosts: Vec<String>,
    /// Web pages that may send requests, such as `https://app.example.com`, besides the server's own.
    pub allowed_origins: Vec<String>,
    /// Who may send requests. With none, everybody who can reach the listener may.
    pub tokens: Vec<Token>,
    /// Callers whose tokens come and go while the server runs, besides these.
    pub callers: Option<CallerList>,
    /// No request is let in without a token, though there may be none: set where others can reach the listener.
    pub needs_tokens: bool,
    /// Certificate and key; without them requests are plain HTTP.
    pub tls: Option<TlsFiles>,
    /// Connections that may be open together; further ones wait.
    pub max_connections: usize,
    /// Sessions that may be open together; for a further one, the one that was idle for longest is ended.
    pub max_sessions: u64,
    /// Bytes of request bodies that are held in memory together, over all connections; further large ones are refused.
    pub max_buffered_bytes: u64,
    /// Requests a second of one client, with room for a burst of twice as many; absent, the listener decides.
    pub requests_per_second: Option<u32>,
    /// Longest wait for the head of a request, and for its body.
    pub request_timeout: Duration,
    /// How long a session lives without a request.
    pub session_idle: Duration,
    /// A name for this machine. With it, callers who open no session have the same one in every process, and what they were
    /// given outlives this one; those without a token, in every process of this machine.
    pub machine: Option<String>,
    /// Asked whether calls can be taken, besides what the listener knows itself.
    pub ready: Option<Arc<dyn ReadyCheck>>,
}

/// Whether calls can be taken.
pub trait ReadyCheck: Debug + Send + Sync {
    /// Why not, in a few words, if not.
    fn check(&self) -> Boxed<'_, Result<(), String>>;
}

impl Default for HttpSettings {
    fn default() -> HttpSettings {
        HttpSettings {
            listen: None,
            allowed_hosts: Vec::new(),
            allowed_origins: Vec::new(),
            tokens: Vec::new(),
            callers: None,
            needs_tokens: false,
            tls: None,
            max_connections: 1_024,
            max_sessions: 1_024,
            max_buffered_bytes: 64 * 1024 * 1024,
            requests_per_second: None,
            request_timeout: Duration::from_secs(30),
            session_idle: Duration::from_secs(30 * 60),
            machine: None,
            ready: None,
        }
    }
}

impl HttpSettings {
    /// Refuses an address that others can reach while no one needs a token.
    pub fn check_reach(&self, address: SocketAddr) -> Result<(), ListenError> {
        let has_none = self.callers.as_ref().is_none_or(CallerList::is_known_to_be_empty);
        if self.tokens.is_empty() && has_none && !is_local(address) {
            return Err(ListenError::Unprotected(address));
        }
        Ok(())
    }
}

/// True for addresses that only this machine can reach.
pub fn is_local(address: SocketAddr) -> bool {
    address.ip().to_canonical().is_loopback()
}

#[cfg(test)]
mod tests;
