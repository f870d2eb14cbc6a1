//! What the page asks for its data: a trait, so that it knows neither the store nor who else serves.
//!
//! Questions in; what is shown out. Texts of clients and authors are as they came, with secrets hidden: the views escape them.

mod agents;
mod executions;

pub use aqueduct_operations::gatekeeper::ApprovalState;

pub use agents::{AgentRunView, AgentStepView, AgentsView, BlockView, ChallengeView};
pub use executions::{ExecutionCancelled, ExecutionView, ExecutionsView};

use super::instance_report::InstanceReport;
use aqueduct_operations::handler::Boxed;
use aqueduct_operations::rate_limits::status::SourceLimitStatus;
use jiff::Timestamp;
use secrecy::SecretString;
use serde_json::Value;
use std::fmt::Debug;
use tokio::sync::watch;

/// Where the page gets its data, and what it does for the operator.
pub trait OperatorBackend: Debug + Send + Sync {
    /// The mark of the passphrase that is set; none when there is none.
    fn passphrase(&self) -> Boxed<'_, Result<Option<PassphraseMark>, BackendError>>;

    /// Checks a passphrase; its mark. Attempts are counted over all processes.
    fn sign_in(&self, passphrase: SecretString) -> Boxed<'_, Result<PassphraseMark, SignInRefusal>>;

    /// What waits for an answer, oldest first.
    fn waiting(&self) -> Boxed<'_, Result<Vec<ApprovalView>, BackendError>>;

    /// The question with this id, answered or not.
    fn approval(&self, id: String) -> Boxed<'_, Result<Option<ApprovalView>, BackendError>>;

    /// What was answered or has expired, newest first.
    fn history(&self) -> Boxed<'_, Result<Vec<ApprovalView>, BackendError>>;

    /// Says yes or no.
    fn answer(&self, id: String, answer: OperatorAnswer) -> Boxed<'_, Result<AnswerOutcome, BackendError>>;

    /// Lines of the audit, newest first.
    fn audit(&self, query: AuditQuery) -> Boxed<'_, Result<Vec<AuditView>, BackendError>>;

    /// What every instance on the same store says about itself.
    fn instances(&self) -> Boxed<'_, Result<Vec<InstanceReport>, BackendError>>;

    /// Limits and quotas of sources, and how far each is used up.
    fn limits(&self) -> Boxed<'_, Result<Vec<SourceLimitStatus>, BackendError>>;

    /// Agents that work on their own.
    fn agents(&self) -> Boxed<'_, Result<AgentsView, BackendError>>;

    /// Work that goes on after its call.
    fn executions(&self) -> Boxed<'_, Result<ExecutionsView, BackendError>>;

    /// Ends an execution; its API is told by its follower.
    fn cancel(&self, id: String) -> Boxed<'_, Result<ExecutionCancelled, BackendError>>;

    /// The last times that a hook failed, newest first; of the last day, and a few at most.
    fn failed_hooks(&self) -> Boxed<'_, Result<Vec<AuditView>, BackendError>>;

    /// Lets something go on; false if there was nothing to be let go on.
    fn allow(&self, allowance: ReleaseTarget) -> Boxed<'_, Result<bool, BackendError>>;

    /// Makes a secret for the operator's eyes, which is kept nowhere in clear; none if nothing waits for one.
    fn reveal(&self, wanted: RevealRequest) -> Boxed<'_, Result<Option<RevealedSecret>, BackendError>>;

    /// Changes whenever something else is to be seen.
    fn changes(&self) -> watch::Receiver<u64>;
}

/// Distinguishes one passphrase from the next, and tells nothing about it: who signed in with another one is signed out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PassphraseMark(pub String);

/// The data cannot be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the store cannot be reached")]
pub struct BackendError;

/// Why no one is signed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignInRefusal {
    /// It is another passphrase.
    Wrong,
    /// None is set.
    NotSet,
    /// Too many were tried.
    Limited {
        /// When the next one is taken.
        until: Timestamp,
    },
    /// It cannot be checked now.
    Unavailable,
}

/// What the operator says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OperatorAnswer {
    /// The calls may run, once.
    Approve,
    /// They may not.
    Deny {
        /// Why, for the caller.
        reason: Option<String>,
    },
}

