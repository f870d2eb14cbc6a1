//! What a browser gets to know about pages that may send requests: those that the operator listed, and no others.

use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};

const METHODS: HeaderValue = HeaderValue::from_static("GET, POST, DELETE");
const HEADERS: HeaderValue = HeaderValue::from_static(
    "authorization, content-type, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id",
);
const EXPOSED: HeaderValue = HeaderValue::from_static("mcp-session-id, www-authenticate, retry-after");

/// Whether a browser asks before it sends. Only an OPTIONS does: whatever else carries these headers is a request like any other.
pub fn is_preflight(method: &Method, headers: &HeaderMap) -> bool {
    method == Method::OPTIONS && headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

/// The response to a browser that asks before it sends.
pub fn preflight() -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    response.headers_mut().insert(header::ACCESS_CONTROL_ALLOW_METHODS, METHODS);
    response.headers_mut().insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HEADERS);
    response
}

/// Lets a page read this response.
pub fn allow(response: &mut Response, origin: &HeaderValue) {
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    headers.insert(header::VARY, HeaderValue::from_static("origin"));
}
