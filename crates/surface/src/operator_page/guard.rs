//! What every request to the page is held to before anything looks at it, and what every response says about itself.
//!
//! The host must be this machine by address or as `localhost`, which no name of another machine can be rebound to; a page of another
//! origin may neither send nor frame anything. Responses are never kept, and run nothing but the page's own script.

use crate::headers::only;
use crate::http::authority::HostAndPort;
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::{HeaderName, HeaderValue, Method, StatusCode, header};
use std::time::Duration;

/// Nothing but our own files, and no exception.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// With `no-referrer` browsers would send `Origin: null` with forms, which could not be told from a stranger's.
const SAID_OF_ALL: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::CACHE_CONTROL, "no-store"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Longest wait for a form and its answer.
const LONGEST: Duration = Duration::from_secs(30);

/// Lets a request through, or refuses it.
pub async fn guard(request: Request, next: Next) -> Response {
    let mut response = match check(&request) {
        // A client that never sends the rest of its form keeps no one else out.
        Ok(()) => match tokio::time::timeout(LONGEST, next.run(request)).await {
            Ok(response) => response,
            Err(_) => (StatusCode::REQUEST_TIMEOUT, "This took too long. Try again.\n").into_response(),
        },
        Err(why) => (StatusCode::FORBIDDEN, why).into_response(),
    };
    for (name, value) in SAID_OF_ALL {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

fn check(request: &Request) -> Result<(), &'static str> {
    const HOST: &str = "This page is reached by a loopback address or as localhost.\n";
    const ORIGIN: &str = "This page takes no requests of other pages.\n";
    let headers = request.headers();
    let host = only(headers, &header::HOST).and_then(HostAndPort::parse).ok_or(HOST)?;
    // A request may name the host in its first line as well.
    let named = request.uri().authority().map(|named| HostAndPort::parse(named.as_str()));
    if !host.is_loopback() || !named.is_none_or(|named| named.as_ref() == Some(&host)) {
        return Err(HOST);
    }
    if headers.contains_key(header::ORIGIN) {
        let origin = only(headers, &header::ORIGIN).and_then(HostAndPort::of_origin).ok_or(ORIGIN)?;
        if origin != ("http", host) {
            return Err(ORIGIN);
        }
    }
    // Browsers say where a request comes from. A link elsewhere may lead here; it may not do anything here.
    let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
    let is_own = site.is_none_or(|site| site == b"same-origin" || site == b"none");
    let is_link = headers.get("sec-fetch-mode").map(HeaderValue::as_bytes) == Some(b"navigate");
    if is_own || (is_link && request.method() == Method::GET) { Ok(()) } else { Err(ORIGIN) }
}
