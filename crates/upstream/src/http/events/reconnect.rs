//! Streams that connect again, for programs that follow events for long (HTML standard, "the EventSource interface").
//!
//! What was asked comes in; events of one connection after the other go out. Invariants: never more connections than were
//! allowed; credentials are read anew for each; a status other than 2xx, another content type or 204 ends it for good.

use super::{EventFrame, EventFrames, EventStream, ServerSentEvent, connect};
use crate::error::UpstreamError;
use crate::http::header;
use crate::http::request::HttpRequest;
use crate::upstream::UpstreamContext;
use aqueduct_operations::operation::Operation;
use aqueduct_operations::target::HttpTarget;
use futures::stream::{BoxStream, StreamExt, unfold};
use http::HeaderName;
use serde_json::{Map, Value};
use std::sync::Arc;
use std::time::Duration;

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// How a stream connects again when its connection ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reconnect {
    /// How often, in all.
    pub times: u32,
    /// The wait before it, unless the server asks for another.
    pub wait: Duration,
    /// The longest wait, whatever the server asks for.
    pub longest_wait: Duration,
}

impl Default for Reconnect {
    fn default() -> Reconnect {
        Reconnect { times: 10, wait: Duration::from_secs(3), longest_wait: Duration::from_secs(60) }
    }
}

/// What is asked for, each time anew.
pub(crate) struct StreamRequest {
    pub(crate) shared: Arc<UpstreamContext>,
    pub(crate) operation: Operation,
    pub(crate) target: HttpTarget,
    pub(crate) values: Map<String, Value>,
    pub(crate) request: HttpRequest,
}

impl StreamRequest {
    async fn connect(&self) -> Result<EventFrames, UpstreamError> {
        connect(&self.shared, &self.operation, &self.target, &self.values, &self.request).await
    }
}

/// Opens a stream that outlives its connection.
pub(crate) async fn open_reconnecting(
    stream_request: StreamRequest,
    reconnect: Reconnect,
) -> Result<EventStream, UpstreamError> {
    let frames = stream_request.connect().await?;
    let mut following =
        ReconnectingStream { stream_request, frames: None, connections_left: reconnect.times, reconnect };
    following.take(frames);
    let events =
        unfold(following, async |mut following| following.next().await.map(|event| (event, following)));
    Ok(EventStream(events.boxed()))
}

struct ReconnectingStream {
    stream_request: StreamRequest,
    /// None when it is over.
    frames: Option<BoxStream<'static, Result<EventFrame, UpstreamError>>>,
    /// Connections that may still be made.
    connections_left: u32,
    reconnect: Reconnect,
}

impl ReconnectingStream {
    async fn next(&mut self) -> Option<Result<ServerSentEvent, UpstreamError>> {
        loop {
            let frames = self.frames.as_mut()?;
            match frames.next().await {
                Some(Ok(frame)) => {
                    if let Some(event) = self.note(frame) {
                        return Some(Ok(event));
                    }
                }
                Some(Err(error)) if !is_network_error(&error) => return self.end_with(error),
                Some(Err(error)) => {
                    if let Err(error) = self.reconnect_after(Some(error)).await {
                        return self.end_with(error?);
                    }
                }
                None => {
                    if let Err(error) = self.reconnect_after(None).await {
                        return self.end_with(error?);
                    }
                }
            }
        }
    }

    /// Remembers what a frame says of connecting again.
    fn note(&mut self, frame: EventFrame) -> Option<ServerSentEvent> {
        if let Some(retry) = frame.retry {
            self.reconnect.wait = Duration::from_millis(retry);
        }
        match frame.id.as_deref().map(header::value) {
            None => {}
            Some(Some(id)) if !id.is_empty() => {
                _ = self.stream_request.request.headers.insert(LAST_EVENT_ID, id)
            }
            // An empty one takes the last one back, and so does one that cannot be sent.
            Some(_) => _ = self.stream_request.request.headers.remove(LAST_EVENT_ID),
        }
        frame.event
    }

    /// Connects again. The error is the last one that there was; none when the last connection ended well.
    async fn reconnect_after(
        &mut self,
        mut error: Option<UpstreamError>,
    ) -> Result<(), Option<UpstreamError>> {
        self.frames = None;
        while self.connections_left > 0 {
            self.connections_left -= 1;
            tokio::time::sleep(self.reconnect.wait.min(self.reconnect.longest_wait)).await;
            match self.stream_request.connect().await {
                Ok(frames) => {
                    self.take(frames);
                    return Ok(());
                }
                Err(failed) if is_network_error(&failed) => error = Some(failed),
                Err(failed) => return Err(Some(failed)),
            }
        }
        Err(error)
    }

    fn take(&mut self, frames: EventFrames) {
        self.frames = (!frames.is_over()).then(|| frames.into_stream());
    }

    fn end_with(&mut self, error: UpstreamError) -> Option<Result<ServerSentEvent, UpstreamError>> {
        self.frames = None;
        Some(Err(error))
    }
}

fn is_network_error(error: &UpstreamError) -> bool {
    matches!(error, UpstreamError::Transport(_))
}
