//! Listens to the events of a job, where its adapter names an operation that gives them.
//!
//! A job in; each event to its consumer, until one says that the job has ended, or the stream ends. Opening it passes the gate and
//! the meter like a question about the state.

use super::index::Starter;
use super::step;
use crate::context::CallContext;
use crate::failure_map;
use crate::stages::gatekeep::{self, Admitted};
use crate::stages::validate::CheckedRequest;
use aqueduct_operations::execution::Execution;
use aqueduct_operations::failure::Failure;
use aqueduct_operations::gatekeeper::Purpose;
use aqueduct_upstream::{EventStream, Upstream};
use futures::StreamExt;
use serde_json::Value;
use std::time::Duration;

/// Hears events until the job or the stream ends. What fails is logged: the state is asked for next in any case.
pub async fn listen<'a, F>(
    context: &CallContext<'a>,
    starter: &'a Starter,
    execution: &Execution,
    mut take_event: impl FnMut(Value) -> F,
) where
    F: Future<Output = bool>,
{
    let mut stream = match open(context, starter, execution).await {
        Ok(Some(stream)) => stream,
        Ok(None) => return,
        Err(failure) => {
            tracing::info!(
                target: "aqueduct::executions", execution = execution.spec.id, code = failure.code.name(), "a job tells no events"
            );
            return;
        }
    };
    let now = context.dispatcher.clock().now();
    let left = Duration::try_from(execution.gives_up_at().duration_since(now)).unwrap_or_default();
    let hearing = async {
        while let Some(Ok(event)) = stream.next().await {
            if take_event(event.data).await {
                return;
            }
        }
    };
    // Out of time is one of the ways to be done.
    tokio::time::timeout(left, hearing).await.unwrap_or_default();
}

async fn open<'a>(
    context: &CallContext<'a>,
    starter: &'a Starter,
    execution: &Execution,
) -> Result<Option<EventStream>, Failure> {
    let (Some(place), Some(events)) = (starter.events, &starter.lifecycle.events) else { return Ok(None) };
    let (entry, by) = (context.catalog.placed(place), context.catalog.placed(starter.entry));
    let checked = CheckedRequest::subrequest(entry, step::values(events, entry, by, &execution.known)?);
    let prepared = Upstream::prepare(&entry.operation, &checked.values);
    let prepared = prepared.map_err(|error| failure_map::unbuildable(error, entry))?;
    let Admitted { permit, .. } =
        gatekeep::gatekeep_subrequest(context, checked, Purpose::Follow, by).await?;
    let record = permit.record().clone();
    let stream = context.dispatcher.upstream.events(permit, &prepared).await;
    stream.map(Some).map_err(|error| crate::context::failed_upstream(error, &record))
}
