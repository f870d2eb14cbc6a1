//! Tests of `http`.

use super::{AddressError, RecordingClient, settings};
use aqueduct_egress::destination::named_scope;
use aqueduct_operations::gatekeeper::ConnectPermit;
use aqueduct_operations::mcp::{ServerConfig, ServerTransport};
use aqueduct_operations::named_secret::NamedSecret;
use aqueduct_testkit::environment::TestEnvironment;
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// Ruling S7: headers of the operator's go over HTTPS or to this machine.
#[test]
fn credentials_need_https() {
    let variables = TestEnvironment::with(&[("TOKEN", "t")]);
    let headers = [NamedSecret::new("Authorization", "Bearer ${TOKEN}")];
    for (url, fine) in [
        ("https://example.com/mcp", true),
        ("http://127.0.0.1:1/mcp", true),
        ("http://[::1]/mcp", true),
        ("http://localhost/mcp", true),
        ("http://example.com/mcp", false),
        ("http://127.0.0.1.example.com/mcp", false),
    ] {
        let found = settings(&url.parse().unwrap(), &headers, &variables);
        assert_eq!(found.is_ok(), fine, "{url}");
        assert!(settings(&url.parse().unwrap(), &[], &variables).is_ok(), "{url} without credentials");
    }
    let missing = [NamedSecret::new("X-Key", "${MISSING}")];
    let error = settings(&"https://example.com/".parse().unwrap(), &missing, &variables).unwrap_err();
    assert!(matches!(error, AddressError::Unset(_)), "{error}");
}

/// Variables in the query are filled in, and are credentials like headers are.
#[test]
fn the_query_may_hold_credentials() {
    let variables = TestEnvironment::with(&[("KEY", "a b&c")]);
    let settings = |url: &str| settings(&url.parse().unwrap(), &[], &variables);
    let found = settings("https://example.com/mcp?x=1&key=${KEY}").unwrap();
    assert_eq!(&*found.uri, "https://example.com/mcp?x=1&key=a%20b%26c");
    assert!(matches!(settings("http://example.com/?k=${KEY}"), Err(AddressError::PlainHttp)));
    assert!(matches!(settings("http://u:p@example.com/"), Err(AddressError::PlainHttp)));
    assert!(matches!(settings("https://example.com/?k=${NONE}"), Err(AddressError::Unset(_))));
}

/// Ruling S7: an address of a private network is reached by anyone who names it; a metadata service by no one.
#[test]
fn addresses_as_they_are_written() {
    for (address, is_fine) in [
        ("http://127.0.0.1:1/mcp", true),
        ("http://localhost/mcp", true),
        ("http://10.0.0.7/mcp", true),
        ("https://mcp.example.com/mcp", true),
        ("http://169.254.169.254/mcp", false),
        ("http://0xa9fea9fe/mcp", false),
        ("http://[::ffff:169.254.169.254]/mcp", false),
        ("http://metadata.google.internal/mcp", false),
    ] {
        let url: Url = address.parse().unwrap();
        for may_be_private in [false, true] {
            let reach = ServerTransport::Http { url: url.clone(), headers: Vec::new() };
            let config = ServerConfig { name: "s".into(), reach, timeout: Duration::from_secs(1) };
            let permit = Arc::new(ConnectPermit::named_by_operator(config));
            let scope = named_scope(&url, may_be_private);
            let client = RecordingClient::new(&permit, &url, scope, Arc::default(), Arc::default());
            assert_eq!(client.is_ok(), is_fine, "{address}");
        }
    }
}
