//! Whose session a call belongs to. Each transport has its own answer.
//!
//! The extensions of a request in, its session out; and whether that session is over.

use aqueduct_operations::call::{Caller, Scopes, SessionId};
use rmcp::model::Extensions;
use std::fmt::Debug;
use tokio_util::sync::CancellationToken;

/// Knows the sessions of one connection.
pub trait SessionResolver: Debug + Send + Sync {
    /// The client opens a session.
    fn open(&self);

    /// The session of a request, which carries these extensions.
    fn session_of(&self, request: &Extensions) -> SessionId;

    /// Who sends a request, which carries these extensions.
    fn caller_of(&self, request: &Extensions) -> Caller;

    /// What the sender of a request may do, which carries these extensions.
    fn scopes_of(&self, request: &Extensions) -> Scopes;

    /// Cancelled when the client ends the session: what still runs in it is of no use to anybody.
    fn over(&self) -> CancellationToken;
}

/// One session for the whole process, as over stdio.
#[derive(Debug)]
pub struct ProcessSession(pub SessionId);

impl SessionResolver for ProcessSession {
    fn open(&self) {}

    fn session_of(&self, _request: &Extensions) -> SessionId {
        self.0.clone()
    }

    fn caller_of(&self, _request: &Extensions) -> Caller {
        Caller::local()
    }

    fn scopes_of(&self, _request: &Extensions) -> Scopes {
        Scopes::unrestricted()
    }

    // The end of its input ends it, and calls in flight are finished then.
    fn over(&self) -> CancellationToken {
        CancellationToken::new()
    }
}
