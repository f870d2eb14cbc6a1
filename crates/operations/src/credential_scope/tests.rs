//! Tests of `credential_scope`.

use super::{has_user_info, is_confidential, is_in_scope, is_same_origin, origin_text, without_secrets};
use url::Url;

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

/// Ruling S7: scheme, host and port together are the origin, however they are written.
#[test]
fn one_origin_only() {
    let given_for = url("https://api.example.com/v1");
    for (other, expected) in [
        ("https://api.example.com/v2?x=1#part", true),
        ("https://API.example.com:443/", true),
        ("https://ann:word@api.example.com/", true),
        ("http://api.example.com/v1", false),
        ("https://api.example.com:8443/v1", false),
        ("https://api.example.com./v1", false),
        ("https://v1.api.example.com/", false),
        ("https://example.com/", false),
        ("https://api.example.com.attacker.example/", false),
        ("https://api.example.com@attacker.example/", false),
        ("data:text/plain,https://api.example.com/v1", false),
    ] {
        assert_eq!(is_same_origin(&given_for, &url(other)), expected, "{other}");
        assert_eq!(is_in_scope(&given_for, &[], &url(other)), expected, "{other}");
    }
}

/// Ruling S7: what has no host is not even of its own origin, so that nothing is ever sent along to it.
#[test]
fn no_host_no_origin() {
    for text in ["data:text/plain,x", "file:///etc/passwd", "mailto:ann@example.com"] {
        assert!(!is_same_origin(&url(text), &url(text)), "{text}");
        assert!(!is_in_scope(&url(text), &[url(text)], &url(text)), "{text}");
    }
}

/// Ruling S7: the operator may name further origins, and each is compared whole.
#[test]
fn origins_that_the_operator_named() {
    let (given_for, also) = (url("https://api.example.com"), [url("https://files.example.com/any")]);
    for (other, expected) in [
        ("https://api.example.com/x", true),
        ("https://files.example.com/x", true),
        ("http://files.example.com/x", false),
        ("https://files.example.com:444/x", false),
        ("https://other.example.com/x", false),
    ] {
        assert_eq!(is_in_scope(&given_for, &also, &url(other)), expected, "{other}");
    }
}

#[test]
fn secrets_are_not_overheard() {
    for (text, expected) in [
        ("https://api.example.com/", true),
        ("http://localhost:1/", true),
        ("http://api.example.com/", false),
        ("http://10.0.0.1/", false),
        ("ftp://localhost/", false),
    ] {
        assert_eq!(is_confidential(&url(text)), expected, "{text}");
    }
}

#[test]
fn names_and_passwords_in_urls() {
    for (text, expected) in [
        ("https://api.example.com/@ann", false),
        ("https://ann@api.example.com/", true),
        ("https://ann:word@api.example.com/", true),
        ("https://:word@api.example.com/", true),
    ] {
        assert_eq!(has_user_info(&url(text)), expected, "{text}");
    }
    assert_eq!(origin_text(&url("https://ann:word@API.example.com:443/v1")), "https://api.example.com");
    assert_eq!(
        without_secrets(&url("https://ann:word@api.example.com/v1?key=k#part")),
        "https://api.example.com/v1"
    );
}
