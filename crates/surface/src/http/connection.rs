//! The requests of one connection, for every listener of ours.
//!
//! A stream and a router in; nothing out until the client leaves, is too slow with a head, or the server stops.

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;
use tower_service::Service;

/// Bytes of a request's head.
const LARGEST_HEAD: usize = 32 * 1024;

/// Header lines of a request.
const MOST_HEADERS: usize = 64;

/// Answers requests until the client leaves, or the server stops; the one that is under way is finished.
pub async fn serve_requests(
    router: &Router,
    stream: impl AsyncRead + AsyncWrite + Unpin,
    peer: SocketAddr,
    timeout: Duration,
    stop: CancellationToken,
) {
    let service = service_fn(|mut request: http::Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        router.clone().call(request.map(Body::new))
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(timeout)
        .max_buf_size(LARGEST_HEAD)
        .max_headers(MOST_HEADERS)
        .serve_connection(TokioIo::new(stream), service);
    let mut connection = std::pin::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(target: "aqueduct::http", %error, "a connection ended badly");
    }
}
