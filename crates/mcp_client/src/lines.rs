//! One JSON message a line, over the standard streams of a child process.
//!
//! Lines are bounded, and lines that are no message (banners, stray prints) are passed over. A peer that does not take
//! what is written to it within a bound counts as lost.

use crate::raw_results::RawResults;
use aqueduct_egress::lines::BoundedLines;
use futures::FutureExt;
use futures::future::BoxFuture;
use rmcp::RoleClient;
use rmcp::model::{ClientJsonRpcMessage, JsonRpcMessage, RequestId, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

/// The longest message.
pub(crate) const LONGEST_MESSAGE: usize = 32 << 20;

/// The longest time that a peer may leave a message lying.
const LONGEST_WRITE: Duration = Duration::from_secs(30);

/// The message of a line, once it has been read.
type Reading = BoxFuture<'static, Result<ServerJsonRpcMessage, serde_json::Error>>;

/// Messages over a pair of streams.
pub(crate) struct LineTransport<R, W> {
    lines: BoundedLines<R>,
    /// A line that is being read, a long one elsewhere.
    reading: Option<Reading>,
    writer: Arc<Mutex<Option<W>>>,
    results: Arc<RawResults>,
    lost: CancellationToken,
    handshake: Option<RequestId>,
}

impl<R: AsyncRead + Unpin + Send, W: AsyncWrite + Unpin + Send + 'static> LineTransport<R, W> {
    /// Messages over these streams; `lost` is cancelled when they end.
    pub(crate) fn new(
        reader: R,
        writer: W,
        results: Arc<RawResults>,
        lost: CancellationToken,
    ) -> LineTransport<R, W> {
        LineTransport {
            lines: BoundedLines::new(reader, LONGEST_MESSAGE),
            reading: None,
            writer: Arc::new(Mutex::new(Some(writer))),
            results,
            lost,
            handshake: None,
        }
    }

    /// A response to a request of the handshake that has been given up: a server may be slow to start, and answer
    /// the first question after the second was sent.
    fn is_late(&self, message: &ServerJsonRpcMessage) -> bool {
        let id = match message {
            JsonRpcMessage::Response(response) => Some(&response.id),
            JsonRpcMessage::Error(error) => error.id.as_ref(),
            _ => None,
        };
        matches!((id, &self.handshake), (Some(id), Some(expected)) if expected.to_string() != id.to_string())
    }
}

impl<R, W> Transport<RoleClient> for LineTransport<R, W>
where
    R: AsyncRead + Unpin + Send,
    W: AsyncWrite + Unpin + Send + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: ClientJsonRpcMessage,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        self.handshake = handshake_after(self.handshake.take(), &message);
        let (writer, lost) = (Arc::clone(&self.writer), self.lost.clone());
        async move {
            let mut line = serde_json::to_vec(&message).map_err(io::Error::other)?;
            line.push(b'\n');
            let write = async {
                let mut writer = writer.lock().await;
                let writer = writer.as_mut().ok_or_else(|| io::Error::other("closed"))?;
                writer.write_all(&line).await?;
                writer.flush().await
            };
            let written = tokio::time::timeout(LONGEST_WRITE, write).await;
            let result = written.unwrap_or_else(|_| Err(io::Error::other("the server reads nothing")));
            if result.is_err() {
                lost.cancel();
            }
            result
        }
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        loop {
            // The caller that waits here may leave and come back: what is being read stays.
            if self.reading.is_none() {
                let line = match self.lines.next_whole().await {
                    Ok(Some(line)) => line,
                    Ok(None) => break,
                    Err(error) => {
                        tracing::debug!(target: "aqueduct::mcp", %error, "reading from an MCP server failed");
                        break;
                    }
                };
                if line.trim_ascii().is_empty() {
                    continue;
                }
                let results = Arc::clone(&self.results);
                self.reading = Some(async move { results.read_off_thread(line).await }.boxed());
            }
            let Some(reading) = &mut self.reading else { continue };
            let read = reading.await;
            self.reading = None;
            match read {
                Ok(message) if self.is_late(&message) => {}
                Ok(message) => return Some(message),
                Err(error) => {
                    tracing::debug!(
                        target: "aqueduct::mcp",
                        %error,
                        "an MCP server wrote a line that is no message"
                    )
                }
            }
        }
        self.lost.cancel();
        None
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        self.lost.cancel();
        // A write that is stuck holds the lock: dropping the transport drops the stream with the last such write.
        if let Ok(mut writer) = self.writer.try_lock() {
            writer.take();
        }
        Ok(())
    }
}

/// During the handshake only the latest request counts; afterwards there is none.
fn handshake_after(before: Option<RequestId>, message: &ClientJsonRpcMessage) -> Option<RequestId> {
    match message {
        JsonRpcMessage::Request(request) => {
            let method = rmcp::model::ClientRequest::method(&request.request);
            matches!(method, "initialize" | "server/discover").then(|| request.id.clone())
        }
        JsonRpcMessage::Notification(_) => None,
        _ => before,
    }
}

#[cfg(test)]
mod tests;
