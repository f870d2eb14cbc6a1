//! Tests of `excerpt`.

use crate::redact::Redactor;
use serde_json::{Value, json};

/// R11.3-1 R11.3-2 R11.3-3 R11.3-4 R11.3-5: nothing comes out here that would not come out in the words.
#[test]
fn without_secrets_and_leaks() {
    let mut redactor = Redactor::default();
    redactor.add_secret("s/cr\"t-k3y");
    redactor.add_secret("12345678");
    let body = json!({
        "message": "boom\n\tat com.acme.Hidden.run(Hidden.java:12)",
        "stackTrace": ["com.acme.Hidden.run"],
        "stack_trace": "Hidden",
        "echo": "with s/cr\"t-k3y",
        "s/cr\"t-k3y": 12345678,
        "access_token": "Hidden",
        "passphrase": "Hidden",
        "smtpPass": "Hidden",
        "code": "missing_field",
        "password": "is too short",
        "errors": {"password": ["is too short"]},
        "db": "postgres://Hidden:pw@db/x",
        "host": "10.0.0.7",
        "file": "/etc/Hidden.conf",
    });
    assert_eq!(
        redactor.excerpt(&body),
        json!({
            "message": "boom",
            "echo": "with [REDACTED]",
            "[REDACTED]": "[REDACTED]",
            "access_token": "[REDACTED]",
            "passphrase": "[REDACTED]",
            "smtpPass": "[REDACTED]",
            "code": "missing_field",
            "password": "is too short",
            "errors": {"password": ["is too short"]},
            "db": "[REDACTED]",
            "host": "[REDACTED]",
            "file": "[REDACTED]",
        })
    );
}

/// However long a body is, its excerpt is about a thousand characters.
#[test]
fn never_long() {
    let long = "x y ".repeat(1_000_000);
    let deep = (0..100).fold(json!("deep"), |inner, _| json!([inner, 1]));
    for body in [
        json!({"text": long, "more": long, "most": long, "rest": long}),
        json!(vec!["word"; 100_000]),
        json!(vec![1; 100_000]),
        json!(vec![json!({}); 100_000]),
        Value::Object((0..10_000).map(|n| (format!("key{n}"), json!("value"))).collect()),
        json!({long: "key"}),
        deep,
    ] {
        let shown = Redactor::default().excerpt(&body).to_string();
        assert!(shown.chars().count() < 1_500, "{} {shown}", shown.chars().count());
    }
    let cut = Redactor::default().excerpt(&json!(vec!["word"; 1_000]));
    assert_eq!(cut.as_array().unwrap().last(), Some(&json!("…")));
}
