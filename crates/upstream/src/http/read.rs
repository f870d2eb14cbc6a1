//! Reads a response: a response comes in, an `UpstreamResponse` or the reason why there is none goes out
//! (runtime specification, section 7).
//!
//! The body is read up to the limit (`body`). A status that is no success comes before everything else (`failure`); then a
//! byte order mark is dropped, emptiness judged, the content type, and the JSON. A good body is checked and passed on as
//! text, no tree is built. Where other responses than JSON are declared, text becomes a string and anything else base64 with
//! its media type.

mod body;
mod failure;
mod head;
mod next_page;

use super::body_text;
use super::redirect::RedirectRoute;
use super::send::RequestAttempts;
use crate::error::{UnreadableKind, UpstreamError};
use crate::response::UpstreamResponse;
use aqueduct_egress::response::Response;
use aqueduct_operations::raw_json::RawJson;
use aqueduct_operations::size::LARGE;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use body::ResponseBody;
use head::ResponseHead;
pub(super) use head::retry_after;
use http::HeaderMap;
use http::StatusCode;
use serde_json::{Value, json};
use std::borrow::Cow;
use tokio::sync::Semaphore;

/// How many large bodies are read at a time, on other threads.
const MOST_ELSEWHERE: usize = 2;

/// A response, and what else is known of it in this crate.
pub(crate) struct ReceivedResponse {
    /// What is passed on. Its status is 304 when the request asked whether something changed, and nothing did.
    pub(crate) response: UpstreamResponse,
    /// The headers as they came.
    pub(crate) headers: HeaderMap,
    /// It came from another URL than the one that was asked.
    pub(crate) redirected: bool,
}

/// Reads the response to a call, which came from where the route is.
pub(crate) async fn read(
    call: &RequestAttempts<'_>,
    mut response: Response,
    route: &RedirectRoute<'_>,
) -> Result<ReceivedResponse, UpstreamError> {
    let head = ResponseHead::of(call, &response);
    let mut numbers_as_text = 0;
    let data = if call.revalidates && head.status == StatusCode::NOT_MODIFIED {
        RawJson::of(&Value::Null)
    } else if head.is_all {
        head.of_empty().map(|_| RawJson::of(&head.alone(response.headers())))?
    } else {
        match body::read(call, &mut response).await {
            Ok(ResponseBody::Whole(bytes)) => {
                let (data, count) =
                    if bytes.len() > LARGE { head.read_elsewhere(bytes).await? } else { head.read(&bytes)? };
                numbers_as_text = count;
                data
            }
            // Whatever is wrong with the body, the status says more.
            Ok(ResponseBody::Broken) | Err(_) if !head.status.is_success() => {
                return Err(head.failed(&Value::Null));
            }
            Ok(ResponseBody::Broken) => return Err(head.unreadable(UnreadableKind::Encoding, "", None)),
            Err(error) => return Err(error),
        }
    };
    let passed_on = UpstreamResponse {
        status: head.status.as_u16(),
        headers: head.shown(response.headers()),
        content_type: head.content_type,
        data,
        numbers_as_text,
        from_cache: false,
        next: next_page::link(call, response.headers(), &route.request.url),
    };
    Ok(ReceivedResponse {
        response: passed_on,
        headers: std::mem::take(response.headers_mut()),
        redirected: route.is_redirected(),
    })
}

impl ResponseHead<'_> {
    /// Reads a large body on another thread: the one that serves connections goes on serving.
    async fn read_elsewhere(&self, bytes: Vec<u8>) -> Result<(RawJson, usize), UpstreamError> {
        static PLACES: Semaphore = Semaphore::const_new(MOST_ELSEWHERE);
        let _place = PLACES.acquire().await;
        let ResponseHead { status, retry_after, any_allowed, is_all, limit, .. } = *self;
        let (content_type, redactor) = (self.content_type.clone(), self.redactor.clone());
        let read = tokio::task::spawn_blocking(move || {
            let head = ResponseHead {
                status,
                content_type,
                retry_after,
                any_allowed,
                is_all,
                limit,
                redactor: &redactor,
            };
            head.read(&bytes)
        });
        read.await.unwrap_or_else(|_| Err(self.unreadable(UnreadableKind::Encoding, "", None)))
    }

    /// The data of a success, or what a failure says.
    fn read(&self, bytes: &[u8]) -> Result<(RawJson, usize), UpstreamError> {
        if self.status.is_success() { self.data(bytes) } else { Err(self.refused(bytes)) }
    }

    /// The data of a success, and how many of its numbers are texts now.
    fn data(&self, bytes: &[u8]) -> Result<(RawJson, usize), UpstreamError> {
        if bytes.is_empty() {
            return self.of_empty().map(|data| (data, 0));
        }
        let is_other = self.any_allowed && !body_text::is_json(&self.content_type);
        if !body_text::is_text(&self.content_type) {
            let unexpected = || Err(self.unreadable(UnreadableKind::Binary, "", None));
            return if is_other { self.of_bytes(bytes).map(|data| (data, 0)) } else { unexpected() };
        }
        let text = match body_text::decode(bytes, &self.content_type) {
            Ok(text) => text,
            Err(_) if is_other => return self.of_bytes(bytes).map(|data| (data, 0)),
            Err(lossy) => return Err(self.unreadable(UnreadableKind::Encoding, &lossy, None)),
        };
        // What does not say what it is may well be JSON.
        let is_unnamed_json = || self.content_type.is_empty() && RawJson::parse_any_number(&text).is_ok();
        if is_other && !is_unnamed_json() {
            return Ok((RawJson::of(&Value::from(self.redactor.data(&text))), 0));
        }
        if text.trim().is_empty() {
            return self.of_empty().map(|data| (data, 0));
        }
        self.checked(&text).map_err(|error| self.unparseable(&text, &error))
    }

    /// Bytes as base64, with what they are (core specification, section 4.7.4).
    fn of_bytes(&self, bytes: &[u8]) -> Result<RawJson, UpstreamError> {
        let content = STANDARD.encode(self.redactor.bytes(bytes));
        let actual = u64::try_from(content.len()).unwrap_or(u64::MAX);
        if actual > self.limit {
            return Err(UpstreamError::TooLarge { limit: self.limit, actual });
        }
        let mime_type = body_text::essence(&self.content_type);
        let mime_type = if mime_type.is_empty() { "application/octet-stream" } else { &mime_type };
        Ok(RawJson::of(&json!({"content": content, "encoding": "base64", "mime_type": mime_type})))
    }

    fn of_empty(&self) -> Result<RawJson, UpstreamError> {
        if self.status.is_success() { Ok(RawJson::of(&Value::Null)) } else { Err(self.failed(&Value::Null)) }
    }

    /// The text as checked JSON without credentials.
    fn checked(&self, text: &str) -> Result<(RawJson, usize), serde_json::Error> {
        let clean = self.redactor.data(text);
        match (RawJson::parse_any_number(&clean), clean) {
            // A credential of digits may have been a number: then it is replaced where it cannot break the JSON.
            (Err(_), Cow::Owned(_)) => {
                let mut value = serde_json::from_str(text)?;
                self.redactor.value(&mut value);
                Ok((RawJson::of(&value), 0))
            }
            (parsed, _) => parsed,
        }
    }
}

#[cfg(test)]
mod tests;
