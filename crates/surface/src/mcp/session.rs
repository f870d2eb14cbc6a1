//! Who sends a call, and in which session. Each transport has its own answer.
//!
//! The extensions of a request in, its sender out; and whether the session is over.

use aqueduct_operations::call::{Caller, Scopes, SessionId};
use rmcp::model::Extensions;
use std::fmt::Debug;
use tokio_util::sync::CancellationToken;

/// Who sends a request.
#[derive(Debug, Clone)]
pub struct CallSender {
    /// The session that it belongs to.
    pub session: SessionId,
    /// Who sends it.
    pub caller: Caller,
    /// What they may do.
    pub scopes: Scopes,
}

/// Knows the sessions of one connection.
pub trait SessionResolver: Debug + Send + Sync {
    /// The client opens a session.
    fn open(&self);

    /// Who sends a request, which carries these extensions; none when no one has said so, and then nothing is done for it.
    fn sender_of(&self, request: &Extensions) -> Option<CallSender>;

    /// Cancelled when the client ends the session: what still runs in it is of no use to anyone.
    fn over(&self) -> CancellationToken;
}

/// One session for the whole process, as over stdio.
#[derive(Debug)]
pub struct ProcessSession(pub SessionId);

impl SessionResolver for ProcessSession {
    fn open(&self) {}

    fn sender_of(&self, _request: &Extensions) -> Option<CallSender> {
        let (caller, scopes) = (Caller::local(), Scopes::unrestricted());
        Some(CallSender { session: self.0.clone(), caller, scopes })
    }

    // The end of its input ends it, and calls in flight are finished then.
    fn over(&self) -> CancellationToken {
        CancellationToken::new()
    }
}
