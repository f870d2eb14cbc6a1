//! Follows executions on a thread of its own: asks their jobs until they end, by leases, so that one instance asks at a time.
//!
//! Messages in; changes of executions out. Each execution is a task: it waits, keeps its lease, asks, and writes down what it hears. What
//! another instance has left behind is taken over, or closed where it ended with its session.

use super::index::Starter;
use super::job_request::JobRequest;
use super::poll_failures::{FailureTally, PollDecision};
use super::service::Executions;
use super::session_end;
use super::start::{self, error_of};
use super::step::{self, JobAnswer};
use super::{listen, observation};
use crate::dispatcher::Dispatcher;
use aqueduct_operations::call::SessionEnd;
use aqueduct_operations::execution::{Execution, Observation, SavedExecution};
use aqueduct_operations::failure::Failure;
use aqueduct_operations::lifecycle::StatusSource;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::sync::{Arc, MutexGuard, PoisonError, Weak};
use std::time::Duration;
use tokio::runtime::Builder;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;
use tokio::time::MissedTickBehavior;

/// How long to wait when executions cannot be read.
const WHILE_LOST: Duration = Duration::from_secs(1);

/// How often it is looked for what no instance follows, at most.
const LOOK: Duration = Duration::from_secs(5);

/// What the follower is told.
#[derive(Debug)]
pub enum FollowerMessage {
    /// An execution was started, or is tried again.
    Follow(String),
    /// The call that starts one was given up before its API answered.
    GivenUp(String),
    /// One was cancelled, and its API does not know.
    TellCancelled(String),
    /// A session is over.
    SessionEnded(String, SessionEnd),
    /// The process ends.
    Close(oneshot::Sender<()>),
}

/// Starts the thread. It ends with the dispatcher.
pub fn spawn(
    dispatcher: Weak<Dispatcher>,
    inbox: mpsc::UnboundedReceiver<FollowerMessage>,
) -> std::io::Result<()> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let work = move || runtime.block_on(run(dispatcher, inbox));
    std::thread::Builder::new().name("aqueduct-executions".to_owned()).spawn(work).map(drop)
}

async fn run(dispatcher: Weak<Dispatcher>, mut inbox: mpsc::UnboundedReceiver<FollowerMessage>) {
    let Some(every) = dispatcher.upgrade().map(|dispatcher| tick(&dispatcher.executions)) else { return };
    let mut ticks = tokio::time::interval(every);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let (mut closing, mut is_closed) = (JoinSet::new(), false);
    loop {
        let message = tokio::select! {
            message = inbox.recv() => message,
            _ = ticks.tick(), if !is_closed => {
                let Some(dispatcher) = dispatcher.upgrade() else { return };
                keep_and_claim(&dispatcher).await;
                report_ended(&dispatcher).await;
                continue;
            }
        };
        let (Some(message), Some(strong)) = (message, dispatcher.upgrade()) else { return };
        match message {
            FollowerMessage::Follow(id) => begin(&strong, id),
            FollowerMessage::GivenUp(id) => {
                _ = closing.spawn(async move { fail_unstarted(&strong, &id).await })
            }
            FollowerMessage::TellCancelled(id) => {
                _ = closing.spawn(async move {
                    if let Ok(Some(saved)) = strong.executions.ledger.get(&id).await {
                        session_end::stop_job(&strong, &saved.execution).await;
                    }
                })
            }
            FollowerMessage::SessionEnded(session, end) => {
                closing.spawn(session_end::close_session(strong, session, end));
            }
            FollowerMessage::Close(done) => {
                while closing.join_next().await.is_some() {}
                is_closed = true;
                if let Err(error) = strong.executions.ledger.release(&strong.executions.instance).await {
                    tracing::warn!(target: "aqueduct::executions", %error, "leases are not given up");
                }
                // No caller waits any more when the time for it is over.
                done.send(()).ok();
            }
        }
    }
}

fn tick(executions: &Executions) -> Duration {
    (executions.settings.lease / 3).clamp(Duration::from_millis(50), LOOK)
}

/// Keeps what is followed here, and takes over what no instance follows.
async fn keep_and_claim(dispatcher: &Arc<Dispatcher>) {
    let executions = &dispatcher.executions;
    let lost = |error| tracing::warn!(target: "aqueduct::executions", %error, "executions cannot be reached");
    // What is being started is not followed yet, and its lease must not run out while its API takes its time.
    if let Err(error) = executions.ledger.keep(&executions.instance).await {
        lost(error);
    }
    let sources = dispatcher.catalog().executions().sources();
    if !executions.takes_over_others() || sources.is_empty() {
        return;
    }
    match executions.ledger.claim(&executions.instance, &sources).await {
        Ok(claimed) => {
            for saved in claimed {
                take_over(dispatcher, saved).await;
            }
        }
        Err(error) => lost(error),
    }
}

