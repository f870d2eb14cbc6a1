//! A batch of JSON-RPC over HTTP: its messages one after another, each as if it had been posted alone, and their responses together.
//!
//! Only for sessions of the protocol that has batches. Each message counts against the rate of its client, and none is run any more
//! when the responses so far are large. Steps of progress are not passed on.

use super::{Endpoint, MessageSender};
use crate::http::body;
use crate::http::direct_call::EVENT_STREAM;
use crate::http::immediate_response::events;
use crate::http::rate_limiter::ClientRate;
use crate::mcp::batch;
use crate::mcp::unreadable::{answer_to_unreadable, answer_to_unrun, is_initialize};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::request::Parts;
use http::{StatusCode, header};
use serde::Deserialize;
use serde::de::IgnoredAny;

/// Bytes of responses after which no further message is run.
const MOST_RESPONSES: usize = 16 * 1024 * 1024;

impl Endpoint {
    /// The responses to the messages of a batch.
    pub(super) async fn answer_batch(
        &self,
        parts: &Parts,
        bytes: &Bytes,
        sender: &MessageSender,
    ) -> Response {
        let limits = self.context.dispatcher.limits();
        let items = match batch::items(bytes) {
            Some(Ok(items)) => items,
            refused => {
                self.context.metrics.refuse("no_message");
                let unreadable = || answer_to_unreadable(bytes, limits, &sender.session);
                return body::json(
                    StatusCode::BAD_REQUEST,
                    refused.and_then(Result::err).or_else(unreadable),
                );
            }
        };
        let rate = parts.extensions.get::<ClientRate>();
        let (mut responses, mut size) = (Vec::new(), 0);
        for (index, item) in items.into_iter().enumerate() {
            let item = bytes.slice_ref(item.get().as_bytes());
            // The request itself has been counted.
            let response = if index > 0 && rate.is_some_and(|rate| !rate.allows()) {
                self.context.metrics.refuse("rate");
                unrun(&item, "Too many requests. Wait a second, then send this message again")
            } else if size > MOST_RESPONSES {
                unrun(&item, "The responses before this one are large, so it was not run. Send it by itself")
            } else if is_initialize(&item) {
                unrun(&item, "Invalid request: 'initialize' is no part of a batch. Send it by itself")
            } else {
                let response = self.answer_message(parts.clone(), item.clone(), sender).await;
                message_of(response, &item).await
            };
            size += response.as_ref().map_or(0, Bytes::len);
            responses.extend(response);
        }
        if responses.is_empty() {
            return StatusCode::ACCEPTED.into_response();
        }
        let whole = batch::joined(responses.iter().map(|response| &response[..]));
        ([(header::CONTENT_TYPE, "application/json")], whole).into_response()
    }
}

fn unrun(item: &[u8], why: &str) -> Option<Bytes> {
    answer_to_unrun(item, why).map(|answer| Bytes::from(answer.to_string()))
}

/// The JSON-RPC message that a response holds; nothing where there is none, as for a notification or a call that was cancelled.
async fn message_of(response: Response, item: &[u8]) -> Option<Bytes> {
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let (is_stream, is_text) =
        kind.map_or((false, false), |kind| (kind.starts_with(EVENT_STREAM), kind.starts_with("text/plain")));
    let body = axum::body::to_bytes(response.into_body(), usize::MAX).await.ok()?;
    if is_stream {
        return events(&body).filter(|event| is_response(event)).last().map(Bytes::copy_from_slice);
    }
    if is_text {
        return unrun(item, String::from_utf8_lossy(&body).trim());
    }
    (!body.is_empty()).then_some(body)
}

/// True for a response, where a stream has notifications too.
fn is_response(message: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct ResponseHead {
        result: Option<IgnoredAny>,
        error: Option<IgnoredAny>,
    }
    serde_json::from_slice(message)
        .is_ok_and(|head: ResponseHead| head.result.is_some() || head.error.is_some())
}
