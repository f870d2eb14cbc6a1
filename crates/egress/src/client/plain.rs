//! Requests without encryption, over connections that stay open for the next one.
//!
//! A request in; out, a response whose body is read over the same connection. Request, connection and body are moved on by the task
//! that makes the call: with a task for every connection, each call would wake it and be woken by it. A connection that was closed
//! while no one used it is replaced by another, since nothing of the request was sent then.

mod body;
mod connection;
mod decoding;
mod idle;

pub use body::PlainBody;

use super::SendError;
use crate::resolver::GuardedResolver;
use crate::response::Response;
use connection::PlainConnection;
use http::header::{ACCEPT, ACCEPT_ENCODING, HOST};
use http::uri::{Authority, PathAndQuery, Scheme};
use http::{HeaderValue, Uri};
use hyper_util::client::legacy::connect::HttpConnector;
use idle::IdleConnections;
use std::sync::Arc;
use std::time::Duration;
use url::{Position, Url};

/// How long nothing has to come before the system asks whether the other side is still there, and how often it asks.
const PROBE_AFTER: Duration = Duration::from_secs(15);
const PROBES: u32 = 3;

/// How long sent bytes may stay unacknowledged.
#[cfg(target_os = "linux")]
const UNACKNOWLEDGED: Duration = Duration::from_secs(30);

/// Sends requests and keeps connections.
#[derive(Debug, Clone)]
pub(super) struct PlainClient {
    connector: HttpConnector<GuardedResolver>,
    idle: Arc<IdleConnections>,
}

impl PlainClient {
    /// A client that connects to what the resolver lets through.
    pub(super) fn new(resolver: GuardedResolver) -> PlainClient {
        let mut connector = HttpConnector::new_with_resolver(resolver);
        connector.set_nodelay(true);
        connector.set_keepalive(Some(PROBE_AFTER));
        connector.set_keepalive_interval(Some(PROBE_AFTER));
        connector.set_keepalive_retries(Some(PROBES));
        #[cfg(target_os = "linux")]
        connector.set_tcp_user_timeout(Some(UNACKNOWLEDGED));
        PlainClient { connector, idle: Arc::default() }
    }

    /// Sends a request and gives the head of its response.
    pub(super) async fn execute(&self, request: reqwest::Request) -> Result<Response, SendError> {
        if request.url().scheme() != "http" {
            return Err(SendError::Scheme);
        }
        let authority = authority(request.url());
        let mut unsent = outgoing(request, &authority)?;
        loop {
            let kept = self.idle.take(&authority);
            let is_kept = kept.is_some();
            let mut connection = match kept {
                Some(connection) => connection,
                // What is rare is on the heap: everything around it would have to make room for it.
                None => Box::pin(PlainConnection::open(&self.connector, uri(&authority)?)).await?,
            };
            let mut failed = match connection.exchange(unsent).await {
                Ok(response) => {
                    let body = |incoming| PlainBody::new(incoming, connection, authority, &self.idle);
                    return decoding::decoded(response.map(body)).await;
                }
                Err(failed) => failed,
            };
            match failed.take_message().filter(|_| is_kept) {
                Some(request) => unsent = request,
                None => return Err(SendError::Exchange(failed.into_error())),
            }
        }
    }
}

/// The host and the port, if that is not the usual one.
fn authority(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}

/// Where to connect to.
fn uri(authority: &str) -> Result<Uri, SendError> {
    let authority: Authority = authority.parse().map_err(http::Error::from)?;
    let uri = Uri::builder().scheme(Scheme::HTTP).authority(authority).path_and_query("/");
    Ok(uri.build()?)
}

/// The request as a connection takes it.
fn outgoing(
    mut request: reqwest::Request,
    authority: &str,
) -> Result<http::Request<reqwest::Body>, SendError> {
    let target = &request.url()[Position::BeforePath..Position::AfterQuery];
    let target = PathAndQuery::try_from(target).map_err(http::Error::from)?;
    let host = HeaderValue::try_from(authority).map_err(http::Error::from)?;
    let mut outgoing = http::Request::new(request.body_mut().take().unwrap_or_default());
    *outgoing.method_mut() = request.method().clone();
    *outgoing.uri_mut() = Uri::from(target);
    let headers = outgoing.headers_mut();
    *headers = std::mem::take(request.headers_mut());
    headers.entry(HOST).or_insert(host);
    headers.entry(ACCEPT).or_insert(HeaderValue::from_static("*/*"));
    if let Some(known) = decoding::KNOWN {
        headers.entry(ACCEPT_ENCODING).or_insert(HeaderValue::from_static(known));
    }
    Ok(outgoing)
}

#[cfg(test)]
mod tests;
