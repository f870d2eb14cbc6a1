//! The listener of the page: bound to this machine alone, and never to another address.
//!
//! An address in; connections served until `stop` is cancelled. It shares nothing with the listener of clients.

use super::backend::OperatorBackend;
use super::routes;
use crate::accept::accept;
use crate::http::connection::serve_requests;
use crate::http::settings::is_local;
use crate::http::write_timeout::WriteTimeout;
use crate::metrics::PageCounts;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Connections that may be open together: a browser has up to six.
const MOST_CONNECTIONS: usize = 64;
/// Longest wait for the head of a request, and for a client that does not read.
const TIMEOUT: Duration = Duration::from_secs(20);
/// Longest wait for responses under way when the server stops.
const GRACE: Duration = Duration::from_secs(1);

/// The page would be reached from other machines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0} can be reached from other machines; the operator's page listens on a loopback address such as 127.0.0.1:7433, and is reached \
     from elsewhere through a tunnel (ssh -L 7433:127.0.0.1:7433 HOST)"
)]
pub struct NotLoopback(pub SocketAddr);

/// Binds the listener, on this machine alone.
pub async fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    if !is_local(address) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, NotLoopback(address)));
    }
    TcpListener::bind(address).await
}

/// Serves the page until `stop` is cancelled.
pub async fn serve(
    listener: TcpListener,
    backend: Arc<dyn OperatorBackend>,
    counts: Arc<PageCounts>,
    stop: CancellationToken,
) -> io::Result<()> {
    let address = listener.local_addr()?;
    if !is_local(address) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, NotLoopback(address)));
    }
    let router = routes::router(backend, counts, stop.clone());
    let room = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let connections = TaskTracker::new();
    loop {
        let (stream, peer, permit) = tokio::select! {
            () = stop.cancelled() => break,
            accepted = accept(&listener, &room, report) => accepted,
        };
        let (router, stop) = (router.clone(), stop.clone());
        connections.spawn(async move {
            serve_requests(&router, WriteTimeout::new(stream, TIMEOUT), peer, TIMEOUT, stop).await;
            drop(permit);
        });
    }
    drop(listener);
    connections.close();
    if tokio::time::timeout(GRACE, connections.wait()).await.is_err() {
        tracing::debug!(target: "aqueduct::operator", "a response of the operator's page was not read to its end");
    }
    Ok(())
}

/// A connection could not be taken.
fn report(error: &io::Error) {
    tracing::warn!(target: "aqueduct::operator", %error, "accepting a connection failed");
}
