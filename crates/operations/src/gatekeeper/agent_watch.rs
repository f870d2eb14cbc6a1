//! Who watches calls of agents that work on their own: a call in; out, whether the agent has said before that it would make it.
//!
//! The gatekeeper asks it about every call that may run otherwise. What is reported, paused or blocked is known elsewhere.

use crate::call::{Caller, SessionId};
use crate::handler::Boxed;
use crate::operation::RegistryEntry;
use serde_json::{Map, Value};
use std::fmt::Debug;

/// A call, as the watch sees it.
#[derive(Debug, Clone, Copy)]
pub struct WatchedCall<'a> {
    /// The operation.
    pub entry: &'a RegistryEntry,
    /// The session that asks.
    pub session: &'a SessionId,
    /// Who asks.
    pub caller: &'a Caller,
    /// Its values.
    pub values: &'a Map<String, Value>,
    /// The agent that the request names.
    pub agent: Option<&'a str>,
    /// Whether the caller is who confirms it.
    pub self_confirmation: SelfConfirmation,
}

/// Whether a caller confirms its own call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SelfConfirmation {
    /// Nobody has to confirm it, or somebody else does: a person who is asked, or an operator.
    No,
    /// It would be handed a token, to send with the call.
    WouldBe,
    /// A token came with the arguments of the call.
    Is,
}

/// The run whose report covers a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoveredBy {
    /// The run.
    pub run: String,
    /// The key of its agent.
    pub agent: String,
    /// The report is used up by the call.
    pub is_used_up: bool,
}

/// Why a call of an agent does not run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentRefusal {
    /// A sentence that says what to do.
    pub message: String,
    /// A word for programs.
    pub reason: &'static str,
    /// The challenge that lifts it.
    pub verification_id: Option<String>,
}

/// Watches calls of agents.
pub trait AgentWatch: Debug + Send + Sync {
    /// Whether a call may run: by which report, or by none because no agent makes it.
    fn check<'a>(&'a self, call: WatchedCall<'a>) -> Boxed<'a, Result<Option<CoveredBy>, AgentRefusal>>;

    /// A call that was checked is about to run: its report is used up, if it is one that is.
    fn admitted<'a>(
        &'a self,
        covered: &'a CoveredBy,
        operation: &'a str,
    ) -> Boxed<'a, Result<(), AgentRefusal>>;

    /// A call that was checked waits for a confirmation.
    fn waits(&self, covered: &CoveredBy, operation: &str);

    /// A session has ended.
    fn end_session(&self, session: &SessionId);
}
