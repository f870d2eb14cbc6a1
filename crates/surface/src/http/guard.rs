//! Who may come in: checks host, origin, token and rate of every request before anything else looks at it.
//!
//! A request in; the request with its `Caller` and `Scopes`, or a refusal, out. While tokens are set nothing gets a caller without
//! one: a preflight is answered here, and those who only ask whether the server lives stay no one. Host and origin keep web pages
//! from reaching the server through a browser on the same machine (DNS rebinding).

use super::authority::HostAndPort;
use super::cors;
use super::known_tokens::{BearerRefusal, KnownTokens};
use super::rate_limiter::{ClientKey, ClientRate, RateLimiter};
use super::settings::HttpSettings;
use crate::headers::only;
use crate::metrics::Metrics;
use aqueduct_operations::call::{Caller, Scopes};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use std::sync::Arc;

/// Says that the process lives; needs no token.
pub const HEALTH: &str = "/healthz";

const PUBLIC_PATHS: [&str; 2] = [HEALTH, "/readyz"];

/// The checks.
#[derive(Debug)]
pub struct Guard {
    hosts: Vec<String>,
    origins: Vec<String>,
    tokens: KnownTokens,
    rate: Option<Arc<RateLimiter>>,
    metrics: Arc<Metrics>,
}

/// A request that may come in.
#[derive(Debug)]
struct AdmittedRequest {
    who: RequestSender,
    /// What further messages of the request count against.
    rate: Option<ClientRate>,
    /// The listed page that it comes from, if it does.
    page: Option<HeaderValue>,
}

/// Who sends a request.
#[derive(Debug, PartialEq, Eq)]
enum RequestSender {
    /// A browser that asks, without its token, whether a page may send one. It is answered, and goes no further.
    Browser,
    /// A health check, which needs no token.
    Anybody,
    /// Anyone who may call.
    Caller(Caller, Scopes),
}

/// Why a request is turned away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HttpRefusal {
    Host,
    Origin,
    Token(BearerRefusal),
    Rate,
}

/// Lets a request through, or answers it here.
pub async fn guard(State(guard): State<Arc<Guard>>, mut request: Request, next: Next) -> Response {
    let AdmittedRequest { who, rate, page } = match guard.check(&request) {
        Ok(admitted) => admitted,
        Err(refusal) => {
            let (reason, response) = refusal.answer();
            guard.metrics.refuse(reason);
            return response;
        }
    };
    let mut response = match who {
        RequestSender::Browser => cors::preflight(),
        RequestSender::Anybody => next.run(request).await,
        RequestSender::Caller(caller, scopes) => {
            request.extensions_mut().insert(caller);
            request.extensions_mut().insert(scopes);
            if let Some(rate) = rate {
                request.extensions_mut().insert(rate);
            }
            next.run(request).await
        }
    };
    if let Some(page) = page {
        cors::allow(&mut response, &page);
    }
    response
}

impl Guard {
    /// Checks with these settings.
    pub fn new(settings: &HttpSettings, tokens: KnownTokens, metrics: Arc<Metrics>) -> Guard {
        let lower = |texts: &[String]| texts.iter().map(|text| text.to_ascii_lowercase()).collect();
        Guard {
            hosts: lower(&settings.allowed_hosts),
            origins: lower(&settings.allowed_origins),
            tokens,
            rate: settings.requests_per_second.map(|rate| Arc::new(RateLimiter::new(rate))),
            metrics,
        }
    }

