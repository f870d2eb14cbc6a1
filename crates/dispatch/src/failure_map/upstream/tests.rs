//! What each error of an upstream becomes for the client: code, sentence and details.
//!
//! Errors in, failures out; nothing is sent.

use super::upstream;
use aqueduct_operations::address::AddressKind;
use aqueduct_operations::category::Category;
use aqueduct_operations::failure::wording::looks_like_a_leak;
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::source::Source;
use aqueduct_operations::target::Method;
use aqueduct_testkit::operation::{operation, site, target};
use aqueduct_upstream::UpstreamError;
use aqueduct_upstream::error::{
    CredentialError, DestinationError, RequestBuildError, StatusError, TransportError, TransportErrorKind,
    UnreadableError, UnreadableKind,
};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::time::Duration;

fn entry() -> RegistryEntry {
    let target = target(site("https://api.example.com"), Method::Get, "/x/{id}");
    RegistryEntry {
        public_name: "get_x".to_owned(),
        operation: Arc::new(operation("get_x", Category::Read, target)),
        source: Arc::new(Source::built_in()),
    }
}

/// R8.3-1 R8.3-2 R8.3-3 R8.3-4 R8.3-5 X-plugins-12 X-plugins-13: code, text and plugin of every trouble that has one.
#[test]
fn plugin_failures() {
    let transport = |kind| TransportError { kind, host: "api.example.com".to_owned(), port: 443 }.into();
    let after = Duration::from_millis(1500);
    let broken = TransportErrorKind::Network { detail: "the connection was reset", before_answer: false };
    let cases: Vec<(UpstreamError, &str, &str, &str)> = vec![
        (
            transport(TransportErrorKind::Dns),
            "TRANSPORT_DNS_ERROR",
            "transport",
            "Could not resolve host: api.example.com",
        ),
        (
            transport(TransportErrorKind::Refused),
            "TRANSPORT_CONNECTION_REFUSED",
            "transport",
            "Connection refused: api.example.com:443",
        ),
        (
            transport(TransportErrorKind::Timeout { after }),
            "TRANSPORT_TIMEOUT",
            "transport",
            "Request timed out after 1500ms",
        ),
        (
            transport(TransportErrorKind::Tls { detail: "the certificate is not valid" }),
            "TRANSPORT_TLS_ERROR",
            "transport",
            "TLS error: the certificate is not valid",
        ),
        (
            transport(broken),
            "TRANSPORT_NETWORK_ERROR",
            "transport",
            "Network error: the connection was reset",
        ),
        (
            RequestBuildError::Url.into(),
            "PROTOCOL_INVALID_MAPPING",
            "protocol",
            "The operation cannot be sent: its path does not make a URL of the API. Its source has to be corrected.",
        ),
        (
            RequestBuildError::HeaderName("Host".to_owned()).into(),
            "PROTOCOL_INVALID_MAPPING",
            "protocol",
            "The operation cannot be sent: the header 'Host' cannot be set. Its source has to be corrected.",
        ),
        (
            CredentialError::Missing("X_TOKEN".to_owned()).into(),
            "AUTH_CREDENTIAL_MISSING",
            "auth",
            "The environment variable 'X_TOKEN' is not set. Set it where the server runs and start it again.",
        ),
        (
            CredentialError::NoAlternative(vec![
                vec!["X_TOKEN".to_owned()],
                vec!["X_USER".to_owned(), "X_PASS".to_owned()],
            ])
            .into(),
            "AUTH_CREDENTIAL_MISSING",
            "auth",
            "None of the credentials which this operation accepts is set: X_TOKEN; X_USER and X_PASS. Set one of them where the server runs and start it again.",
        ),
        (
            CredentialError::Token { host: "auth.example.com".to_owned(), why: "invalid_client".to_owned() }
                .into(),
            "AUTH_CONFIG_INVALID",
            "auth",
            "The token server 'auth.example.com' gave no token: invalid_client",
        ),
    ];
    for (error, code, category, message) in cases {
        let failure = upstream(error, &entry(), &Map::new());
        assert_eq!((failure.code.name(), failure.message.as_str()), (code, message));
        assert_eq!(failure.details["category"], category);
        assert!(failure.details["plugin"].is_string());
        assert!(failure.is_error(), "no other request would do better");
    }
}

