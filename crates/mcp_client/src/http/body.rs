//! Bodies of responses, never more of one than there is room for.
//!
//! Chunks in; the whole body, or its beginning, out.

use super::HttpFailure;
use bytes::Bytes;
use futures::{Stream, StreamExt};
use std::io;
use std::time::Duration;

/// How much of a body is read that is no message.
const MAX_START: usize = 4_096;

/// How long is waited for it.
const READ_TIMEOUT: Duration = Duration::from_secs(2);

/// The whole body, unless it is longer than this.
pub(super) async fn read_all(
    body: impl Stream<Item = reqwest::Result<Bytes>>,
    longest: usize,
) -> Result<Vec<u8>, HttpFailure> {
    let mut body = std::pin::pin!(body);
    let mut bytes = Vec::new();
    while let Some(chunk) = body.next().await {
        let chunk = chunk?;
        if bytes.len() + chunk.len() > longest {
            return Err(io::Error::other("a message is too long").into());
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

/// The beginning of a body, as much of it as comes soon.
pub(super) async fn read_start(body: impl Stream<Item = reqwest::Result<Bytes>>) -> Vec<u8> {
    let mut body = std::pin::pin!(body);
    let mut bytes = Vec::new();
    let deadline = tokio::time::Instant::now() + READ_TIMEOUT;
    while bytes.len() < MAX_START {
        match tokio::time::timeout_at(deadline, body.next()).await {
            Ok(Some(Ok(chunk))) => bytes.extend_from_slice(&chunk),
            _ => break,
        }
    }
    bytes
}

#[cfg(test)]
mod tests;