/// What became of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnswerOutcome {
    /// It counts.
    Done(ApprovalView),
    /// Somebody was faster, or it is too late.
    TooLate(ApprovalView),
    /// There is no such question.
    Unknown,
}

/// A question to the operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApprovalView {
    /// Its id.
    pub id: String,
    /// How far it is.
    pub state: ApprovalState,
    /// Who asked.
    pub caller: String,
    /// The session that asked.
    pub session: String,
    /// The rule that stopped it.
    pub rule: Option<String>,
    /// The calls: one, or those of a plan.
    pub calls: Vec<CallView>,
    /// When it was asked.
    pub requested_at: Timestamp,
    /// Until when it can be answered, or used.
    pub expires_at: Timestamp,
    /// When it was answered.
    pub decided_at: Option<Timestamp>,
    /// Who answered.
    pub approver: Option<String>,
    /// What they said.
    pub reason: Option<String>,
}

/// One call that is asked about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CallView {
    /// The source.
    pub source: String,
    /// The operation.
    pub operation: String,
    /// How dangerous it is, as a word.
    pub danger: String,
    /// Names and values.
    pub params: Vec<(String, Value)>,
    /// Why it was stopped.
    pub reasons: Vec<String>,
    /// What the adapter says to the person who confirms.
    pub message: Option<String>,
    /// What would be sent: method and address of an API, else what the handler says of itself.
    pub request: Option<String>,
    /// The body of it.
    pub body: Option<Value>,
}

impl CallView {
    /// Reads what was kept of a call when it was asked about.
    pub fn read(shown: &Value) -> CallView {
        let text = |key: &str| shown[key].as_str().unwrap_or_default().to_owned();
        let request = &shown["request"];
        let (line, body) = match (request["method"].as_str(), request["url"].as_str()) {
            (Some(method), Some(url)) => {
                let body = Some(&request["body"]).filter(|body| !body.is_null());
                (Some(format!("{method} {url}")), body.cloned())
            }
            _ if request.is_null() => (None, None),
            _ => (Some(request.as_str().map_or_else(|| request.to_string(), str::to_owned)), None),
        };
        CallView {
            source: text("source"),
            operation: text("operation"),
            danger: text("danger_level"),
            params: pairs(&shown["params"]),
            reasons: shown["reasons"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .map(str::to_owned)
                .collect(),
            message: shown["message"].as_str().map(str::to_owned),
            request: line,
            body,
        }
    }
}

fn pairs(params: &Value) -> Vec<(String, Value)> {
    let params = params.as_object().into_iter().flatten();
    params.map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// Which lines of the audit are wanted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditQuery {
    /// Those with this text.
    pub text: Option<String>,
    /// Those before this one.
    pub before: Option<i64>,
    /// So many at most.
    pub most: u32,
}

/// A line of the audit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditView {
    /// Its number.
    pub number: i64,
    /// When it was written.
    pub at: Timestamp,
    /// What happened.
    pub event: String,
    /// How it ended.
    pub outcome: String,
    /// What else is known, by name.
    pub facts: Vec<(&'static str, String)>,
}

/// What the operator lets go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReleaseTarget {
    /// A quota that is paused, until it starts again.
    Quota {
        /// Of this source.
        source: String,
        /// What it counts.
        metric: String,
    },
    /// An agent that is paused.
    PausedAgent {
        /// Its key.
        agent: String,
    },
    /// An agent that is blocked, without a code.
    BlockedAgent {
        /// Its key.
        agent: String,
    },
}

/// A secret that the operator asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RevealRequest {
    /// The code of a challenge. A code that was shown before is no good any more.
    ChallengeCode {
        /// The challenge.
        id: String,
    },
    /// A token with which somebody else lets a paused agent go on.
    PauseToken {
        /// Its key.
        agent: String,
    },
}

/// A secret that is shown once.
#[derive(Debug, Clone)]
pub struct RevealedSecret {
    /// The agent that it is about.
    pub agent: String,
    /// The challenge, if it is the code of one.
    pub challenge: Option<String>,
    /// What the agent was about to do, and why it was stopped.
    pub stopped: Option<(String, String)>,
    /// The secret.
    pub secret: SecretString,
    /// When it ends.
    pub expires_at: Timestamp,
}
