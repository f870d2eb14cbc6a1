//! Starts a job: the execution is kept before the request is sent, and after each step of it.
//!
//! A permitted call of an operation with a lifecycle in; the state of its execution out. A call that is given up on the way, or a
//! process that is lost, leaves an execution that is closed, never one that no instance knows of.

use super::follower::FollowerMessage;
use super::index::Starter;
use super::observation;
use super::service::Executions;
use super::step::{self, JobAnswer};
use crate::context::CallContext;
use crate::stages::call::PreparedCall;
use crate::stages::gatekeep::{Admitted, Permitted};
use aqueduct_operations::digest::hex;
use aqueduct_operations::execution::ledger::Created;
use aqueduct_operations::execution::{
    CancelledBy, Execution, ExecutionEvent, ExecutionOwner, ExecutionSpec, ExecutionState, JobStop,
    LedgerUnavailable, Observation,
};
use aqueduct_operations::failure::{Code, Failure, wording};
use aqueduct_operations::lifecycle::{Lifecycle, StatusSource, StepValue};
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::raw_json::RawJson;
use aqueduct_operations::reply::Warning;
use jiff::Timestamp;
use serde_json::{Map, Value, json};

/// Bytes of a result that stands in the answer to the call that starts a job.
const LARGEST_RESULT: usize = 64 * 1024;

/// Starts a job, and tells the state of its execution.
pub async fn start<'a>(
    context: &CallContext<'a>,
    starter: &Starter,
    Admitted { request: permitted, permit }: Admitted<'a, &Permitted<'a>>,
    prepared: PreparedCall<'a>,
) -> Result<(RawJson, Vec<Warning>), Failure> {
    let (executions, entry) = (&context.dispatcher.executions, permitted.checked().entry);
    let lifecycle = &*starter.lifecycle;
    let owner = ExecutionOwner::of(context.origin);
    let carries_on = lifecycle.detached || owner.caller.is_some();
    let id = new_id()?;
    let new = ExecutionSpec {
        id: id.clone(),
        source: entry.source.name.clone(),
        operation: entry.operation.name.clone(),
        carries_on,
        supports_retry: starter.retry.is_some(),
        gives_up_after: lifecycle.poll.timeout,
        owner,
    };
    let mut pending = Execution::new(new, context.dispatcher.clock().now());
    pending.known = kept_params(lifecycle, &permitted.checked().values);
    if !carries_on {
        executions.belongs_to(&pending.spec.owner.session);
    }
    let _starting = executions.starting(&id);
    let created = executions.ledger.create(pending, &executions.instance).await.map_err(unavailable)?;
    if let Created::TooMany { most } = created {
        return Err(too_many(most, entry));
    }
    let mut guard = StartGuard { executions, id: Some(id.clone()) };
    let answer = step::run(context, permitted, permit, prepared).await;
    guard.id = None;
    let started = match &answer {
        Ok(answer) => observed(executions, lifecycle, entry, answer, &id, context).await?,
        Err(failure) => {
            let now = context.dispatcher.clock().now();
            let error = error_of(failure);
            change(executions, &id, |execution| execution.fail(error.clone(), now)).await?;
            None
        }
    };
    let answer = answer.map_err(|failure| failure.with("execution_id", id.as_str()));
    let (_, Some(execution)) = (answer?, started) else { return Err(wording::internal("no execution")) };
    if execution.state() == ExecutionState::Cancelled {
        // It was cancelled while its API was asked to start it, and the API does not know that yet.
        executions.send_message(FollowerMessage::TellCancelled(id));
    } else if !execution.state().is_terminal() {
        executions.send_message(FollowerMessage::Follow(id));
    }
    Ok(shown(&execution))
}

/// Takes what the API answered to the call that starts its job.
async fn observed(
    executions: &Executions,
    lifecycle: &Lifecycle,
    entry: &RegistryEntry,
    answer: &JobAnswer,
    id: &str,
    context: &CallContext<'_>,
) -> Result<Option<Execution>, Failure> {
    let now = context.dispatcher.clock().now();
    let observation = observation::read(lifecycle, &answer.data, executions.settings.max_result_size);
    let learned = learn(lifecycle, entry, answer);
    let changed = change(executions, id, |execution| {
        execution.note_started();
        take_answer(execution, &learned, observation.clone(), now);
    });
    changed.await
}

/// What a job's first answer says, or why it cannot be followed.
pub fn learn(
    lifecycle: &Lifecycle,
    entry: &RegistryEntry,
    answer: &JobAnswer,
) -> Result<Map<String, Value>, Failure> {
    let mut known = Map::new();
    if let Some(id) = answer.identifier(&lifecycle.id) {
        known.insert(StepValue::Id.text(), id);
    }
    for (_, value) in lifecycle.steps().flat_map(|(_, step)| &step.params) {
        if let StepValue::Response(path) = value
            && let Some(found) =
                observation::at(&answer.data, path).filter(|found| found.to_string().len() <= 4_096)
        {
            known.insert(value.text(), found.clone());
        }
    }
    if lifecycle.status == StatusSource::Location {
        match &answer.location {
            Some(Ok(link)) => _ = known.insert("location".to_owned(), link.as_str().into()),
            Some(Err(error)) => return Err(step::bad_location(error, entry)),
            None => {}
        }
    }
    Ok(known)
}

