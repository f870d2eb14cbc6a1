//! The built-in operations on executions: what a caller asks about those it has started.
//!
//! A permitted request in; the state of an execution out, or a failure. No reader sees an execution of somebody else, not even that there
//! is one.

use super::follower::FollowerMessage;
use super::index::{Starter, StarterStep};
use super::observation;
use super::start::{self, error_of, learn, notes, shown, take_answer, unavailable};
use super::step;
use crate::collection::{FetchedPage, PageRequest, PageSource};
use crate::context::CallContext;
use crate::stages::validate::CheckedRequest;
use aqueduct_operations::execution::{
    Execution, ExecutionEvent, ExecutionOwner, ExecutionState, IllegalTransition, JobStop,
};
use aqueduct_operations::failure::wording::echo;
use aqueduct_operations::failure::{Code, Failure};
use aqueduct_operations::gatekeeper::PushedParam;
use aqueduct_operations::gatekeeper::{CallEnd, ConfirmedCall, Permit};
use aqueduct_operations::handler::Boxed;
use aqueduct_operations::progress::ProgressStage;
use aqueduct_operations::raw_json::RawJson;
use aqueduct_operations::reply::Warning;
use aqueduct_operations::response::Paging;
use jiff::Timestamp;
use serde_json::Value;
use std::time::{Duration, Instant};

/// How often the state is looked at while a call waits: another instance may change it.
const LOOK: Duration = Duration::from_millis(500);

/// `get_execution`: the state, when the job has ended or the time to wait for it is over.
pub async fn get(
    context: &CallContext<'_>,
    checked: &CheckedRequest<'_>,
) -> Result<(RawJson, Vec<Warning>), Failure> {
    let wait = checked.values.get("wait_seconds").and_then(Value::as_u64).unwrap_or_default();
    let until = Instant::now() + Duration::from_secs(wait);
    let mut changes = context.dispatcher.executions.changes();
    loop {
        let execution = own(context, checked).await?;
        report(context, &execution);
        let left = until.saturating_duration_since(Instant::now());
        if execution.state().is_terminal() || left.is_zero() {
            return Ok((RawJson::of(&execution.to_json()), notes(&execution)));
        }
        // A change that was made here is seen at once, one of another instance a little later; the sender is never gone.
        tokio::time::timeout(LOOK.min(left), changes.changed()).await.ok();
    }
}

/// Tells the caller that waits how far it is (MCP document, section 5.4).
fn report(context: &CallContext<'_>, execution: &Execution) {
    let stage = match execution.state() {
        ExecutionState::Pending => ProgressStage::Pending,
        ExecutionState::Running => running(execution.progress.as_ref()),
        ExecutionState::Completed => ProgressStage::Completed,
        ExecutionState::Failed | ExecutionState::Cancelled => ProgressStage::Ended,
    };
    let message = execution.progress.as_ref().and_then(|progress| progress["message"].as_str());
    context.reporter.report(stage, message.unwrap_or(execution.status()));
}

fn running(progress: Option<&Value>) -> ProgressStage {
    /// Steps of a percentage: hundredths of one.
    const PARTS: f64 = 10_000.0;
    let share = progress.and_then(|progress| {
        let number = |key: &str| progress[key].as_f64();
        let by_count = || Some(number("current")? / number("total").filter(|total| *total > 0.0)?);
        number("percentage").map(|percentage| percentage / 100.0).or_else(by_count)
    });
    let done = share.map_or(0.0, |share| share.clamp(0.0, 1.0) * PARTS);
    ProgressStage::Running { done: done as u64, steps: PARTS as u64 }
}

/// `list_executions`: all of the caller's, as one page.
pub struct ExecutionPages<'a> {
    pub context: &'a CallContext<'a>,
}

/// The pages of a list of executions.
pub fn list<'a>(context: &'a CallContext<'a>) -> ExecutionPages<'a> {
    ExecutionPages { context }
}

