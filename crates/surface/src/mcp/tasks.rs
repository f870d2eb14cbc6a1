//! Executions as tasks of MCP, for clients that know these: a call that starts one is answered with a task of the same name.
//!
//! The state of an execution in; a task out, with the result of its call once it has ended. Nothing is kept here: a task is asked for
//! like `get_execution`, and ended like `cancel_execution`, through the same gate.

use super::server::tool_result;
use aqueduct_operations::clock::iso8601;
use aqueduct_operations::execution::{ExecutionState, ExecutionTimes};
use aqueduct_operations::failure::Failure;
use aqueduct_operations::reply::Reply;
use rmcp::model::{
    CreateTaskResult, DetailedTask, ErrorCode, ErrorData, JsonObject, Task, TaskPayload, TaskStatus,
};
use serde_json::{Value, json};

/// How often a client is asked to look.
const POLL_MS: u64 = 1_000;

/// The name of the execution that a call has started, if its answer looks like one that did.
pub fn started(reply: &Reply) -> Option<String> {
    let Reply::Success(success) = reply else { return None };
    if !success.data.as_str().starts_with("{\"execution_id\":\"exec_") {
        return None;
    }
    let state: Value = reply.read().ok()?;
    let is_over = ExecutionState::parse(state["status"].as_str()?).is_some_and(ExecutionState::is_terminal);
    (!is_over).then(|| state["execution_id"].as_str().map(str::to_owned))?
}

/// The task of an execution that goes on; nothing when there is no such execution.
pub fn created(state: &Reply, times: Option<ExecutionTimes>) -> Option<CreateTaskResult> {
    detailed(state, times).ok().map(|detailed| CreateTaskResult::new(detailed.task))
}

/// The task of an execution, by what `get_execution` says of it, and when it was made and last learnt of.
pub fn detailed(state: &Reply, times: Option<ExecutionTimes>) -> Result<DetailedTask, ErrorData> {
    let data: Value = state.read().map_err(|_| no_task(state.failure()))?;
    let text = |key: &str| data[key].as_str().map(str::to_owned);
    let (Some(id), Some(status), Some(times)) = (text("execution_id"), text("status"), times) else {
        return Err(no_task(None));
    };
    let (created, updated) = (iso8601(times.created_at), iso8601(times.updated_at));
    let message = data["progress"]["message"].as_str().unwrap_or(&status).to_owned();
    let task = Task::new(id, TaskStatus::Working, created, updated)
        .with_status_message(message)
        .with_poll_interval_ms(POLL_MS);
    let payload = match ExecutionState::parse(&status) {
        Some(ExecutionState::Completed) => TaskPayload::Completed { result: result_of(state) },
        Some(ExecutionState::Failed) => TaskPayload::Failed { error: error_of(&data["error"]) },
        Some(ExecutionState::Cancelled) => TaskPayload::Cancelled,
        Some(ExecutionState::Pending | ExecutionState::Running) | None => TaskPayload::Working,
    };
    Ok(DetailedTask::new(task, payload))
}

/// The result of the call, as the call itself would have had it.
fn result_of(state: &Reply) -> JsonObject {
    let result = serde_json::to_value(tool_result(state)).unwrap_or_default();
    result.as_object().cloned().unwrap_or_default()
}

fn error_of(error: &Value) -> JsonObject {
    let message = error["message"].as_str().unwrap_or("The execution failed");
    let error = json!({"code": ErrorCode::INTERNAL_ERROR.0, "message": message, "data": error});
    error.as_object().cloned().unwrap_or_default()
}

/// What a client is told when a task cannot be asked for.
pub fn no_task(failure: Option<&Failure>) -> ErrorData {
    let message = failure.map_or("There is no such task.", |failure| failure.message.as_str());
    ErrorData::invalid_params(message.to_owned(), None)
}
