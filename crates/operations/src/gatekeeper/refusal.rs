//! Why a request does not run now, and what it would take.
//!
//! The gatekeeper makes a refusal; `dispatch` turns it into what the client reads. What became of the request follows from it.

use super::agent_watch::AgentRefusal;
use super::audit_log::NotWritten;
use super::confirmations::{AskFailure, IssuedToken, PendingApproval, TokenRefusal};
use super::decision::Denial;
use super::gate_record::{GateOutcome, GateRecord};
use super::policy::PolicyDenial;
use crate::danger::DangerLevel;

/// Why a call may not run now.
#[derive(Debug, Clone)]
pub enum GateRefusal {
    /// The policy denies it.
    Denied(Denial),
    /// The caller lacks this scope.
    Scope(String),
    /// The operator's own policy denies it.
    Policy(PolicyDenial),
    /// A person must confirm it first.
    ConfirmationNeeded(Box<NeededConfirmation>),
    /// The operator said no.
    OperatorDenied {
        /// What they said.
        reason: Option<String>,
    },
    /// The person behind the client was asked, and did not agree.
    NotAgreed(PersonRefusal),
    /// A call needs it on its way, and no one has confirmed it.
    Unconfirmed,
    /// The token that came with it is no good.
    Token(TokenRefusal),
    /// It is a call of an agent that has not said that it would make it, or may do nothing now.
    Agent(AgentRefusal),
    /// No person could be asked.
    NotAsked(AskFailure),
    /// It would run, but what was decided cannot be written down.
    NotAudited(NotWritten),
}

/// How a person did not agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PersonRefusal {
    /// They said no.
    Declined,
    /// They gave no answer, or too late.
    Unanswered,
}

/// A request that does not run now: what was decided, and why.
#[derive(Debug)]
pub struct RefusedRequest<'a> {
    /// What was decided.
    pub record: GateRecord<'a>,
    /// Why.
    pub refusal: GateRefusal,
}

/// What a person is asked before a call runs.
#[derive(Debug, Clone)]
pub struct NeededConfirmation {
    /// Whose yes it takes.
    pub need: ConfirmationNeed,
    /// How dangerous the operation is.
    pub danger_level: DangerLevel,
    /// Why it needs a confirmation.
    pub reasons: Vec<String>,
    /// What to ask the person.
    pub message: Option<String>,
}

/// Whose yes a call takes.
#[derive(Debug, Clone)]
pub enum ConfirmationNeed {
    /// That of the person at the client, by this token.
    Token(IssuedToken),
    /// An operator's.
    Operator(PendingApproval),
}

impl GateRefusal {
    /// What became of the request.
    pub(super) fn outcome(&self) -> GateOutcome {
        match self {
            GateRefusal::Denied(_)
            | GateRefusal::Scope(_)
            | GateRefusal::Policy(_)
            | GateRefusal::Unconfirmed
            | GateRefusal::Agent(_)
            | GateRefusal::OperatorDenied { .. } => GateOutcome::Denied,
            GateRefusal::ConfirmationNeeded(_) => GateOutcome::ConfirmationRequired,
            GateRefusal::NotAgreed(PersonRefusal::Declined) => GateOutcome::Declined,
            GateRefusal::NotAgreed(PersonRefusal::Unanswered) => GateOutcome::Unanswered,
            GateRefusal::Token(TokenRefusal::Unavailable(_)) => GateOutcome::Failed,
            GateRefusal::Token(_) => GateOutcome::TokenRejected,
            GateRefusal::NotAsked(_) | GateRefusal::NotAudited(_) => GateOutcome::Failed,
        }
    }
}
