//! The permit to examine an MCP server: to reach it, and to call its tools as no one's client but the person's who asked for it.
//!
//! The configuration of a server in; no gatekeeper judges what is called, for the server under examination has its own.

use super::ConnectPermit;
use crate::mcp::ServerConfig;

/// The permit to examine one server. A permit to reach a server is none:
///
/// ```compile_fail,E0308
/// use aqueduct_operations::gatekeeper::{ConnectPermit, ExaminePermit};
///
/// fn promoted(permit: ConnectPermit) -> ExaminePermit {
///     permit
/// }
/// ```
#[must_use = "a permit is for examining a server"]
#[derive(Debug)]
pub struct ExaminePermit {
    connect: ConnectPermit,
}

impl ExaminePermit {
    /// For a server that the operator names to have it examined.
    pub fn named_by_operator(config: ServerConfig) -> ExaminePermit {
        ExaminePermit { connect: ConnectPermit::named_by_operator(config) }
    }

    /// The permit to reach it, which comes with that to examine it.
    pub fn into_connect(self) -> ConnectPermit {
        self.connect
    }
}
