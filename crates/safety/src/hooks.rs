//! Listeners that are notified when a call, an agent or a quota waits for a person, so that somebody hears of it.
//!
//! What waits in, with secrets hidden and without any token; nothing out but that telling failed, which is in the audit. Nothing is
//! decided by it: a listener that fails, or never comes back, stops no call and lets none run.

use aqueduct_operations::danger::DangerLevel;
use aqueduct_operations::handler::Boxed;
use aqueduct_operations::rate_limits::metering::PausedQuota;
use jiff::Timestamp;
use serde_json::Value;
use std::fmt::Debug;

/// Told of what waits.
pub trait WaitingListener: Debug + Send + Sync {
    /// Tells somebody.
    fn notify(&self, what: WaitingCalls) -> Boxed<'static, Result<(), HookFailure>>;

    /// Tells somebody of an agent.
    fn notify_of_agent(&self, what: WaitingAgent) -> Boxed<'static, Result<(), HookFailure>>;

    /// Tells somebody of a quota that has come to its pause.
    fn notify_of_quota(&self, what: PausedQuota) -> Boxed<'static, Result<(), HookFailure>>;
}

/// An agent that may not go on until a person has looked at it. Neither a code nor the challenge is in it.
#[derive(Debug, Clone)]
pub struct WaitingAgent {
    /// Its name.
    pub agent: String,
    /// Who runs it.
    pub caller: String,
    /// What it waits for: `paused`, `verification_needed` or `blocked`.
    pub state: &'static str,
    /// What it was about to do, in its own words.
    pub hint: String,
    /// Why it was stopped.
    pub reason: String,
}

/// A call, or the calls of a plan, that wait for a yes.
#[derive(Debug, Clone)]
pub struct WaitingCalls {
    /// The id of the approval, where an operator is asked.
    pub approval: Option<String>,
    /// Who asked.
    pub caller: String,
    /// How dangerous the worst of them is.
    pub danger: DangerLevel,
    /// The rules that ask for a yes.
    pub rule: String,
    /// Until when there can be one.
    pub expires_at: Timestamp,
    /// What is shown of each, as an operator sees it.
    pub calls: Vec<Value>,
}

/// Why somebody was not told, in words that name no path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookFailure(pub String);
