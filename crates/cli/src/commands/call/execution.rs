//! Waits for work that a call has started and that would end with this process: its progress on the terminal, its last state out.

use crate::progress::ProgressLine;
use aqueduct::Aqueduct;
use aqueduct_operations::call::{CallOrigin, SessionId};
use aqueduct_operations::execution::ExecutionState;
use aqueduct_operations::reply::Reply;
use aqueduct_operations::target::BuiltIn;
use serde_json::{Value, json};

/// Seconds of one question.
const WAIT: u64 = 5;

/// The reply when the execution that it tells of has ended.
pub async fn waited_for(aqueduct: &Aqueduct, session: &SessionId, started: Reply) -> Reply {
    let catalog = aqueduct.catalog();
    let line = ProgressLine::new("waiting");
    let mut reply = started;
    loop {
        let Ok(state) = reply.read::<Value>() else { return reply };
        let Some(id) = state["execution_id"].as_str() else { return reply };
        let status = state["status"].as_str().unwrap_or_default();
        if ExecutionState::parse(status).is_some_and(ExecutionState::is_terminal) {
            return reply;
        }
        line.set(state["progress"]["message"].as_str().unwrap_or(status), 0, 0);
        let params = json!({"execution_id": id, "wait_seconds": WAIT});
        let origin = CallOrigin::local(session.clone());
        let Some(call) = catalog.built_in_call(BuiltIn::GetExecution, params, origin) else { return reply };
        reply = aqueduct.call(call).await;
    }
}
