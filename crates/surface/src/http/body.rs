//! The body of a request: bounded in size, in time and in what all bodies hold together, and answered here when it holds no clean
//! message.
//!
//! A body in; its message, or the response and the reason for the metrics, out (core specification, section 4.7).

use super::body_budget::BufferShare;
use crate::mcp::plain_call::{self, PlainCall};
use crate::mcp::unreadable::{answer_to_oversized, answer_to_unreadable, most_bytes, other_message};
use aqueduct_operations::call::SessionId;
use aqueduct_operations::limits::Limits;
use axum::body::Body;
use axum::response::{IntoResponse, Response};
use bytes::{Bytes, BytesMut};
use http::{StatusCode, header};
use http_body_util::BodyExt;
use hyper::body::Body as _;
use serde_json::Value;
use std::time::Duration;

/// Enough of a body that is too large to find the request's id in.
const HEAD: usize = 64 * 1024;

/// This much of what is too large is read and dropped, so that the client comes to read the response.
const MOST_DROPPED: u64 = 64 * 1024 * 1024;

/// How long the rest of a body is read and dropped that there is no room for, before the client gets a response.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(1);

/// A body that is not handed on, with the reason for the metrics.
#[derive(Debug)]
pub struct RejectedBody {
    /// Why.
    pub reason: &'static str,
    /// The response.
    pub response: Response,
}

/// A clean message.
#[derive(Debug)]
pub struct ClientMessage {
    /// As it came.
    pub bytes: Bytes,
    /// The call, where it is one without metadata.
    pub plain_call: Option<PlainCall>,
}

/// Reads a body.
pub async fn read(
    body: Body,
    timeout: Duration,
    held: &mut BufferShare,
    limits: &Limits,
    session: &SessionId,
) -> Result<Bytes, Box<RejectedBody>> {
    let read = tokio::time::timeout(timeout, collect(body, most_bytes(limits), held)).await;
    let rejected = |reason, response| Err(Box::new(RejectedBody { reason, response }));
    let plain = |reason, status: StatusCode, message: &'static str| {
        rejected(reason, (status, message).into_response())
    };
    match read {
        Err(_) => plain("slow_body", StatusCode::REQUEST_TIMEOUT, "The body did not arrive in time.\n"),
        Ok(CollectedBody::NoRoom) => {
            let message = "The server holds as many bytes of requests as it may. Try again in a second.\n";
            let retry_after = [(header::RETRY_AFTER, "1")];
            rejected("buffers", (StatusCode::SERVICE_UNAVAILABLE, retry_after, message).into_response())
        }
        Ok(CollectedBody::Broken) => plain("broken_body", StatusCode::BAD_REQUEST, "The body broke off.\n"),
        Ok(CollectedBody::TooLong { head, length }) => {
            let answer = answer_to_oversized(&head, length, limits, session);
            rejected("large_body", json(StatusCode::PAYLOAD_TOO_LARGE, answer))
        }
        Ok(CollectedBody::Whole(bytes)) => Ok(bytes),
    }
}

/// The clean message in these bytes.
pub fn message(
    bytes: Bytes,
    limits: &Limits,
    session: &SessionId,
) -> Result<ClientMessage, Box<RejectedBody>> {
    let plain_call = plain_call::read(&bytes);
    if plain_call.is_some() || other_message(&bytes).is_some() {
        return Ok(ClientMessage { bytes, plain_call });
    }
    let answer = answer_to_unreadable(&bytes, limits, session);
    let is_result = answer.as_ref().is_none_or(|answer| answer.get("result").is_some());
    let status = if is_result { StatusCode::OK } else { StatusCode::BAD_REQUEST };
    Err(Box::new(RejectedBody { reason: "no_message", response: json(status, answer) }))
}

enum CollectedBody {
    Whole(Bytes),
    TooLong { head: Bytes, length: u64 },
    NoRoom,
    Broken,
}

async fn collect(mut body: Body, cap: usize, held: &mut BufferShare) -> CollectedBody {
    // No caller waits for the end of what says beforehand that it never comes to one.
    let declared = body.size_hint().lower();
    if declared > MOST_DROPPED.max(cap as u64) {
        return CollectedBody::TooLong { head: Bytes::new(), length: declared };
    }
    let mut buffer = BytesMut::new();
    let mut length = 0_u64;
    while let Some(frame) = body.frame().await {
        let Ok(frame) = frame else { return CollectedBody::Broken };
        let Ok(data) = frame.into_data() else { continue };
        length += data.len() as u64;
        if length <= cap as u64 {
            if !held.grow(length) {
                held.give_back();
                drop(buffer);
                // A client that is cut off while it sends does not read why. One that holds back is not waited for.
                drop(
                    tokio::time::timeout(DRAIN_TIMEOUT, async { while body.frame().await.is_some() {} })
                        .await,
                );
                return CollectedBody::NoRoom;
            }
            buffer.extend_from_slice(&data);
        } else {
            if buffer.capacity() > 2 * HEAD {
                buffer = BytesMut::from(&buffer[..buffer.len().min(HEAD)]);
                held.give_back();
            }
            let room = HEAD - buffer.len().min(HEAD);
            buffer.extend_from_slice(&data[..data.len().min(room)]);
        }
        if length > MOST_DROPPED.max(cap as u64) {
            break;
        }
    }
    if length > cap as u64 {
        CollectedBody::TooLong { head: buffer.freeze(), length }
    } else {
        CollectedBody::Whole(buffer.freeze())
    }
}

/// A response as JSON; silence is an empty 202.
pub fn json(status: StatusCode, answer: Option<Value>) -> Response {
    match answer {
        Some(answer) => {
            (status, [(header::CONTENT_TYPE, "application/json")], answer.to_string()).into_response()
        }
        None if status == StatusCode::OK => StatusCode::ACCEPTED.into_response(),
        None => status.into_response(),
    }
}