impl PageSource for ExecutionPages<'_> {
    // Nothing here is done by a source.
    fn push(&mut self, _: &PushedParam) {}

    fn fetch<'s>(
        &'s self,
        _wanted: &'s PageRequest,
        _paging: Option<&'s Paging>,
        _permit: Permit<'s>,
    ) -> Boxed<'s, Result<FetchedPage, Failure>> {
        Box::pin(async move {
            let owner = ExecutionOwner::of(self.context.origin);
            let executions = &self.context.dispatcher.executions;
            let own = executions.ledger.of_owner(&owner).await.map_err(unavailable)?;
            let items: Vec<Value> = own.iter().map(|execution| self.item(execution)).collect();
            Ok(FetchedPage::of(RawJson::of(&Value::Array(items))))
        })
    }

    fn can_follow(&self, _link: &str) -> bool {
        false
    }
}

impl ExecutionPages<'_> {
    fn item(&self, execution: &Execution) -> Value {
        let mut item = execution.to_json();
        let starter = self.context.catalog.executions().starter_of(execution);
        let name = starter.map(|starter| self.context.catalog.placed(starter.entry).public_name.as_str());
        item["operation"] = name.unwrap_or(&execution.spec.operation).into();
        item
    }
}

/// `cancel_execution`: the API is told first, where its adapter says how; then it counts as cancelled.
pub async fn cancel(
    context: &CallContext<'_>,
    checked: &CheckedRequest<'_>,
) -> Result<(RawJson, Vec<Warning>), Failure> {
    let execution = own(context, checked).await?;
    check(&execution, ExecutionEvent::Cancel)?;
    let starter = context.catalog.executions().starter_of(&execution);
    let stop = match starter.and_then(Starter::cancel_step) {
        Some(StarterStep { place, step }) if execution.has_job() => {
            let entry = context.catalog.placed(place);
            let permitted = step::permit(context, checked, entry, step, &execution.known).await?;
            let (answer, confirmed) = permitted.send(context).await;
            finish(confirmed, answer.as_ref().err()).await;
            answer?;
            Some(JobStop::Told)
        }
        // Its API is being asked to start it, and is told when it has answered.
        Some(_) => None,
        None => Some(JobStop::NoWay),
    };
    let now = context.dispatcher.clock().now();
    let cancelled = applied(context, &execution.spec.id, |execution| mark_cancelled(execution, stop, now));
    Ok(shown(&cancelled.await?))
}

/// Ends an execution whose API was told so or not.
fn mark_cancelled(
    execution: &mut Execution,
    stop: Option<JobStop>,
    now: Timestamp,
) -> Result<(), IllegalTransition> {
    // An API that was told may have been asked for the state since, and have said so first.
    let is_so = stop == Some(JobStop::Told) && execution.state() == ExecutionState::Cancelled;
    if !is_so {
        execution.apply(ExecutionEvent::Cancel, now)?;
    }
    // An API that has answered meanwhile has started the job, and its follower tells it.
    execution.stop = stop.or_else(|| execution.has_job().then_some(JobStop::Due));
    Ok(())
}

