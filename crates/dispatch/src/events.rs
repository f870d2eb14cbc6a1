//! An operation that gives events, over a protocol in which a request has one response: they are collected up to a bound, and
//! each is reported as progress when it comes (operation sources, decision 30).
//!
//! A permitted request in; the events, and whether they are all, out. For a stream, use the library.

use crate::context::{CallContext, failed_upstream};
use aqueduct_operations::failure::Failure;
use aqueduct_operations::gatekeeper::Permit;
use aqueduct_operations::limits::MOST_EVENTS;
use aqueduct_operations::raw_json::RawJson;
use aqueduct_operations::reply::Warning;
use aqueduct_operations::target::HttpTarget;
use aqueduct_upstream::{CollectLimits, CollectedEvents, PreparedRequest, ServerSentEvent, collect};
use serde_json::{Value, json};
use std::time::Instant;

/// Listens until the stream ends, or there is enough of it.
pub async fn listen(
    context: &CallContext<'_>,
    permit: Permit<'_>,
    target: &HttpTarget,
    prepared: &PreparedRequest<'_>,
) -> Result<RawJson, Failure> {
    let record = permit.record().clone();
    let failed = |error| failed_upstream(error, &record);
    let _slot = context.slot(&record, record.values(), "Listening").await;
    let started = Instant::now();
    let opened = context.dispatcher.upstream.events(permit, prepared).await;
    let stream = match opened {
        Ok(stream) => stream,
        Err(error) => {
            context.upstream_time.add_since(started);
            return Err(failed(error));
        }
    };
    let limits = CollectLimits {
        max_events: MOST_EVENTS,
        max_bytes: usize::try_from(context.dispatcher.settings.limits.max_response_size)
            .unwrap_or(usize::MAX),
        duration: target.site.timeout,
    };
    let mut count = 0_u32;
    let report = |event: &ServerSentEvent| {
        count += 1;
        let kind = event.event.as_deref().unwrap_or("message");
        context
            .reporter
            .report_share(f64::from(count) / (f64::from(count) + 10.0), &format!("Event {count}: {kind}"));
    };
    let CollectedEvents { events, ended, error } = collect(stream, limits, report).await;
    context.upstream_time.add_since(started);
    match error {
        Some(error) if events.is_empty() => return Err(failed(error)),
        Some(_) => {
            context.warn(vec![cut("The stream broke off; the events before are complete", events.len())])
        }
        None if !ended => {
            context.warn(vec![cut("The stream goes on; these are its first events", events.len())])
        }
        None => {}
    }
    let events: Vec<Value> = events.iter().map(ServerSentEvent::json).collect();
    Ok(RawJson::of(&json!({"events": events, "complete": ended})))
}

fn cut(message: &str, count: usize) -> Warning {
    Warning::new("EVENTS_TRUNCATED", message).with("events", count)
}