/// Puts an answer into the execution: what is known of its job, and what it tells.
pub fn take_answer(
    execution: &mut Execution,
    learned: &Result<Map<String, Value>, Failure>,
    observation: Observation,
    now: Timestamp,
) {
    let is_pending = observation.state == Some(ExecutionState::Pending);
    if execution.state() == ExecutionState::Pending && !is_pending {
        // The API has taken it on. An execution that was cancelled meanwhile stays so.
        execution.apply(ExecutionEvent::Start, now).ok();
    }
    execution.observe(observation, now);
    match learned {
        Ok(learned) => execution.known.extend(learned.clone()),
        Err(failure) => execution.fail(error_of(failure), now),
    }
}

/// The parameters of the call that later steps need. What is sensitive is not among them: a file that names it does not load.
fn kept_params(lifecycle: &Lifecycle, values: &Map<String, Value>) -> Map<String, Value> {
    let steps = lifecycle.steps().flat_map(|(_, step)| &step.params);
    let kept = steps.filter_map(|(_, value)| match value {
        StepValue::Param(name) => Some((value.text(), values.get(name)?.clone())),
        StepValue::Id | StepValue::Response(_) => None,
    });
    kept.collect()
}

/// Changes an execution in a way that cannot fail.
pub async fn change(
    executions: &Executions,
    id: &str,
    mut change: impl FnMut(&mut Execution),
) -> Result<Option<Execution>, Failure> {
    let changed = executions.change(id, |saved| {
        change(&mut saved.execution);
        Ok::<bool, std::convert::Infallible>(true)
    });
    Ok(changed.await.map_err(unavailable)?.and_then(Result::ok))
}

/// The answer to a call about an execution; a result that is large is left to `get_execution`.
pub fn shown(execution: &Execution) -> (RawJson, Vec<Warning>) {
    let mut warnings = notes(execution);
    let mut state = execution.to_json();
    let is_large = state.get("result").is_some_and(|result| result.to_string().len() > LARGEST_RESULT);
    if is_large {
        state.as_object_mut().map(|state| state.remove("result"));
        let message =
            "The result is too large for this answer; get_execution gives it, or the chosen fields of it";
        warnings.push(Warning::new("EXECUTION_RESULT_LEFT_OUT", message));
    }
    (RawJson::of(&state), warnings)
}

/// What the state alone does not say: a result that was not kept, who has cancelled it, and that its job may go on.
pub fn notes(execution: &Execution) -> Vec<Warning> {
    let mut notes = Vec::new();
    match execution.state() {
        ExecutionState::Completed => {
            let message = "The result of this execution was too large to be kept; read it from its API";
            let warning =
                |bytes: u64| Warning::new("EXECUTION_RESULT_LEFT_OUT", message).with("bytes", bytes);
            notes.extend(execution.result_left_out.map(warning));
        }
        ExecutionState::Cancelled => {
            let by_operator = "The operator of this server has cancelled the execution";
            if execution.cancelled_by == Some(CancelledBy::Operator) {
                notes.push(Warning::new("EXECUTION_CANCELLED_BY_OPERATOR", by_operator));
            }
            let why = match execution.stop {
                Some(JobStop::NoWay) => Some("The API has no way to end its job"),
                Some(JobStop::Failed) => Some("The API could not be told to end its job"),
                Some(JobStop::Due | JobStop::Told) | None => None,
            };
            notes.extend(why.map(|why| {
                let message = format!("{why}, which may go on there; it is not followed any more");
                Warning::new("EXECUTION_NOT_STOPPED", message)
            }));
        }
        ExecutionState::Pending | ExecutionState::Running | ExecutionState::Failed => {}
    }
    notes
}

/// A failure as the error of an execution.
pub fn error_of(failure: &Failure) -> Value {
    let mut error = json!({"code": failure.code.name(), "message": failure.message});
    if !failure.details.is_empty() {
        error["details"] = Value::Object(failure.details.clone());
    }
    error
}

/// The ledger is lost.
pub fn unavailable(error: LedgerUnavailable) -> Failure {
    let message = "Executions cannot be kept or read now. Try again later.";
    Failure::new(Code::InternalError, message).caused_by(error)
}

fn too_many(most: u64, entry: &RegistryEntry) -> Failure {
    let message = format!(
        "You have {most} executions under way, and may have no more. Wait for one of them with get_execution, or end one with \
         cancel_execution."
    );
    Failure::new(Code::RateLimitExceeded, message)
        .with("operation", entry.public_name.as_str())
        .with("limit", most)
        .with("retry_after_seconds", 10)
}

/// A name that cannot be guessed.
fn new_id() -> Result<String, Failure> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).map_err(wording::internal)?;
    Ok(format!("exec_{}", hex(&bytes)))
}

/// Tells the follower when a call is given up while its API is asked to start the job.
struct StartGuard<'g> {
    executions: &'g Executions,
    id: Option<String>,
}

impl Drop for StartGuard<'_> {
    fn drop(&mut self) {
        if let Some(id) = self.id.take() {
            self.executions.send_message(FollowerMessage::GivenUp(id));
        }
    }
}
