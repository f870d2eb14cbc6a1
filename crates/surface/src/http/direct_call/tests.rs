//! Tests of `direct_call`.

use super::is_plain;
use http::{HeaderMap, HeaderName, HeaderValue};

/// What only the SDK knows how to answer is left to it.
#[test]
fn plain_headers() {
    let usual = [("accept", "application/json, text/event-stream"), ("content-type", "application/json")];
    let with = |more: &[(&'static str, &'static str)]| {
        let mut headers = HeaderMap::new();
        for (name, value) in usual.iter().chain(more) {
            headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        is_plain(&headers)
    };
    assert!(with(&[]));
    assert!(
        with(&[("mcp-protocol-version", "2025-06-18")]) && with(&[("mcp-protocol-version", "2025-11-25")])
    );
    assert!(!with(&[("mcp-protocol-version", "2026-07-28")]), "it has no sessions");
    assert!(!with(&[("mcp-protocol-version", "2030-01-01")]));
    assert!(!with(&[("accept", "text/event-stream")]) && !with(&[("content-type", "text/plain")]));
    assert!(!is_plain(&HeaderMap::new()));
}