fn status(words: &str, excerpt: Option<Value>) -> UpstreamError {
    UpstreamError::Status(Box::new(StatusError {
        status: 422,
        words: words.to_owned(),
        words_from_body: true,
        excerpt,
        retry_after: None,
        missing_parameter: false,
        content_type: "application/json".to_owned(),
    }))
}

/// X-errors-6: what the API said besides its words is in the details, and nowhere when there was no more.
#[test]
fn the_rest_of_the_body() {
    let excerpt = json!({"message": "no", "errors": [{"field": "title"}]});
    let failure = upstream(status("no", Some(excerpt.clone())), &entry(), &Map::new());
    assert_eq!(failure.message, "Validation failed: no");
    assert_eq!(failure.details["upstream_body"], excerpt);
    let failure = upstream(status("no", None), &entry(), &Map::new());
    assert!(!failure.details.contains_key("upstream_body"));
}

/// Ruling W1: the words of an API are in the message, whatever they are made of, with no signs that turn the text around.
#[test]
fn words_of_an_api() {
    for words in ["name must be at least 3 characters", "TypeError: x is undefined", "that is not ours"] {
        let failure = upstream(status(words, None), &entry(), &Map::new());
        assert_eq!(failure.message, format!("Validation failed: {words}"));
    }
    let failure = upstream(status("red \u{202e}\u{7} evil", None), &entry(), &Map::new());
    assert_eq!(failure.message, "Validation failed: red evil");
}

/// X-intro-29: every sentence about an upstream's trouble is clean, also with a hostile content type.
#[test]
fn clean_sentences() {
    let host = || "api.example.com".to_owned();
    let param = || "id".to_owned();
    let kind = AddressKind::Private;
    let unreadable = |kind| {
        UpstreamError::Unreadable(Box::new(UnreadableError {
            kind,
            http_status: 200,
            content_type: "evil at /src/main".to_owned(),
            body_preview: String::new(),
            parser_message: Some("expected value at line 1".to_owned()),
            retry_after: None,
        }))
    };
    let errors: Vec<UpstreamError> = vec![
        RequestBuildError::MissingPathParam(param()).into(),
        RequestBuildError::InvalidType(param()).into(),
        RequestBuildError::DotSegment(param()).into(),
        RequestBuildError::NulCharacter(param()).into(),
        RequestBuildError::NotBase64(param()).into(),
        RequestBuildError::HeaderValue(param()).into(),
        RequestBuildError::ConstantHeader("X-A".to_owned()).into(),
        CredentialError::Malformed("X".to_owned()).into(),
        CredentialError::Place("X".to_owned()).into(),
        CredentialError::OperatorHeader("X".to_owned()).into(),
        CredentialError::Unencrypted(host()).into(),
        CredentialError::NoAlternative(vec![vec!["A".to_owned(), "B".to_owned()]]).into(),
        CredentialError::Token { host: host(), why: "invalid_client".to_owned() }.into(),
        DestinationError::Address { host: host(), kind }.into(),
        DestinationError::Address { host: host(), kind: AddressKind::Metadata }.into(),
        DestinationError::RedirectAddress { host: host(), kind }.into(),
        DestinationError::RedirectScheme { host: host() }.into(),
        DestinationError::RedirectUnusable { host: host() }.into(),
        UpstreamError::TooLarge { limit: 1, actual: 2 },
        unreadable(UnreadableKind::Html),
        unreadable(UnreadableKind::Json),
        unreadable(UnreadableKind::Binary),
        unreadable(UnreadableKind::Encoding),
        unreadable(UnreadableKind::NotEvents),
    ];
    for error in errors {
        let message = upstream(error, &entry(), &Map::new()).message;
        assert!(!looks_like_a_leak(&message), "{message}");
    }
}
