//! A call that code answers: a tool of another MCP server, a function of the program.
//!
//! A permitted request and the values of this run in; the data of the envelope out, or a failure. Waits for the limiter
//! and may be answered from the cache like a request upstream, and reports progress.

use crate::context::CallContext;
use crate::observe::ProgressReporter;
use crate::worker_pool::LARGE;
use crate::{failure_map, upstream_log};
use aqueduct_operations::failure::Failure;
use aqueduct_operations::gatekeeper::Permit;
use aqueduct_operations::handler::{self, Elicitor, HandlerError, HandlerProgress, HandlerValues};
use aqueduct_operations::raw_json::RawJson;
use aqueduct_operations::size::is_large;
use aqueduct_upstream::HandlerResult;
use std::sync::Arc;
use std::time::Instant;

/// Gives the result of a permitted call with these values: those of the request, or of one page of it. A READ may be
/// answered from the cache.
pub async fn run(
    context: &CallContext<'_>,
    permit: Permit<'_>,
    values: &HandlerValues,
) -> Result<RawJson, Failure> {
    let record = permit.record().clone();
    let _slot = context.slot(&record, values.get(), "Under way").await;
    let running = run_once(context, permit, values);
    let started = Instant::now();
    let result = context.dispatcher.upstream.run_cached(&record, values.get(), running).await;
    context.upstream_time.add_since(started);
    result
}

/// Runs the handler once.
async fn run_once(
    context: &CallContext<'_>,
    permit: Permit<'_>,
    values: &HandlerValues,
) -> Result<HandlerResult, Failure> {
    let record = permit.record().clone();
    let entry = record.entry();
    let elicitor = context.origin.asker.as_ref().map(|asker| {
        context.dispatcher.questions.bounded(
            asker,
            &entry.source.name,
            record.session(),
            &context.dispatcher.settings.clock,
        )
    });
    let listener = Some(Arc::clone(&context.reporter) as Arc<dyn HandlerProgress>);
    let asker = elicitor.clone().map(|elicitor| elicitor as Arc<dyn Elicitor>);
    let result = handler::run_handler(permit, values, listener, asker).await;
    let declined = elicitor.as_ref().and_then(|elicitor| elicitor.warning());
    let with_declined = |failure: Failure| match &declined {
        Some(warning) => failure.with("questions_declined", warning.message.as_str()),
        None => failure,
    };
    let failed = |failure: Failure| with_declined(upstream_log::failed(&record, None, failure));
    let envelope = result.map_err(|error| {
        let is_sent = !matches!(&error, HandlerError::Limited(_));
        let failure = failure_map::handler(error, entry);
        if is_sent { failed(failure) } else { with_declined(upstream_log::not_sent(&record, failure)) }
    })?;
    if envelope.is_error() {
        return Err(failed(failure_map::reported_failure(&envelope, entry)));
    }
    context.warn(declined.into_iter().collect());
    let data = envelope.data;
    let data = if is_large(&data, LARGE) {
        context.run_apart(move |_| RawJson::of(&data)).await?
    } else {
        RawJson::of(&data)
    };
    Ok(HandlerResult { data, cacheable: !elicitor.is_some_and(|elicitor| elicitor.has_asked()) })
}

impl HandlerProgress for ProgressReporter {
    fn on_progress(&self, done: f64, total: Option<f64>, message: Option<String>) {
        self.report_share(share(done, total), message.as_deref().unwrap_or("Under way"));
    }
}

/// Which part of the whole is done. Without a total it comes ever closer to the end, and never reaches it.
fn share(done: f64, total: Option<f64>) -> f64 {
    let done = if done.is_finite() { done.max(0.0) } else { 0.0 };
    match total {
        Some(total) if total > 0.0 => (done / total).min(1.0),
        _ => done / (done + 10.0),
    }
}
