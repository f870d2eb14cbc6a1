//! The operator's page: what waits for a yes, agents, executions, limits, history, audit, sources, calls of the last hour. On a listener of its own, which only
//! this machine reaches, for a person who knows the passphrase.
//!
//! `backend` is what the page asks for its data, `listener` accepts connections, `guard` lets requests in, `session` knows who signed
//! in, `routes` answers, `actions` lets things go on or ends them, `live` tells of changes, and `view` writes the HTML. Why it is so is in `docs/decisions/0050-operator-page.md`.

mod actions;
mod assets;
mod backend;
mod form;
mod guard;
mod instance_report;
mod listener;
mod live;
mod routes;
mod session;
mod view;

pub use backend::{
    AgentRunView, AgentStepView, AgentsView, AnswerOutcome, ApprovalState, ApprovalView, AuditQuery,
    AuditView, BackendError, BlockView, CallView, ChallengeView, ExecutionCancelled, ExecutionView,
    ExecutionsView, OperatorAnswer, OperatorBackend, PassphraseMark, ReleaseTarget, RevealRequest,
    RevealedSecret, SignInRefusal,
};
pub use instance_report::{InstanceReport, MinuteCount, SourceHealth, SourceReport, ToolsReport};
pub use listener::{NotLoopback, bind, serve};

#[cfg(test)]
mod tests;
