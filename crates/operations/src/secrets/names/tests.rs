//! Tests of `names`.

use super::NamePlace::{Address, Header, Parameter, Setting, Text, Variable};
use super::{NamePlace, carries_session, is_plain_header, is_plain_setting, is_secret};

const ALL: [NamePlace; 6] = [Parameter, Header, Variable, Setting, Address, Text];

/// However they are written, in every place.
#[test]
fn certain_names() {
    for name in [
        "password",
        "api_key",
        "apiKey",
        "X-API-KEY",
        "apikey",
        "client_secret",
        "Authorization",
        "ACCESS_TOKEN",
        "passphrase",
        "credentials",
        "private-key",
        "license_key",
        "jwt",
        "cookie",
    ] {
        let missing: Vec<_> = ALL.into_iter().filter(|place| !is_secret(name, *place)).collect();
        // The letter in front makes it another parameter.
        let expected: &[NamePlace] = if name == "X-API-KEY" { &[Parameter] } else { &[] };
        assert_eq!(missing, expected, "{name}");
    }
}

/// A name, and the places where it is a credential.
#[test]
fn names_by_place() {
    let cases: [(&str, &[NamePlace]); 23] = [
        ("page_token", &[Header, Variable, Setting, Address, Text]),
        ("max_tokens", &[Variable, Setting, Address, Text]),
        ("Idempotency-Key", &[Variable, Setting, Address]),
        ("X-Atlassian-Token", &[Variable, Setting, Address, Text]),
        ("X-Auth", &[Header, Variable, Setting, Address]),
        ("KEYS", &[Variable, Setting, Address]),
        ("KEYBOARD", &[Setting, Address]),
        ("GITHUB_PAT", &[Variable, Setting, Address]),
        ("PATH", &[]),
        ("APP_ASSETS", &[]),
        ("TOKENvalue", &[Variable, Setting, Address, Text]),
        ("PHOTO_KENYA", &[]),
        ("passWord1", &[Header, Variable, Setting, Address, Text]),
        ("PWD", &[Parameter, Header, Setting, Address, Text]),
        ("DB_PWD", &[Header, Variable, Setting, Address, Text]),
        ("SMTP_PASS", &[Variable, Setting, Address, Text]),
        ("PASS_THROUGH", &[Setting, Address]),
        ("SESSION_ID", &[Setting, Address]),
        ("sig", &[Setting, Address, Text]),
        ("design", &[Address]),
        ("code", &[Address]),
        ("GIT_AUTHOR_EMAIL", &[]),
        ("X_AUTHORIZED", &[Setting, Address]),
    ];
    for (name, expected) in cases {
        let places: Vec<_> = ALL.into_iter().filter(|place| is_secret(name, *place)).collect();
        assert_eq!(places, expected, "{name}");
    }
}

#[test]
fn headers() {
    assert!(carries_session("Proxy-Authorization") && carries_session("Set-Cookie"));
    assert!(!carries_session("X-Cookie"));
    for (name, value) in
        [("Accept", "text/html"), ("Stripe-Version", "2024-06-20.acacia"), ("X-Api-Version", "v2")]
    {
        assert!(is_plain_header(name, value), "{name}");
    }
    for (name, value) in [("X-Version", "hunter2"), ("X-Conversion", "2"), ("X-Key", "2024-06-20")] {
        assert!(!is_plain_header(name, value), "{name}");
    }
}

#[test]
fn settings() {
    assert!(is_plain_setting("LOG_LEVEL") && is_plain_setting("dbHost"));
    assert!(!is_plain_setting("NOTES"));
}
