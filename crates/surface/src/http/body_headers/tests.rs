//! Which bodies are refused by their headers, and what is said of them.

use super::refusal;
use http::{HeaderMap, HeaderName, HeaderValue};

fn said(headers: &[(&'static str, &'static str)]) -> Option<(&'static str, u16)> {
    let pairs =
        headers.iter().map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
    let headers: HeaderMap = pairs.collect();
    refusal(&headers).map(|rejected| (rejected.reason, rejected.response.status().as_u16()))
}

#[test]
fn compressed_bodies_and_other_charsets() {
    for (coding, is_read) in [("identity", true), ("gzip", false), ("identity, br", false), ("", false)] {
        let expected = (!is_read).then_some(("encoding", 415));
        assert_eq!(said(&[("content-encoding", coding)]), expected, "{coding}");
    }
    for (kind, is_read) in [
        ("application/json", true),
        ("application/json; charset=utf-8", true),
        ("application/json;charset=\"UTF-8\"", true),
        ("application/json ; Charset = utf8", true),
        ("application/json; profile=x", true),
        ("application/json; charset=utf-16", false),
        ("application/json; profile=x; charset=\"iso-8859-1\"", false),
    ] {
        assert_eq!(said(&[("content-type", kind)]), (!is_read).then_some(("charset", 415)), "{kind}");
    }
    assert_eq!(said(&[]), None);
}
