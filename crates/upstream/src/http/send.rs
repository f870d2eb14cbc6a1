//! One attempt: the request goes out when the limits of its source let it, redirects are followed, the response is read; all within
//! the site's timeout, but for the waiting.
//!
//! Invariant: credentials are put on a request for the site's own origin only, just before it is sent; the destination
//! was checked before that. Dropping the future closes the connection.

use super::read::{self, ReceivedResponse};
use super::request::HttpRequest;
use super::{redirect, transport_error};
use crate::credentials::Credentials;
use crate::error::{DestinationError, TransportError, TransportErrorKind, UpstreamError};
use crate::upstream::UpstreamContext;
use aqueduct_egress::destination;
use aqueduct_egress::response::Response;
use aqueduct_operations::address::{AddressKind, AddressScope};
use aqueduct_operations::clock::Clock;
use aqueduct_operations::gatekeeper::SendPermit;
use aqueduct_operations::rate_limits::metering::{RequestSlot, ResponseFacts};
use aqueduct_operations::target::{HttpTarget, Site};
use http::header::{CONTENT_LENGTH, HeaderValue};
use std::time::{Duration, Instant};
use url::Url;

/// Everything about one call that its attempts share.
pub(crate) struct RequestAttempts<'a> {
    pub(crate) shared: &'a UpstreamContext,
    pub(crate) permit: &'a dyn SendPermit,
    pub(crate) target: &'a HttpTarget,
    pub(crate) request: &'a HttpRequest,
    pub(crate) credentials: &'a Credentials,
    /// The request revalidates a cached response.
    pub(crate) revalidates: bool,
}

impl RequestAttempts<'_> {
    pub(crate) fn site(&self) -> &Site {
        &self.target.site
    }
}

/// Sends the request once and reads the response.
pub(crate) async fn attempt(
    call: &RequestAttempts<'_>,
    number: u32,
) -> Result<ReceivedResponse, UpstreamError> {
    let started = Instant::now();
    let mut time = TimeLeft::of(call.site());
    let exchange = async {
        let OpenedResponse { response, route, mut slot } = open(call, &mut time).await?;
        let received = time.limited(read::read(call, response, &route)).await?;
        slot.returned(received.response.data.as_str());
        Ok::<ReceivedResponse, UpstreamError>(received)
    };
    let outcome = exchange.await;
    let milliseconds = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    match &outcome {
        Ok(received) => {
            tracing::debug!(attempt = number, status = received.response.status, milliseconds, "answered");
        }
        Err(error) => {
            let status = error.http_status();
            tracing::debug!(attempt = number, status, milliseconds, %error, "failed");
        }
    }
    outcome
}

/// A response whose body is still to be read, where it came from, and the right to read it.
pub(crate) struct OpenedResponse<'a> {
    pub(crate) response: Response,
    pub(crate) route: redirect::RedirectRoute<'a>,
    pub(crate) slot: RequestSlot,
}

/// Sends the request and follows redirects, up to a response whose body is still to be read. Each request asks the limits of the
/// source first.
pub(crate) async fn open<'a>(
    call: &RequestAttempts<'a>,
    time: &mut TimeLeft<'_>,
) -> Result<OpenedResponse<'a>, UpstreamError> {
    let mut route = redirect::RedirectRoute::new(call.request);
    loop {
        let mut slot = match call.permit.meter() {
            Some(meter) => meter.admit().await.map_err(UpstreamError::Limited)?,
            None => RequestSlot::unlimited(),
        };
        let response = time.limited(send(call, &route)).await?;
        slot.answered(&ReceivedHead { response: &response, clock: &*call.shared.settings.clock });
        if !route.follow(call, &response)? {
            return Ok(OpenedResponse { response, route, slot });
        }
    }
}

/// What is left of the site's timeout. Waiting for a limit does not count.
pub(crate) struct TimeLeft<'a> {
    site: &'a Site,
    left: Duration,
}

