//! Accepts connections, as many as are allowed, and ends them: slow ones by a timeout, all of them when the server stops.
//!
//! A listener in; nothing out until `stop` is cancelled and every call in flight has its response.

use super::assemble;
use super::connection;
use super::endpoint::Endpoint;
use super::per_client_limit::ClientShares;
use super::rate_limiter::ClientKey;
use super::settings::{HttpSettings, is_local};
use super::tls::{ListenerTls, TlsError};
use super::write_timeout::WriteTimeout;
use crate::accept::accept;
use crate::metrics::Metrics;
use crate::shutdown;
use crate::workers::{WorkerThreads, cores};
use aqueduct_dispatch::Dispatcher;
use axum::Router;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;
use tokio_util::task::{AbortOnDropHandle, TaskTracker};

/// Longest wait for calls in flight when the server stops.
const GRACE: Duration = Duration::from_secs(60);

/// Longest wait for clients to read the last responses.
const WRITE_TIMEOUT: Duration = Duration::from_secs(5);

/// Requests a second of one client off loopback, when nothing is set.
const DEFAULT_RATE: u32 = 100;

/// Why there is no serving.
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    /// Anyone on the network could call everything.
    #[error(
        "{0} can be reached from other machines, and no bearer tokens are set; add one with 'aqueduct operator token add', set [[http.tokens]], or listen on 127.0.0.1"
    )]
    Unprotected(SocketAddr),
    /// Certificate or key cannot be used.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// The listener does not work.
    #[error("the listener does not work: {0}")]
    Io(#[from] io::Error),
}

/// Serves clients until `stop` is cancelled. Calls in flight are finished first.
pub async fn serve(
    dispatcher: &Arc<Dispatcher>,
    metrics: &Arc<Metrics>,
    listener: TcpListener,
    mut settings: HttpSettings,
    stop: CancellationToken,
) -> Result<(), ListenError> {
    let address = listener.local_addr()?;
    settings.check_reach(address)?;
    if !is_local(address) {
        settings.requests_per_second.get_or_insert(DEFAULT_RATE);
        settings.needs_tokens = true;
    }
    let tls = settings.tls.as_ref().map(ListenerTls::load).transpose()?.map(Arc::new);
    let _following = tls.clone().map(|tls| AbortOnDropHandle::new(tokio::spawn(tls.follow())));
    let _ending = shutdown::on(stop.clone(), dispatcher);
    let endpoint = Arc::new(Endpoint::new(dispatcher, metrics, &settings));
    let router = assemble(&endpoint, metrics, &settings);
    let workers = WorkerThreads::start(cores())?;
    let connections = TaskTracker::new();
    let cut = CancellationToken::new();
    let room = Arc::new(Semaphore::new(settings.max_connections));
    let shares = ClientShares::half_of(settings.max_connections as u64);
    loop {
        let (stream, peer, permit) = tokio::select! {
            () = stop.cancelled() => break,
            accepted = accept(&listener, &room, report) => accepted,
        };
        // It will be served by the runtime of another thread.
        let stream = match stream.into_std() {
            Ok(stream) => stream,
            Err(error) => {
                report(&error);
                continue;
            }
        };
        let Some(share) = shares.take(ClientKey::at(Some(peer.ip()))) else {
            metrics.refuse("connections");
            continue;
        };
        let connection = HttpConnection {
            router: router.clone(),
            tls: tls.as_ref().map(|tls| tls.acceptor()),
            peer,
            timeout: settings.request_timeout,
        };
        let (stop, cut, metrics) = (stop.clone(), cut.clone(), Arc::clone(metrics));
        let served = async move {
            metrics.open_connection();
            tokio::select! {
                () = connection.serve(stream, &metrics, stop) => {}
                () = cut.cancelled() => {}
            }
            metrics.close_connection();
            // In this order: who gets the room next must not find the share still taken.
            drop(share);
            drop(permit);
        };
        connections.spawn_on(served, workers.next());
    }
    drop(listener);
    endpoint.finish(GRACE).await;
    connections.close();
    if tokio::time::timeout(WRITE_TIMEOUT, connections.wait()).await.is_err() {
        cut.cancel();
        connections.wait().await;
    }
    Ok(())
}

/// A connection could not be taken.
fn report(error: &io::Error) {
    tracing::warn!(target: "aqueduct::http", %error, "accepting a connection failed");
}

struct HttpConnection {
    router: Router,
    tls: Option<TlsAcceptor>,
    peer: SocketAddr,
    timeout: Duration,
}

impl HttpConnection {
    /// Serves requests until the client leaves, is too slow, or the server stops.
    async fn serve(self, stream: std::net::TcpStream, metrics: &Metrics, stop: CancellationToken) {
        // Responses are small and complete: waiting to fill a packet only delays them.
        let stream = match stream.set_nodelay(true).and_then(|()| TcpStream::from_std(stream)) {
            Ok(stream) => WriteTimeout::new(stream, self.timeout),
            Err(error) => {
                tracing::warn!(target: "aqueduct::http", %error, "a connection cannot be served");
                return;
            }
        };
        let Some(tls) = &self.tls else { return self.requests(stream, stop).await };
        let handshake = tokio::time::timeout(self.timeout, tls.accept(stream));
        let failure = match stop.run_until_cancelled(handshake).await {
            Some(Ok(Ok(stream))) => return self.requests(stream, stop).await,
            Some(Ok(Err(error))) => error,
            Some(Err(_)) => io::ErrorKind::TimedOut.into(),
            None => return,
        };
        // Port scanners do this: it is not reported.
        metrics.refuse("tls");
        tracing::debug!(target: "aqueduct::http", error = %failure, "a client does not speak TLS as we do");
    }

    async fn requests(&self, stream: impl AsyncRead + AsyncWrite + Unpin, stop: CancellationToken) {
        connection::serve_requests(&self.router, stream, self.peer, self.timeout, stop).await;
    }
}
