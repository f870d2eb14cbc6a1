//! MCP over standard input and output: one JSON message a line.
//!
//! Our own transport rather than the SDK's, because what is not a clean request must still get a response that says so:
//! bad encoding, too deep, too large, not a message. It also lets calls in flight finish before the server stops.

mod batches;
mod direct_reads;
mod output_queue;
mod pending_requests;
mod read_threads;
mod standard;
mod transport;

use crate::mcp::AqlServer;
use crate::shutdown;
use aqueduct_dispatch::Dispatcher;
use aqueduct_operations::call::{Caller, SessionEnd, SessionId};
use direct_reads::DirectReads;
use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use standard::StdioStreams;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;
use transport::{SessionShutdown, StdioTransport};

/// Why serving ended badly.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The client did not open a session.
    #[error("the client did not complete the MCP handshake: {0}")]
    Handshake(Box<ServerInitializeError>),
    /// The serving task died.
    #[error("the serving task ended abnormally")]
    Task(#[from] tokio::task::JoinError),
    /// Standard input or output cannot be used.
    #[error("standard input and output cannot be used: {0}")]
    Streams(#[from] std::io::Error),
}

/// Serves one session over the process's standard input and output.
pub async fn serve_process(dispatcher: Arc<Dispatcher>, stop: CancellationToken) -> Result<(), ServeError> {
    serve_streams(dispatcher, standard::streams()?, stop).await
}

/// Serves one session until the input ends or `stop` is cancelled. Calls in flight are finished first.
pub async fn serve(
    dispatcher: Arc<Dispatcher>,
    input: impl AsyncRead + Send + Unpin + 'static,
    output: impl AsyncWrite + Send + Unpin + 'static,
    stop: CancellationToken,
) -> Result<(), ServeError> {
    let (input, output) = (Box::new(input), Box::new(output));
    let client_disconnected = Box::pin(std::future::pending());
    serve_streams(dispatcher, StdioStreams { input, output, client_disconnected, saved: None }, stop).await
}

/// The same. Once the input has ended, calls are finished only as long as somebody may read their responses.
async fn serve_streams(
    dispatcher: Arc<Dispatcher>,
    streams: StdioStreams,
    stop: CancellationToken,
) -> Result<(), ServeError> {
    let StdioStreams { input, output, client_disconnected, saved: _saved } = streams;
    let session = SessionId::new(format!("sess_{}", uuid::Uuid::new_v4().simple()));
    let closing = CancellationToken::new();
    let server = AqlServer::new(Arc::clone(&dispatcher), session.clone(), closing.clone());
    let limits = dispatcher.limits().clone();
    let _ending = shutdown::on(stop.clone(), &dispatcher);
    let ends = SessionShutdown { stop, closing, client_disconnected };
    let direct = DirectReads::new(server.clone(), session.clone());
    let transport = StdioTransport::new(input, output, limits, session.clone(), Some(direct), ends);
    let (broken, output_gone) = (transport.broken(), transport.output_gone());
    let running = match server.serve(transport).await {
        Ok(running) => running,
        // A client that only looks and hangs up has done nothing wrong.
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(ServeError::Handshake(Box::new(error))),
    };
    let ended = tokio::select! {
        ended = running.waiting() => ended.map(drop),
        // The SDK would wait for calls whose responses no one reads any more.
        () = output_gone.cancelled() => {
            broken.cancel();
            Ok(())
        }
    };
    let end = if broken.is_cancelled() { SessionEnd::Abrupt } else { SessionEnd::Graceful };
    dispatcher.end_session(&session, &Caller::local(), end);
    Ok(ended?)
}
