//! What may be set about the HTTP listener, and what holds when nothing is.
//!
//! Nobody on another machine is served without a token: `check_reach` says no to such an address.

use super::bearer_tokens::Token;
use super::listener::ListenError;
use std::net::SocketAddr;
use std::time::Duration;

/// Settings of the listener.
#[derive(Debug, Clone)]
pub struct HttpSettings {
    /// Where to listen, for whoever opens the listener.
    pub listen: Option<String>,
    /// Host names that requests may be addressed to, besides `localhost` and IP addresses.
    pub allowed_hosts: Vec<String>,
    /// Web pages that may send requests, such as `https://app.example.com`, besides the server's own.
    pub allowed_origins: Vec<String>,
    /// Who may send requests. With none, everybody who can reach the listener may.
    pub tokens: Vec<Token>,
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
}

impl Default for HttpSettings {
    fn default() -> HttpSettings {
        HttpSettings {
            listen: None,
            allowed_hosts: Vec::new(),
            allowed_origins: Vec::new(),
            tokens: Vec::new(),
            max_connections: 1_024,
            max_sessions: 1_024,
            max_buffered_bytes: 64 * 1024 * 1024,
            requests_per_second: None,
            request_timeout: Duration::from_secs(30),
            session_idle: Duration::from_secs(30 * 60),
        }
    }
}

impl HttpSettings {
    /// Refuses an address that others can reach while nobody needs a token.
    pub fn check_reach(&self, address: SocketAddr) -> Result<(), ListenError> {
        if self.tokens.is_empty() && !is_local(address) {
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
