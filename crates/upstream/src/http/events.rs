//! Streams of events (`text/event-stream`, as the HTML standard frames them): a prepared request comes in, events go out
//! as they arrive, redacted like every other response.
//!
//! Follow one by reading `open`, then `bytes`, then `EventFrames`. A status other than 2xx is the usual error. Invariants: memory is
//! bounded by the size of one event; dropping the stream closes the connection; nothing is connected again unless it
//! was asked for (`reconnect`).

mod bytes;
mod collect;
mod reconnect;
#[cfg(test)]
mod tests;

pub use collect::{CollectLimits, CollectedEvents, collect};
pub use reconnect::Reconnect;
pub(crate) use reconnect::{StreamRequest, open_reconnecting};

use super::request::HttpRequest;
use super::send::{self, RequestAttempts, transport};
use super::{Exchange, build, oauth, read, retry};
use crate::cache::CacheScope;
use crate::credentials::Credentials;
use crate::error::{TransportErrorKind, UnreadableError, UnreadableKind, UpstreamError};
use crate::upstream::UpstreamContext;
use aqueduct_egress::redact::Redactor;
use aqueduct_egress::sse::{self, Sse, SseError};
use aqueduct_operations::operation::Operation;
use aqueduct_operations::target::{AnswerKind, HttpTarget};
use futures::stream::{BoxStream, Stream, StreamExt};
use http::header::{ACCEPT, CONTENT_TYPE, HeaderValue};
use reqwest::{Response, StatusCode};
use serde_json::{Map, Value};
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

const EVENTS: &str = "text/event-stream";

/// One event.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerSentEvent {
    /// What kind it is, where the server says so.
    pub event: Option<String>,
    /// Its data: JSON where it parses, else a string.
    pub data: Value,
    /// Its identifier, where the server gave it one.
    pub id: Option<String>,
}

impl ServerSentEvent {
    /// The event as JSON: `{event?, data, id?}`.
    pub fn json(&self) -> Value {
        let texts = [("event", &self.event), ("id", &self.id)].into_iter();
        let texts = texts.filter_map(|(name, text)| Some((name.to_owned(), text.clone()?.into())));
        texts.chain([("data".to_owned(), self.data.clone())]).collect()
    }
}

/// Events as they arrive. It ends with the connection, or after the first error; dropping it closes the connection.
pub struct EventStream(BoxStream<'static, Result<ServerSentEvent, UpstreamError>>);

impl Stream for EventStream {
    type Item = Result<ServerSentEvent, UpstreamError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_next_unpin(context)
    }
}

impl fmt::Debug for EventStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EventStream")
    }
}

/// Opens a stream that ends with its connection.
pub(crate) async fn open(
    shared: &UpstreamContext,
    operation: &Operation,
    target: &HttpTarget,
    values: &Map<String, Value>,
    request: &HttpRequest,
) -> Result<EventStream, UpstreamError> {
    let frames = connect(shared, operation, target, values, request).await?.into_stream();
    Ok(EventStream(frames.filter_map(async |frame| frame.map(|frame| frame.event).transpose()).boxed()))
}

/// Opens a connection, with a new token if the first one is refused.
async fn connect(
    shared: &UpstreamContext,
    operation: &Operation,
    target: &HttpTarget,
    values: &Map<String, Value>,
    request: &HttpRequest,
) -> Result<EventFrames, UpstreamError> {
    let mut request = request.clone();
    if request.headers.get(ACCEPT).is_none_or(|accepted| accepted == build::accepted(AnswerKind::Json)) {
        request.headers.insert(ACCEPT, HeaderValue::from_static(EVENTS));
    }
    let mut credentials = oauth::credentials(shared, operation, target, values, &request.url).await?;
    // What it may change is invalidated in the cache, before and after.
    let exchange = Exchange { shared, operation, target, request: &request, credentials: &credentials };
    let change = exchange
        .may_change_something()
        .then(|| shared.cache.change(CacheScope::of(&request.url, None, &operation.name), None));
    let mut outcome = send_with_retries(shared, operation, target, &request, &credentials).await;
    if oauth::renew(shared, target, &mut credentials, &outcome).await? {
        outcome = send_with_retries(shared, operation, target, &request, &credentials).await;
    }
    drop(change);
    let max_bytes = usize::try_from(shared.settings.max_response_size).unwrap_or(usize::MAX);
    Ok(EventFrames { response: outcome?, target: target.clone(), redactor: credentials.redactor, max_bytes })
}

