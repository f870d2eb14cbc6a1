//! Tests of `http`.

use super::{AddressError, settings};
use crate::settings::VariableLookup;
use secrecy::SecretString;

/// Ruling S7: headers of the operator's go over HTTPS or to this machine.
#[test]
fn credentials_need_https() {
    let variables = VariableLookup::new(|name| (name == "TOKEN").then(|| "t".into()));
    let headers = [("Authorization".to_owned(), SecretString::from("Bearer ${TOKEN}"))];
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
    let missing = [("X-Key".to_owned(), SecretString::from("${MISSING}"))];
    let error = settings(&"https://example.com/".parse().unwrap(), &missing, &variables).unwrap_err();
    assert!(matches!(error, AddressError::Unset(_)), "{error}");
}

/// Variables in the query are filled in, and are credentials like headers are.
#[test]
fn the_query_may_hold_credentials() {
    let variables = VariableLookup::new(|name| (name == "KEY").then(|| "a b&c".into()));
    let settings = |url: &str| settings(&url.parse().unwrap(), &[], &variables);
    let found = settings("https://example.com/mcp?x=1&key=${KEY}").unwrap();
    assert_eq!(&*found.uri, "https://example.com/mcp?x=1&key=a%20b%26c");
    assert!(matches!(settings("http://example.com/?k=${KEY}"), Err(AddressError::PlainHttp)));
    assert!(matches!(settings("http://u:p@example.com/"), Err(AddressError::PlainHttp)));
    assert!(matches!(settings("https://example.com/?k=${NONE}"), Err(AddressError::Unset(_))));
}