    /// Who sends this request, if they may.
    fn check(&self, request: &Request) -> Result<AdmittedRequest, HttpRefusal> {
        let headers = request.headers();
        let host = only(headers, &header::HOST).and_then(HostAndPort::parse).ok_or(HttpRefusal::Host)?;
        let is_ours = |host: &HostAndPort| host.cannot_be_rebound() || host.is_among(&self.hosts);
        // A request may name the host in its first line as well.
        let named = request.uri().authority().map(|named| HostAndPort::parse(named.as_str()));
        if !is_ours(&host) || !named.is_none_or(|named| named.as_ref().is_some_and(is_ours)) {
            return Err(HttpRefusal::Host);
        }
        let page = self.page(headers, &host)?;
        let path = request.uri().path();
        let who = if page.is_some() && cors::is_preflight(request.method(), headers) {
            Ok(RequestSender::Browser)
        } else if PUBLIC_PATHS.contains(&path) {
            Ok(RequestSender::Anybody)
        } else {
            let sender = self.tokens.sender(bearer_token(headers));
            sender.map(|(caller, scopes)| RequestSender::Caller(caller, scopes)).map_err(HttpRefusal::Token)
        };
        let token = match &who {
            Ok(RequestSender::Caller(caller, _)) => caller.token(),
            // Those who guess tokens are slowed down too.
            Ok(RequestSender::Browser | RequestSender::Anybody) | Err(_) => None,
        };
        let client = ClientKey::of(token, request.extensions());
        // A flood must not make the server look dead to anyone who watches it.
        let rate = self.rate.clone().map(|limiter| ClientRate { limiter, client });
        if path != HEALTH && rate.as_ref().is_some_and(|rate| !rate.allows()) {
            return Err(HttpRefusal::Rate);
        }
        Ok(AdmittedRequest { who: who?, rate, page })
    }

    /// Requests of programs have no origin. Those of web pages must be from this server itself or from a listed page.
    fn page(&self, headers: &HeaderMap, host: &HostAndPort) -> Result<Option<HeaderValue>, HttpRefusal> {
        let Some(value) = headers.get(header::ORIGIN) else { return Ok(None) };
        let origin = only(headers, &header::ORIGIN).ok_or(HttpRefusal::Origin)?.to_ascii_lowercase();
        if self.origins.contains(&origin) {
            return Ok(Some(value.clone()));
        }
        let (scheme, named) = HostAndPort::of_origin(&origin).ok_or(HttpRefusal::Origin)?;
        let is_own = ["http", "https"].contains(&scheme) && named == *host;
        if is_own { Ok(None) } else { Err(HttpRefusal::Origin) }
    }
}

/// The bearer token of a request.
fn bearer_token(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = only(headers, &header::AUTHORIZATION)?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

impl HttpRefusal {
    /// The reason for the metrics, and the response.
    fn answer(self) -> (&'static str, Response) {
        use StatusCode as Status;
        let respond = |status: StatusCode, message: &'static str| (status, message).into_response();
        let (reason, mut response, header) = match self {
            HttpRefusal::Host => (
                "host",
                respond(Status::FORBIDDEN, "This server is not addressed by this host name.\n"),
                None,
            ),
            HttpRefusal::Origin => (
                "origin",
                respond(Status::FORBIDDEN, "This server takes no requests of this origin.\n"),
                None,
            ),
            HttpRefusal::Token(BearerRefusal::Missing) => (
                "no_token",
                respond(Status::UNAUTHORIZED, "A bearer token is needed.\n"),
                Some((header::WWW_AUTHENTICATE, "Bearer realm=\"aqueduct\"")),
            ),
            HttpRefusal::Token(BearerRefusal::Unknown) => (
                "wrong_token",
                respond(Status::UNAUTHORIZED, "The bearer token is not known.\n"),
                Some((header::WWW_AUTHENTICATE, "Bearer realm=\"aqueduct\", error=\"invalid_token\"")),
            ),
            HttpRefusal::Token(BearerRefusal::Expired) => (
                "expired_token",
                respond(Status::UNAUTHORIZED, "The bearer token has expired. Ask for a new one.\n"),
                Some((
                    header::WWW_AUTHENTICATE,
                    "Bearer realm=\"aqueduct\", error=\"invalid_token\", error_description=\"The token has expired\"",
                )),
            ),
            HttpRefusal::Token(BearerRefusal::NotReady) => (
                "callers_unknown",
                respond(
                    Status::SERVICE_UNAVAILABLE,
                    "Who may call cannot be read at the moment. Try again later.\n",
                ),
                Some((header::RETRY_AFTER, "2")),
            ),
            HttpRefusal::Rate => (
                "rate",
                respond(Status::TOO_MANY_REQUESTS, "Too many requests. Wait a second.\n"),
                Some((header::RETRY_AFTER, "1")),
            ),
        };
        response.headers_mut().extend(header.map(|(name, value)| (name, HeaderValue::from_static(value))));
        (reason, response)
    }
}

#[cfg(test)]
mod tests;
