//! The permit to reach an MCP server: to start its program or connect to its address, to shake hands, and to ask what it offers.
//!
//! The configuration of a server in, with the consent of who may allow it; the permit, or what is not allowed, out. Calls of its
//! tools have permits of their own.

use crate::consent::{Consent, ConsentRequest};
use crate::mcp::ServerConfig;

/// The permit to reach one server, now and whenever the connection is lost. It holds how the server is reached.
///
/// ```compile_fail,E0451
/// use aqueduct_operations::gatekeeper::ConnectPermit;
/// use aqueduct_operations::mcp::ServerConfig;
///
/// fn forged(config: ServerConfig) -> ConnectPermit {
///     ConnectPermit { config }
/// }
/// ```
#[must_use = "a permit is for reaching a server"]
#[derive(Debug)]
pub struct ConnectPermit {
    config: ServerConfig,
}

impl ConnectPermit {
    /// For a server that the operator, or the program itself, names.
    pub fn named_by_operator(config: ServerConfig) -> ConnectPermit {
        ConnectPermit { config }
    }

    /// For a server that a file names: given when everything is allowed that reaching it asks for, else what is not.
    pub fn allowed_by(consent: &dyn Consent, config: ServerConfig) -> Result<ConnectPermit, ConsentRequest> {
        match config.consent_requests().into_iter().find(|request| !consent.allows(request)) {
            Some(refused) => Err(refused),
            None => Ok(ConnectPermit { config }),
        }
    }

    /// How the server is reached.
    pub fn config(&self) -> &ServerConfig {
        &self.config
    }
}