/// Tells the APIs of executions that an operator has ended, here or elsewhere.
async fn report_ended(dispatcher: &Arc<Dispatcher>) {
    let executions = &dispatcher.executions;
    let sources = dispatcher.catalog().executions().sources();
    if sources.is_empty() {
        return;
    }
    let unreported = match executions.ledger.unreported(&executions.instance, &sources).await {
        Ok(unreported) => unreported,
        Err(error) => {
            return tracing::warn!(target: "aqueduct::executions", %error, "executions cannot be reached");
        }
    };
    for SavedExecution { execution, .. } in unreported {
        if !reporting(executions).insert(execution.spec.id.clone()) {
            continue;
        }
        let dispatcher = Arc::clone(dispatcher);
        tokio::spawn(async move {
            session_end::stop_job(&dispatcher, &execution).await;
            reporting(&dispatcher.executions).remove(&execution.spec.id);
        });
    }
}

fn reporting(executions: &Executions) -> MutexGuard<'_, HashSet<String>> {
    executions.reporting.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Goes on with an execution that another instance has left; the holder is the one that it had before.
async fn take_over(dispatcher: &Arc<Dispatcher>, SavedExecution { execution, holder, .. }: SavedExecution) {
    let executions = &dispatcher.executions;
    let is_mine = holder.as_deref() == Some(&executions.instance);
    if is_mine && followed(executions).contains(&execution.spec.id)
        || executions.is_starting(&execution.spec.id)
    {
        return;
    }
    tracing::info!(target: "aqueduct::executions", execution = execution.spec.id, "execution taken over");
    if !execution.spec.carries_on && !is_mine {
        session_end::close(dispatcher, &execution.spec.id, SessionEnd::Abrupt).await;
    } else if execution.has_job() {
        begin(dispatcher, execution.spec.id);
    } else {
        fail_unstarted(dispatcher, &execution.spec.id).await;
    }
}

/// Closes an execution of which it is unknown whether its job was started.
async fn fail_unstarted(dispatcher: &Dispatcher, id: &str) {
    let error = json!({"code": "INTERNAL_ERROR", "message": "The call was given up before the API had answered it. The job may run \
                       there, and is not followed."});
    let now = dispatcher.clock().now();
    write(dispatcher, id, |execution| execution.fail(error.clone(), now)).await;
}

fn followed(executions: &Executions) -> MutexGuard<'_, HashSet<String>> {
    executions.followed.lock().unwrap_or_else(PoisonError::into_inner)
}

fn begin(dispatcher: &Arc<Dispatcher>, id: String) {
    if followed(&dispatcher.executions).insert(id.clone()) {
        tokio::spawn(follow(Arc::downgrade(dispatcher), id));
    }
}

async fn follow(weak: Weak<Dispatcher>, id: String) {
    let (mut tally, mut held_back) = (FailureTally::default(), None);
    loop {
        let Some(dispatcher) = weak.upgrade() else { return };
        let Some(wait) = pause(&dispatcher, &id).await else {
            followed(&dispatcher.executions).remove(&id);
            return;
        };
        drop(dispatcher);
        tokio::time::sleep(wait.max(held_back.unwrap_or_default())).await;
        let Some(dispatcher) = weak.upgrade() else { return };
        held_back = turn(&dispatcher, &id, &mut tally).await;
    }
}

/// How long to wait before the next question; nothing when there is none to ask.
async fn pause(dispatcher: &Dispatcher, id: &str) -> Option<Duration> {
    let executions = &dispatcher.executions;
    let saved = match executions.ledger.get(id).await {
        Ok(saved) => saved?,
        Err(_) => return Some(WHILE_LOST),
    };
    let execution = saved.execution;
    if execution.state().is_terminal() || saved.holder.as_deref() != Some(&executions.instance) {
        return None;
    }
    let (catalog, now) = (dispatcher.catalog(), dispatcher.clock().now());
    let Some(starter) = catalog.executions().starter_of(&execution) else {
        let message = "The operation of the execution is not served any more.";
        let error = json!({"code": "NOT_FOUND_OPERATION", "message": message});
        write(dispatcher, id, |execution| execution.fail(error.clone(), now)).await;
        return None;
    };
    let left = Duration::try_from(execution.gives_up_at().duration_since(now)).unwrap_or_default();
    if left.is_zero() {
        let seconds = starter.lifecycle.poll.timeout.as_secs();
        let message =
            format!("The job did not end within {seconds} seconds, and is not followed any longer.");
        let error = json!({"code": "TRANSPORT_TIMEOUT", "message": message});
        write(dispatcher, id, |execution| execution.fail(error.clone(), now)).await;
        return None;
    }
    Some(starter.lifecycle.poll.wait(execution.polls).min(left))
}

