//! Streams of events (`text/event-stream`, as the HTML standard frames them): a prepared request comes in, events go out
//! as they arrive, redacted like every other response.
//!
//! Follow one by reading `open`, then `bytes`, then `event`. A status other than 2xx is the usual error. Invariants: memory is
//! bounded by the size of one event; dropping the stream closes the connection; nothing is connected again.

mod bytes;
mod collect;
#[cfg(test)]
mod tests;

pub use collect::{CollectLimits, CollectedEvents, collect};

use super::send::{self, OpenedResponse, RequestAttempts, TimeLeft, transport};
use super::{PendingRequest, body_text, build, oauth, read, retry};
use crate::cache::CacheScope;
use crate::error::{TransportErrorKind, UnreadableError, UnreadableKind, UpstreamError};
use crate::prepared::PreparedRequest;
use crate::upstream::UpstreamContext;
use aqueduct_egress::redact::Redactor;
use aqueduct_egress::response::Response;
use aqueduct_egress::sse::{self, Sse, SseError};
use aqueduct_operations::gatekeeper::SendPermit;
use aqueduct_operations::target::{AnswerKind, Site};
use futures::stream::{BoxStream, Stream, StreamExt};
use http::StatusCode;
use http::header::{ACCEPT, CONTENT_TYPE, HeaderValue};
use serde_json::Value;
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

/// Opens a stream that ends with its connection, with a new token if the first one is refused.
pub(crate) async fn open(
    shared: &UpstreamContext,
    permit: &dyn SendPermit,
    prepared: &PreparedRequest<'_>,
) -> Result<EventStream, UpstreamError> {
    let mut prepared = prepared.clone();
    let PreparedRequest { request, operation, target, .. } = &mut prepared;
    let (operation, target) = (*operation, *target);
    if request.headers.get(ACCEPT).is_none_or(|accepted| accepted == build::accepted(AnswerKind::Json)) {
        request.headers.insert(ACCEPT, HeaderValue::from_static(EVENTS));
    }
    let mut credentials = oauth::credentials(shared, &prepared).await?;
    // What it may change is invalidated in the cache, before and after.
    let exchange = PendingRequest { shared, permit, prepared: &prepared, credentials: &credentials };
    let scope = || CacheScope::of(&prepared.request.url, None, &operation.name);
    let change = exchange.may_change_something().then(|| shared.cache.change(scope(), None));
    let mut outcome = send_with_retries(&exchange).await;
    if oauth::renew(shared, target, &mut credentials, &outcome).await? {
        let exchange = PendingRequest { shared, permit, prepared: &prepared, credentials: &credentials };
        outcome = send_with_retries(&exchange).await;
    }
    drop(change);
    let max_bytes = usize::try_from(shared.settings.max_response_size).unwrap_or(usize::MAX);
    Ok(events_of(outcome?, Arc::clone(&target.site), credentials.redactor, max_bytes))
}

/// The events of a response, redacted.
fn events_of(response: Response, site: Arc<Site>, redactor: Redactor, max_bytes: usize) -> EventStream {
    let bytes = bytes::bytes(response, Arc::clone(&site), max_bytes);
    let network = move || {
        let detail = "the stream of events cannot be read";
        transport(&site, TransportErrorKind::Network { detail, before_answer: false })
    };
    let events = sse::events(bytes).filter_map(move |frame| {
        std::future::ready(match frame {
            Ok(frame) => event(frame, &redactor).map(Ok),
            Err(SseError::Body(error)) => {
                Some(Err(error.downcast::<UpstreamError>().map_or_else(|_| network(), |error| *error)))
            }
            Err(_) => Some(Err(network())),
        })
    });
    EventStream(events.boxed())
}

/// Sends the request, again where that is safe and may help, up to the head of a stream of events.
async fn send_with_retries(exchange: &PendingRequest<'_>) -> Result<Response, UpstreamError> {
    let PendingRequest {
        shared,
        permit,
        prepared: PreparedRequest { request, operation, target, .. },
        credentials,
    } = *exchange;
    let call = &RequestAttempts { shared, permit, target, request, credentials, revalidates: false };
    let site = &target.site;
    retry::with_retries(operation, target, |number| async move {
        let outcome = head(call, &mut TimeLeft::of(site)).await;
        let (host, is_open) = (site.base_url.host_str(), outcome.is_ok());
        tracing::debug!(attempt = number, host, is_open, "events");
        outcome
    })
    .await
}

async fn head(call: &RequestAttempts<'_>, time: &mut TimeLeft<'_>) -> Result<Response, UpstreamError> {
    let OpenedResponse { response, route, slot } = send::open(call, time).await?;
    let status = response.status();
    let is_events =
        body_text::essence(&content_type(&response)) == EVENTS || status == StatusCode::NO_CONTENT;
    if status.is_success() && is_events {
        return Ok(response);
    }
    let content_type = call.credentials.redactor.error(&content_type(&response)).into_owned();
    if !status.is_success() {
        time.limited(read::read(call, response, &route)).await?;
    }
    drop(slot);
    Err(unreadable(UnreadableKind::NotEvents, status, content_type))
}

/// A response of which no more is known than its head.
fn unreadable(kind: UnreadableKind, status: StatusCode, content_type: String) -> UpstreamError {
    UpstreamError::Unreadable(Box::new(UnreadableError {
        kind,
        http_status: status.as_u16(),
        content_type,
        body_preview: String::new(),
        parser_message: None,
        retry_after: None,
    }))
}

fn content_type(response: &Response) -> String {
    let value = response.headers().get(CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
    String::from_utf8_lossy(value).into_owned()
}

/// The event that came between two empty lines, redacted; none when there was no data.
fn event(frame: Sse, redactor: &Redactor) -> Option<ServerSentEvent> {
    let clean = |text: String| redactor.data(&text).into_owned();
    Some(ServerSentEvent {
        data: value(&frame.data?, redactor),
        event: frame.event.filter(|name| !name.is_empty()).map(clean),
        id: frame.id.map(clean),
    })
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