/// Sends the request, again where that is safe and may help, up to the head of a stream of events.
async fn send_with_retries(
    shared: &UpstreamContext,
    operation: &Operation,
    target: &HttpTarget,
    request: &HttpRequest,
    credentials: &Credentials,
) -> Result<Response, UpstreamError> {
    let call = RequestAttempts { shared, target, request, credentials, revalidates: false };
    let call = &call;
    let site = &target.site;
    retry::with_retries(operation, target, |number| async move {
        let outcome = tokio::time::timeout(site.timeout, head(call))
            .await
            .unwrap_or_else(|_| Err(transport(site, TransportErrorKind::Timeout { after: site.timeout })));
        tracing::debug!(
            attempt = number,
            host = site.base_url.host_str(),
            is_open = outcome.is_ok(),
            "events"
        );
        outcome
    })
    .await
}

async fn head(call: &RequestAttempts<'_>) -> Result<Response, UpstreamError> {
    let (response, route) = send::open(call).await?;
    let status = response.status();
    let is_events = essence(&response).eq_ignore_ascii_case(EVENTS) || status == StatusCode::NO_CONTENT;
    if status.is_success() && is_events {
        return Ok(response);
    }
    let content_type = content_type(&response);
    let redactor = &call.credentials.redactor;
    if !status.is_success() {
        read::read(call, response, &route).await?;
    }
    Err(UpstreamError::Unreadable(Box::new(UnreadableError {
        kind: UnreadableKind::NotEvents,
        http_status: status.as_u16(),
        content_type: redactor.error(&content_type).into_owned(),
        body_preview: String::new(),
        parser_message: None,
        retry_after: None,
    })))
}

fn content_type(response: &Response) -> String {
    let value = response.headers().get(CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
    String::from_utf8_lossy(value).into_owned()
}

fn essence(response: &Response) -> String {
    content_type(response).split(';').next().unwrap_or_default().trim().to_owned()
}

/// An open connection.
struct EventFrames {
    response: Response,
    target: HttpTarget,
    redactor: Redactor,
    max_bytes: usize,
}

/// What came between two empty lines.
struct EventFrame {
    /// None when there was no data in it.
    event: Option<ServerSentEvent>,
    /// The identifier, as it came.
    id: Option<String>,
    /// Milliseconds to wait before connecting again.
    retry: Option<u64>,
}

impl EventFrames {
    /// True when the server says that there is nothing, and will be nothing.
    fn is_over(&self) -> bool {
        self.response.status() == StatusCode::NO_CONTENT
    }

    fn into_stream(self) -> BoxStream<'static, Result<EventFrame, UpstreamError>> {
        let EventFrames { response, target, redactor, max_bytes } = self;
        let bytes = bytes::bytes(response, Arc::clone(&target.site), max_bytes);
        let network = move || {
            let detail = "the stream of events cannot be read";
            transport(&target.site, TransportErrorKind::Network { detail, before_answer: false })
        };
        sse::events(bytes)
            .map(move |frame| match frame {
                Ok(frame) => Ok(EventFrame::of(frame, &redactor)),
                Err(SseError::Body(error)) => {
                    Err(error.downcast::<UpstreamError>().map_or_else(|_| network(), |error| *error))
                }
                Err(_) => Err(network()),
            })
            .boxed()
    }
}

impl EventFrame {
    fn of(frame: Sse, redactor: &Redactor) -> EventFrame {
        let Sse { event, data, id, retry } = frame;
        let clean = |text: &str| redactor.data(text).into_owned();
        let event = data.map(|data| ServerSentEvent {
            event: event.filter(|name| !name.is_empty()).map(|name| clean(&name)),
            data: value(&data, redactor),
            id: id.as_deref().map(clean),
        });
        EventFrame { event, id, retry }
    }
}

/// Data without credentials: as JSON where it parses.
fn value(text: &str, redactor: &Redactor) -> Value {
    match serde_json::from_str(text) {
        Ok(mut value) => {
            redactor.value(&mut value);
            value
        }
        Err(_) => redactor.data(text).into_owned().into(),
    }
}
