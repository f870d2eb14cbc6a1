//! The operator's page: what waits for a yes, history, audit, sources, calls of the last hour. On a listener of its own, which only
//! this machine reaches, for whoever knows the passphrase.
//!
//! `desk` is what the page asks for its data, `listener` accepts connections, `guard` lets requests in, `session` knows who signed
//! in, `routes` answers, `live` tells of changes, and `view` writes the HTML. Why it is so is in `docs/decisions/0050-operator-page.md`.

mod assets;
mod desk;
mod form;
mod guard;
mod instance_report;
mod listener;
mod live;
mod routes;
mod session;
mod view;

pub use desk::{
    Answer, Answered, ApprovalState, ApprovalView, AuditQuery, AuditView, CallView, DeskError, LimitView,
    OperatorDesk, PassphraseMark, SignInRefusal,
};
pub use instance_report::{InstanceReport, MinuteCount, SourceHealth, SourceReport, ToolsReport};
pub use listener::{NotLoopback, bind, serve};

#[cfg(test)]
mod tests;
