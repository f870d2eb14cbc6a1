//! `operator`: the person who says yes or no to dangerous calls, outside of what clients reach.
//!
//! A request in; what it says or did out. Whatever decides or reveals something asks for the passphrase first.

mod agents;
mod approvals;
mod audit;
mod executions;
mod limits;
mod passphrase;
mod revoke;
mod tokens;

use super::{pretty, runtime};
use crate::cli::{OperatorRequest, OutputFormat, StatusArgs};
use crate::report::{self, CommandError, Exit, terminal_safe};
use crate::store::{failed, open};
use aqueduct::operator_pages;
use aqueduct::store::Store;
use serde_json::json;

/// Does what the operator asks for.
pub fn operator(request: OperatorRequest) -> Result<Exit, CommandError> {
    let runtime = runtime()?;
    match request {
        OperatorRequest::Init(args) => runtime.block_on(passphrase::init(&args)),
        OperatorRequest::Status(args) => runtime.block_on(status(&args)),
        OperatorRequest::Approvals(args) => runtime.block_on(approvals::show(&args)),
        OperatorRequest::Approve(args) => runtime.block_on(approvals::approve(&args)),
        OperatorRequest::Deny(args) => runtime.block_on(approvals::deny(&args)),
        OperatorRequest::Revoke(args) => runtime.block_on(revoke::revoke(&args)),
        OperatorRequest::Agents(args) => runtime.block_on(agents::show(&args)),
        OperatorRequest::Executions(args) => runtime.block_on(executions::show(&args)),
        OperatorRequest::Cancel(args) => runtime.block_on(executions::cancel(&args)),
        OperatorRequest::Challenge(args) => runtime.block_on(agents::challenge(&args)),
        OperatorRequest::Release(args) => runtime.block_on(agents::release(&args)),
        OperatorRequest::Unblock(args) => runtime.block_on(agents::unblock(&args)),
        OperatorRequest::Token { what } => runtime.block_on(tokens::token(&what)),
        OperatorRequest::Continue(args) => runtime.block_on(limits::resume_quota(&args)),
        OperatorRequest::Audit(args) => runtime.block_on(audit::audit(&args)),
    }
}

/// Notes first what became due while no one looked, as calls whose process was killed. What cannot be written can be read still.
async fn maintain(store: &Store) {
    if let Err(error) = store.maintain().await {
        report::note(&format!("warning: what became due is not noted: {}", failed(error).message));
    }
}

/// Whether there is an operator, and whether something waits: counts alone, which anyone may know.
async fn status(args: &StatusArgs) -> Result<Exit, CommandError> {
    let store = open(&args.store)?;
    maintain(&store).await;
    let status = store.status().await.map_err(failed)?;
    let pages = operator_pages(&store).await.map_err(failed)?;
    let pages: Vec<String> = pages.iter().map(|address| format!("http://{address}/")).collect();
    let limits = store.limits().await.map_err(failed)?;
    if args.format == OutputFormat::Json {
        let shown = json!({
            "has_passphrase": status.has_passphrase,
            "waiting_approvals": status.waiting_approvals,
            "pages": pages,
            "limits": limits,
        });
        report::data(&pretty(&shown));
        return Ok(Exit::Done);
    }
    let passphrase = if status.has_passphrase { "set" } else { "not set; see 'aqueduct operator init'" };
    let page = if pages.is_empty() { "not served".to_owned() } else { terminal_safe(&pages.join(", ")) };
    report::data(&format!(
        "passphrase         {passphrase}\nwaiting approvals  {}\npage               {page}{}",
        status.waiting_approvals,
        limits::table(&limits)
    ));
    Ok(Exit::Done)
}
