//! A response that is there at once goes out as one piece of JSON; one that takes longer, as the stream it came as.
//!
//! The SDK streams every answer of a session. That is right for long calls, which a client can then pick up again where
//! its connection broke, and costs short ones three packets where one would do. A response in, a response out.

use axum::body::Body;
use axum::response::Response;
use bytes::{Bytes, BytesMut};
use futures::StreamExt;
use http::{HeaderValue, StatusCode, header};
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::Frame;
use std::time::Duration;
use tokio::time::Instant;

/// How long the beginning of a stream is held back for its end to come.
const MAX_DELAY: Duration = Duration::from_millis(20);

const EVENT_STREAM: &str = "text/event-stream";
const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// The response in as few pieces as its timing allows.
pub async fn joined(response: Response) -> Response {
    let is_stream = response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == EVENT_STREAM);
    if response.status() != StatusCode::OK || !is_stream {
        return response;
    }
    let (mut parts, mut body) = response.into_parts();
    let until = Instant::now() + MAX_DELAY;
    let mut buffer = BytesMut::new();
    loop {
        match tokio::time::timeout_at(until, body.frame()).await {
            Ok(Some(Ok(frame))) => {
                if let Ok(data) = frame.into_data() {
                    buffer.extend_from_slice(&data);
                }
                // More than the response is to come, and it should not wait for that.
                if events(&buffer).nth(1).is_some() {
                    break;
                }
            }
            Ok(None) => {
                let whole = only_event(&buffer).map_or_else(
                    || buffer.freeze(),
                    |message| {
                        parts.headers.insert(header::CONTENT_TYPE, JSON);
                        message
                    },
                );
                return Response::from_parts(parts, Body::new(Full::new(whole)));
            }
            Ok(Some(Err(_))) | Err(_) => break,
        }
    }
    let beginning = futures::stream::iter([Ok(Frame::data(buffer.freeze()))]);
    let rest = futures::stream::unfold(body, async |mut body| body.frame().await.map(|frame| (frame, body)));
    Response::from_parts(parts, Body::new(StreamBody::new(beginning.chain(rest))))
}

/// The messages among these events: an event without data only says where the stream begins.
pub fn events(stream: &[u8]) -> impl Iterator<Item = &[u8]> {
    stream
        .split(|byte| *byte == b'\n')
        .filter_map(|line| line.strip_prefix(b"data:"))
        .map(<[u8]>::trim_ascii)
        .filter(|data| !data.is_empty())
}

fn only_event(stream: &[u8]) -> Option<Bytes> {
    let mut events = events(stream);
    let first = events.next()?;
    events.next().is_none().then(|| Bytes::copy_from_slice(first))
}

#[cfg(test)]
mod tests;
