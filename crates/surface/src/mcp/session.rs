//! Whose session a call belongs to. Each transport has its own answer.

use aqueduct_operations::call::SessionId;
use rmcp::model::Extensions;
use std::fmt::Debug;

/// Knows the sessions of one connection.
pub trait Belonging: Debug + Send + Sync {
    /// The client opens a session.
    fn open(&self) -> Result<(), Full>;

    /// The session of a request, which carries these extensions.
    fn session_of(&self, request: &Extensions) -> SessionId;
}

/// There is no room for another session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("The server has as many open sessions as it allows. Try again later.")]
pub struct Full;

/// One session for the whole process, as over stdio.
#[derive(Debug)]
pub struct Process(pub SessionId);

impl Belonging for Process {
    fn open(&self) -> Result<(), Full> {
        Ok(())
    }

    fn session_of(&self, _request: &Extensions) -> SessionId {
        self.0.clone()
    }
}
