//! Closes executions that no caller waits for any more: their session is over, or their server was lost (ruling S11).
//!
//! An execution and how its session ended in; it is cancelled or failed, by a transition of the table, and its API is told to end the
//! job where the adapter says how.

use super::index::StarterStep;
use super::job_request::JobRequest;
use super::{start, step};
use crate::dispatcher::Dispatcher;
use aqueduct_operations::call::SessionEnd;
use aqueduct_operations::execution::{CancelledBy, Execution, ExecutionEvent, ExecutionState, JobStop};
use aqueduct_operations::gatekeeper::Purpose;
use serde_json::json;
use std::convert::Infallible;
use std::sync::Arc;

/// Closes all executions of a session that end with it.
pub async fn close_session(dispatcher: Arc<Dispatcher>, session: String, end: SessionEnd) {
    let saved = match dispatcher.executions.ledger.of_session(&session).await {
        Ok(saved) => saved,
        Err(error) => {
            tracing::warn!(target: "aqueduct::executions", %error, "the executions of a session are not closed");
            return;
        }
    };
    // A session of several processes, as that of the terminal is, ends in this one.
    let is_of_this = |holder: &Option<String>| holder.as_deref() == Some(&dispatcher.executions.instance);
    for saved in saved.into_iter().filter(|saved| is_of_this(&saved.holder)) {
        close(&dispatcher, &saved.execution.spec.id, end).await;
    }
}

/// Closes one, as the end of its session asks for.
pub async fn close(dispatcher: &Dispatcher, id: &str, end: SessionEnd) {
    let mut was_open = false;
    let now = dispatcher.clock().now();
    let closed = dispatcher.executions.change(id, |saved| {
        let execution = &mut saved.execution;
        was_open = !execution.state().is_terminal();
        if !was_open {
            return Ok::<bool, Infallible>(false);
        }
        match (execution.state(), end) {
            (ExecutionState::Running, SessionEnd::Abrupt) => execution.fail(
                json!({"code": "INTERNAL_ERROR", "message": "The session of the execution broke off."}),
                now,
            ),
            // The table has it for every state that is open.
            _ => {
                execution.apply(ExecutionEvent::Cancel, now).ok();
                execution.cancelled_by = Some(CancelledBy::SessionEnd);
            }
        }
        Ok(true)
    });
    match closed.await {
        Ok(Some(Ok(execution))) if was_open => {
            tracing::info!(
                target: "aqueduct::executions", execution = execution.spec.id, state = execution.state().name(), end = end.name(),
                "execution closed with its session"
            );
            stop_job(dispatcher, &execution).await;
        }
        Ok(_) => {}
        Err(error) => {
            tracing::warn!(target: "aqueduct::executions", %error, execution = id, "an execution is not closed");
        }
    }
}

/// Tells the API of an execution that has ended here to end its job, and notes what became of that.
pub async fn stop_job(dispatcher: &Dispatcher, execution: &Execution) {
    if !execution.has_job() {
        return;
    }
    let stop = cancel_upstream(dispatcher, execution).await;
    let noted =
        start::change(&dispatcher.executions, &execution.spec.id, |execution| execution.stop = Some(stop));
    if let Err(failure) = noted.await {
        let cause = failure.cause.unwrap_or_default();
        tracing::warn!(target: "aqueduct::executions", execution = execution.spec.id, cause, "an execution is not written down");
    }
}

/// Tells the API to end a job, where its adapter says how. The operator who ends one has said yes to what that takes; of others no one is
/// there to confirm it, and a step that needs that is not sent.
async fn cancel_upstream(dispatcher: &Dispatcher, execution: &Execution) -> JobStop {
    let catalog = dispatcher.catalog();
    let starter = catalog.executions().starter_of(execution);
    let cancelled = starter.and_then(|starter| Some((starter, starter.cancel_step()?)));
    let Some((starter, StarterStep { place, step })) = cancelled else { return JobStop::NoWay };
    let request = JobRequest::new(dispatcher, &catalog, starter, execution);
    let (context, by) = (request.context(), catalog.placed(starter.entry));
    let purpose = match execution.cancelled_by {
        Some(CancelledBy::Operator) => Purpose::Operator,
        _ => Purpose::Follow,
    };
    let sent = step::follow(&context, by, catalog.placed(place), step, purpose, &execution.known).await;
    match sent {
        Ok(_) => JobStop::Told,
        Err(failure) => {
            tracing::warn!(
                target: "aqueduct::executions", execution = execution.spec.id, code = failure.code.name(),
                "the API could not be told to end a job"
            );
            JobStop::Failed
        }
    }
}