/// `retry_execution`: of two that try, one starts the job.
pub async fn retry(
    context: &CallContext<'_>,
    checked: &CheckedRequest<'_>,
) -> Result<(RawJson, Vec<Warning>), Failure> {
    let execution = own(context, checked).await?;
    check(&execution, ExecutionEvent::Retry)?;
    let starter = context.catalog.executions().starter_of(&execution);
    let retried = starter.and_then(|starter| Some((starter, starter.retry_step()?)));
    let Some((starter, StarterStep { place, step })) = retried else {
        let refused = IllegalTransition { from: execution.state(), event: ExecutionEvent::Retry };
        return Err(illegal(&execution, refused));
    };
    let entry = context.catalog.placed(place);
    let permitted = step::permit(context, checked, entry, step, &execution.known).await?;
    let _starting = context.dispatcher.executions.starting(&execution.spec.id);
    let now = context.dispatcher.clock().now();
    let again =
        applied(context, &execution.spec.id, |execution| execution.apply(ExecutionEvent::Retry, now)).await;
    let again = match again {
        Ok(again) => again,
        Err(failure) => {
            finish(permitted.confirmed, Some(&failure)).await;
            return Err(failure);
        }
    };
    let (answer, confirmed) = permitted.send(context).await;
    finish(confirmed, answer.as_ref().err()).await;
    let executions = &context.dispatcher.executions;
    let now = context.dispatcher.clock().now();
    let changed = match &answer {
        Ok(answer) => {
            let observation =
                observation::read(&starter.lifecycle, &answer.data, executions.settings.max_result_size);
            let learned = learn(&starter.lifecycle, context.catalog.placed(starter.entry), answer);
            start::change(executions, &again.spec.id, |execution| {
                take_answer(execution, &learned, observation.clone(), now);
            })
            .await?
        }
        Err(failure) => {
            let error = error_of(failure);
            start::change(executions, &again.spec.id, |execution| execution.fail(error.clone(), now)).await?
        }
    };
    answer?;
    let changed = changed.ok_or_else(|| not_there(checked))?;
    if !changed.state().is_terminal() {
        executions.send_message(FollowerMessage::Follow(changed.spec.id.clone()));
    }
    Ok(shown(&changed))
}

/// The execution that a call names, if it is the caller's.
async fn own(context: &CallContext<'_>, checked: &CheckedRequest<'_>) -> Result<Execution, Failure> {
    let id = checked.values.get("execution_id").and_then(Value::as_str).unwrap_or_default();
    let saved = context.dispatcher.executions.ledger.get(id).await.map_err(unavailable)?;
    let keys = ExecutionOwner::of(context.origin).keys();
    let own = saved.map(|saved| saved.execution).filter(|execution| keys.contains(&execution.owner_key()));
    own.ok_or_else(|| not_there(checked))
}

fn not_there(checked: &CheckedRequest<'_>) -> Failure {
    let id = checked.values.get("execution_id").and_then(Value::as_str).unwrap_or_default();
    let message = format!("There is no execution '{}' of yours. List them with list_executions.", echo(id));
    Failure::new(Code::NotFoundResource, message).with("execution_id", echo(id))
}

fn check(execution: &Execution, event: ExecutionEvent) -> Result<(), Failure> {
    let next = execution.state().after(event, execution.spec.supports_retry);
    next.map(drop).map_err(|refused| illegal(execution, refused))
}

/// Lets an event happen, if the state still allows it.
async fn applied(
    context: &CallContext<'_>,
    id: &str,
    mut apply: impl FnMut(&mut Execution) -> Result<(), IllegalTransition>,
) -> Result<Execution, Failure> {
    let changed = context.dispatcher.executions.change(id, |saved| {
        let before = saved.execution.clone();
        apply(&mut saved.execution).map(|()| true).map_err(|refused| illegal(&before, refused))
    });
    let not_found = || Failure::new(Code::NotFoundResource, "The execution is not there any more.");
    changed.await.map_err(unavailable)?.ok_or_else(not_found)?
}

/// The state does not allow it.
fn illegal(execution: &Execution, refused: IllegalTransition) -> Failure {
    let IllegalTransition { from, event } = refused;
    let message = match event {
        ExecutionEvent::Retry if from == ExecutionState::Failed => {
            "This execution cannot be tried again: its operation does not support it. Start a new one."
                .to_owned()
        }
        ExecutionEvent::Retry => {
            format!("Only a failed execution can be tried again, and this one is {}.", from.name())
        }
        _ => format!("The execution is {} already, and cannot be ended.", from.name()),
    };
    Failure::new(Code::ConflictInvalidState, message)
        .with("execution_id", execution.spec.id.as_str())
        .with("from", from.name())
        .with("to", event.target().name())
}

/// Tells a confirmation how its call ended.
async fn finish(confirmed: Option<ConfirmedCall>, failure: Option<&Failure>) {
    let Some(confirmed) = confirmed else { return };
    let end = failure.map_or(CallEnd::Succeeded, |failure| CallEnd::Failed(failure.code.name().to_owned()));
    confirmed.finish(end).await;
}

#[cfg(test)]
mod tests;
