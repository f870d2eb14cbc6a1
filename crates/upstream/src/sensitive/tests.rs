//! Tests of `sensitive`.

mod calls;

use super::{add, without_sent};
use aqueduct_egress::redact::{MARK, Redactor};
use aqueduct_operations::params::{ParamLocation, ValueKind};
use aqueduct_testkit::operation::{get, param, with_param};
use serde_json::json;

/// R11.3-4: more values than can be looked for hide all words.
#[test]
fn too_many_sensitive_values() {
    let mut pins = param("pins", ValueKind::Array(None), ParamLocation::Body);
    pins.sensitive = true;
    let operation = with_param(get("g", "https://api.example.com", "/x"), pins);
    let of = |count: usize| {
        let pins: Vec<String> = (0..count).map(|n| format!("pin-{n}")).collect();
        let mut redactor = Redactor::default();
        add(&mut redactor, &operation, json!({"pins": pins}).as_object().unwrap());
        redactor.words("no pin-1 here", 300)
    };
    assert_eq!((of(10).as_str(), of(100_000).as_str()), ("no [REDACTED] here", MARK));
}

/// R11.3-4: a sensitive parameter is not echoed in words.
#[test]
fn sensitive_values() {
    let mut pin = param("pin", ValueKind::String, ParamLocation::Query);
    pin.sensitive = true;
    let operation = with_param(get("g", "https://api.example.com", "/x"), pin);
    let mut redactor = Redactor::default();
    add(&mut redactor, &operation, json!({"pin": 98765}).as_object().unwrap());
    assert_eq!(redactor.words("pin 98765 is wrong", 300), "pin [REDACTED] is wrong");
    let mut redactor = Redactor::default();
    let nested = json!({"pin": {"old": [["one-secret"]], "new": "one-secret-more", "on": true}});
    add(&mut redactor, &operation, nested.as_object().unwrap());
    assert_eq!(
        redactor.words("old one-secret, new one-secret-more is true", 300),
        "old [REDACTED], new [REDACTED] is true"
    );
}

#[test]
fn what_was_sent_is_taken_out() {
    let sent = json!({"q": "mint leaf", "deep": [{"card": 4111_1111}], "short": "ab", "n": 12, "three": "abc", "quote": "a\"b\nc"});
    let values = sent.as_object().unwrap();
    for (text, expected) in [
        ("no mint leaf here", "no [REDACTED] here"),
        ("GET /search?q=mint%20leaf", "GET /search?q=[REDACTED]"),
        ("card 41111111 is refused", "card [REDACTED] is refused"),
        ("no abc", "no [REDACTED]"),
        ("about 12 of them", "about 12 of them"),
        ("you said \"a\\\"b\\nc\"", "you said \"[REDACTED]\""),
        ("you said a\"b c", "you said [REDACTED]"),
    ] {
        assert_eq!(without_sent(text, values), expected);
    }
}
