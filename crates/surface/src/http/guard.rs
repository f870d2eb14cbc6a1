//! Who may come in: checks host, origin, token and rate of every request before anything else looks at it.
//!
//! A request in; the request with its `Caller` and `Scopes`, or a refusal, out. Host and origin keep web pages from reaching the
//! server through a browser on the same machine (DNS rebinding).

use super::cors;
use super::rate::{Client, Rate};
use super::settings::HttpSettings;
use super::tokens::{Token, find};
use crate::metrics::Metrics;
use aqueduct_operations::call::{Caller, Scopes};
use axum::extract::{ConnectInfo, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::uri::Authority;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Instant;

/// Says that the process lives; needs no token.
pub const HEALTH: &str = "/healthz";

const OPEN: [&str; 2] = [HEALTH, "/readyz"];

/// The checks.
#[derive(Debug)]
pub struct Guard {
    hosts: Vec<String>,
    origins: Vec<String>,
    tokens: Vec<Token>,
    rate: Option<Rate>,
    metrics: Arc<Metrics>,
}

/// A request that may come in.
#[derive(Debug)]
struct Admitted {
    caller: Caller,
    scopes: Scopes,
    /// The listed page that it comes from, if it does.
    page: Option<HeaderValue>,
}

/// Why a request is turned away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Refusal {
    Host,
    Origin,
    NoToken,
    WrongToken,
    Rate,
}

/// Lets a request through, or answers it here.
pub async fn guard(State(guard): State<Arc<Guard>>, mut request: Request, next: Next) -> Response {
    let Admitted { caller, scopes, page } = match guard.check(&request) {
        Ok(admitted) => admitted,
        Err(refusal) => {
            guard.metrics.refuse(refusal.reason());
            return refusal.into_response();
        }
    };
    request.extensions_mut().insert(caller);
    request.extensions_mut().insert(scopes);
    let Some(page) = page else { return next.run(request).await };
    let preflight = cors::preflight(request.method(), request.headers(), &page);
    if let Some(response) = preflight {
        return response;
    }
    let mut response = next.run(request).await;
    cors::allow(&mut response, &page);
    response
}

impl Guard {
    /// Checks with these settings.
    pub fn new(settings: &HttpSettings, metrics: Arc<Metrics>) -> Guard {
        let lower = |texts: &[String]| texts.iter().map(|text| text.to_ascii_lowercase()).collect();
        Guard {
            hosts: lower(&settings.allowed_hosts),
            origins: lower(&settings.allowed_origins),
            tokens: settings.tokens.clone(),
            rate: settings.requests_per_second.map(Rate::new),
            metrics,
        }
    }

    /// Who calls and what they may do.
    fn check(&self, request: &Request) -> Result<Admitted, Refusal> {
        let headers = request.headers();
        let host = only(headers, header::HOST).ok_or(Refusal::Host)?;
        let named = request.uri().authority().map_or(host, Authority::as_str);
        if !self.host_is_ours(host) || !self.host_is_ours(named) {
            return Err(Refusal::Host);
        }
        let page = self.page(headers, host)?;
        let address = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|peer| peer.0.ip());
        // A browser asks without its token whether it may send one.
        let asks_first = page.is_some() && headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
        let token =
            if asks_first || OPEN.contains(&request.uri().path()) { Ok(None) } else { self.token(headers) };
        let caller =
            token.as_ref().ok().and_then(Option::as_ref).map_or(Caller(None), |token| token.caller());
        let client = match &caller {
            Caller(Some(name)) => Client::Named(Arc::clone(name)),
            // Those who guess tokens are slowed down too.
            Caller(None) => Client::at(address),
        };
        // A flood must not make the server look dead to whoever watches it.
        let is_counted = request.uri().path() != HEALTH;
        if is_counted && self.rate.as_ref().is_some_and(|rate| !rate.allows(client, Instant::now())) {
            return Err(Refusal::Rate);
        }
        // With no tokens to tell people apart, whoever gets here runs the server.
        let scopes = token?.map_or(Scopes::All, Token::scopes);
        Ok(Admitted { caller, scopes, page })
    }

    /// An address cannot be rebound, and neither can `localhost`; other names must be listed.
    fn host_is_ours(&self, host: &str) -> bool {
        let Ok(authority) = Authority::try_from(host) else { return false };
        let name = authority.host().to_ascii_lowercase();
        let bare = name.trim_start_matches('[').trim_end_matches(']');
        let whole = authority.as_str().to_ascii_lowercase();
        bare == "localhost"
            || bare.parse::<IpAddr>().is_ok()
            || self.hosts.iter().any(|each| *each == name || *each == whole)
    }

    /// Requests of programs have no origin. Those of web pages must be from this server itself or from a listed page.
    fn page(&self, headers: &HeaderMap, host: &str) -> Result<Option<HeaderValue>, Refusal> {
        let Some(value) = headers.get(header::ORIGIN) else { return Ok(None) };
        let origin = only(headers, header::ORIGIN).ok_or(Refusal::Origin)?.to_ascii_lowercase();
        if self.origins.contains(&origin) {
            return Ok(Some(value.clone()));
        }
        let own = ["http://", "https://"].iter().find_map(|scheme| origin.strip_prefix(scheme));
        if own == Some(host.to_ascii_lowercase().as_str()) { Ok(None) } else { Err(Refusal::Origin) }
    }

    /// The token of a request; none where none are needed.
    fn token(&self, headers: &HeaderMap) -> Result<Option<&Token>, Refusal> {
        if self.tokens.is_empty() {
            return Ok(None);
        }
        let sent = only(headers, header::AUTHORIZATION).ok_or(Refusal::NoToken)?;
        let (scheme, token) = sent.split_once(' ').ok_or(Refusal::NoToken)?;
        if !scheme.eq_ignore_ascii_case("bearer") {
            return Err(Refusal::NoToken);
        }
        find(&self.tokens, token.trim()).map(Some).ok_or(Refusal::WrongToken)
    }
}

/// The text of a header that stands there once.
fn only(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?;
    if values.next().is_some() { None } else { value.to_str().ok() }
}

impl Refusal {
    fn reason(self) -> &'static str {
        match self {
            Refusal::Host => "host",
            Refusal::Origin => "origin",
            Refusal::NoToken => "no_token",
            Refusal::WrongToken => "wrong_token",
            Refusal::Rate => "rate",
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let (status, says, extra) = match self {
            Refusal::Host => {
                (StatusCode::FORBIDDEN, "This server is not addressed by this host name.\n", None)
            }
            Refusal::Origin => {
                (StatusCode::FORBIDDEN, "This server takes no requests of this origin.\n", None)
            }
            Refusal::NoToken => (
                StatusCode::UNAUTHORIZED,
                "A bearer token is needed.\n",
                Some((header::WWW_AUTHENTICATE, "Bearer realm=\"aqueduct\"")),
            ),
            Refusal::WrongToken => (
                StatusCode::UNAUTHORIZED,
                "The bearer token is not known.\n",
                Some((header::WWW_AUTHENTICATE, "Bearer realm=\"aqueduct\", error=\"invalid_token\"")),
            ),
            Refusal::Rate => (
                StatusCode::TOO_MANY_REQUESTS,
                "Too many requests. Wait a second.\n",
                Some((header::RETRY_AFTER, "1")),
            ),
        };
        let mut response = (status, says).into_response();
        if let Some((name, value)) = extra {
            response.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        response
    }
}

#[cfg(test)]
mod tests;