impl<'a> TimeLeft<'a> {
    pub(crate) fn of(site: &'a Site) -> TimeLeft<'a> {
        TimeLeft { site, left: site.timeout }
    }

    /// Does this within the time that is left.
    pub(crate) async fn limited<T>(
        &mut self,
        work: impl Future<Output = Result<T, UpstreamError>>,
    ) -> Result<T, UpstreamError> {
        let started = Instant::now();
        let outcome = tokio::time::timeout(self.left, work).await;
        self.left = self.left.saturating_sub(started.elapsed());
        outcome.unwrap_or_else(|_| {
            Err(transport(self.site, TransportErrorKind::Timeout { after: self.site.timeout }))
        })
    }
}

/// The head of a response, as the limits of the source see it.
struct ReceivedHead<'a> {
    response: &'a Response,
    clock: &'a dyn Clock,
}

impl ResponseFacts for ReceivedHead<'_> {
    fn status(&self) -> u16 {
        self.response.status().as_u16()
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.response.headers().get(name)?.to_str().ok()
    }

    fn retry_after(&self) -> Option<Duration> {
        read::retry_after(self.response.headers(), self.clock)
    }
}

/// Sends one request of the route.
async fn send(
    call: &RequestAttempts<'_>,
    route: &redirect::RedirectRoute<'_>,
) -> Result<Response, UpstreamError> {
    let site = call.site();
    let (request, scope) = prepared(call, route)?;
    let client = call.shared.clients.client_for(&request.url, scope);
    let failed = |failure| match failure {
        Err(kind) if !route.on_own_site => {
            DestinationError::RedirectAddress { host: host(&site.base_url), kind }.into()
        }
        failure => failed(&site.base_url, failure),
    };
    let client = client.map_err(|error| failed(transport_error::no_client(error)))?;
    client.execute(call.permit, outgoing(request)).await.map_err(|error| {
        match transport_error::connecting(&error) {
            // The target of a redirect is none of the client's business.
            Ok(_) if !route.on_own_site => {
                let detail = "the target of a redirect did not answer";
                transport(site, TransportErrorKind::Network { detail, before_answer: false })
            }
            failure => failed(failure),
        }
    })
}

/// The request as it goes out and how far it may reach: credentials and private addresses are for the site itself.
pub(crate) fn prepared(
    call: &RequestAttempts<'_>,
    route: &redirect::RedirectRoute<'_>,
) -> Result<(HttpRequest, AddressScope), UpstreamError> {
    let mut request = HttpRequest::clone(&route.request);
    if !route.on_own_site {
        return Ok((request, AddressScope::Public));
    }
    call.credentials.attach(&mut request)?;
    let scope = destination::site_scope(call.site(), &request.url);
    Ok((request, scope))
}

pub(crate) fn outgoing(request: HttpRequest) -> reqwest::Request {
    // The names are tokens, all of them.
    let method = reqwest::Method::from_bytes(request.method.name().as_bytes()).unwrap_or_default();
    let mut outgoing = reqwest::Request::new(method, request.url);
    *outgoing.headers_mut() = request.headers;
    // A method that usually has a body says so when it has none: some servers insist on `Content-Length: 0`.
    if request.body.is_none() && request.method.has_body() {
        outgoing.headers_mut().insert(CONTENT_LENGTH, HeaderValue::from_static("0"));
    }
    *outgoing.body_mut() = request.body.map(reqwest::Body::from);
    outgoing
}

/// A network failure, reported with the host of the site's base URL.
pub(crate) fn transport(site: &Site, kind: TransportErrorKind) -> UpstreamError {
    transport_to(&site.base_url, kind)
}

/// A network failure, reported with the host of this URL.
pub(crate) fn transport_to(url: &Url, kind: TransportErrorKind) -> UpstreamError {
    let port = url.port_or_known_default().unwrap_or_default();
    TransportError { kind, host: host(url), port }.into()
}

/// Why nothing was sent: a failure, or an address that is not called.
pub(crate) fn failed(url: &Url, failure: Result<TransportErrorKind, AddressKind>) -> UpstreamError {
    match failure {
        Ok(kind) => transport_to(url, kind),
        Err(kind) => DestinationError::Address { host: host(url), kind }.into(),
    }
}

/// The host as the URL writes it.
pub(crate) fn host(url: &Url) -> String {
    url.host_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests;
