//! Events for those who want one response: a stream and bounds come in, the events within the bounds go out.
//!
//! The stream is dropped, and its connection closed, when this returns.

use super::ServerSentEvent;
use crate::error::UpstreamError;
use futures::stream::{Stream, StreamExt};
use std::pin::pin;
use std::time::Duration;

/// How much is collected; whatever is reached first ends it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CollectLimits {
    /// Events.
    pub max_events: usize,
    /// Bytes of all events, written as JSON.
    pub max_bytes: usize,
    /// Time from the beginning.
    pub duration: Duration,
}

/// What was collected.
#[derive(Debug, Clone, PartialEq)]
pub struct CollectedEvents {
    /// The events, in their order.
    pub events: Vec<ServerSentEvent>,
    /// The stream ended by itself: there are no more events.
    pub ended: bool,
    /// Why the stream broke, if it did; the events from before are still good.
    pub error: Option<UpstreamError>,
}

/// Collects events up to a limit, and tells each as it comes. An event that would be over `max_bytes` is left out, and
/// collecting ends there.
pub async fn collect(
    stream: impl Stream<Item = Result<ServerSentEvent, UpstreamError>>,
    limits: CollectLimits,
    mut on_event: impl FnMut(&ServerSentEvent),
) -> CollectedEvents {
    let mut stream = pin!(stream);
    let mut collected = CollectedEvents { events: Vec::new(), ended: false, error: None };
    let mut left = limits.max_bytes;
    let collecting = async {
        while collected.events.len() < limits.max_events {
            let event = match stream.next().await {
                None => {
                    collected.ended = true;
                    return;
                }
                Some(Err(error)) => {
                    collected.error = Some(error);
                    return;
                }
                Some(Ok(event)) => event,
            };
            let Some(rest) = left.checked_sub(size(&event)) else { return };
            left = rest;
            on_event(&event);
            collected.events.push(event);
        }
    };
    // Out of time is one of the ways to be done.
    tokio::time::timeout(limits.duration, collecting).await.unwrap_or_default();
    collected
}

fn size(event: &ServerSentEvent) -> usize {
    event.json().to_string().len()
}