/// Asks once, while the lease holds. Gives the time that the API wants to be left alone.
async fn turn(dispatcher: &Dispatcher, id: &str, tally: &mut FailureTally) -> Option<Duration> {
    let executions = &dispatcher.executions;
    // Only the holder of the lease asks.
    if !matches!(executions.ledger.renew(id, &executions.instance).await, Ok(true)) {
        return None;
    }
    let saved = executions.ledger.get(id).await.ok().flatten()?;
    let (execution, catalog) = (saved.execution, dispatcher.catalog());
    let starter = catalog.executions().starter_of(&execution)?;
    let request = JobRequest::new(dispatcher, &catalog, starter, &execution);
    let context = request.context();
    if starter.events.is_some() {
        let take_event = |data: Value| async move { take_event(dispatcher, starter, id, &data).await };
        listen::listen(&context, starter, &execution, take_event).await;
    }
    let answer = step::ask_state(&context, starter, &execution.known).await;
    match answer {
        Ok(answer) => {
            tally.answered();
            let observation = observation_of(starter, &answer, executions.settings.max_result_size);
            let now = dispatcher.clock().now();
            write(dispatcher, id, |execution| {
                execution.polls = execution.polls.saturating_add(1);
                execution.asked_at = Some(now);
                execution.observe(observation.clone(), now);
            })
            .await;
            None
        }
        Err(failure) => failed(dispatcher, id, tally, &failure).await,
    }
}

/// Takes an event of a job; true when it has ended.
async fn take_event(dispatcher: &Dispatcher, starter: &Starter, id: &str, data: &Value) -> bool {
    let observation =
        observation::read(&starter.lifecycle, data, dispatcher.executions.settings.max_result_size);
    let now = dispatcher.clock().now();
    let written = write(dispatcher, id, |execution| {
        execution.asked_at = Some(now);
        execution.observe(observation.clone(), now);
    })
    .await;
    written.is_none_or(|execution| execution.state().is_terminal())
}

/// What an answer about the state says. An address that tells no state tells it by its status: 202 as long as the job goes on.
fn observation_of(starter: &Starter, answer: &JobAnswer, max_result_size: u64) -> Observation {
    let observation = observation::read(&starter.lifecycle, &answer.data, max_result_size);
    let is_silent = observation.state.is_none() && starter.lifecycle.status == StatusSource::Location;
    match answer.status {
        Some(status)
            if is_silent && status != 202 && observation::is_wordless(&starter.lifecycle, &answer.data) =>
        {
            observation::completed(&starter.lifecycle, &answer.data, max_result_size)
        }
        _ => observation,
    }
}

async fn failed(
    dispatcher: &Dispatcher,
    id: &str,
    tally: &mut FailureTally,
    failure: &Failure,
) -> Option<Duration> {
    tracing::info!(target: "aqueduct::executions", execution = id, code = failure.code.name(), "a job did not tell its state");
    let verdict = tally.failed(failure);
    let now = dispatcher.clock().now();
    write(dispatcher, id, |execution| {
        execution.asked_at = Some(now);
        match verdict {
            PollDecision::GiveUp => execution.fail(error_of(failure), now),
            PollDecision::AskAgain(_) => execution.polls = execution.polls.saturating_add(1),
        }
    })
    .await;
    match verdict {
        PollDecision::AskAgain(wait) => wait,
        PollDecision::GiveUp => None,
    }
}

/// Writes a change down. What cannot be written is logged, and asked for again.
async fn write(dispatcher: &Dispatcher, id: &str, change: impl FnMut(&mut Execution)) -> Option<Execution> {
    match start::change(&dispatcher.executions, id, change).await {
        Ok(execution) => execution,
        Err(failure) => {
            let cause = failure.cause.unwrap_or_default();
            tracing::warn!(target: "aqueduct::executions", execution = id, cause, "an execution is not written down");
            None
        }
    }
}
