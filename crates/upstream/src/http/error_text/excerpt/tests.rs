//! Tests of `excerpt`.

use super::excerpt;
use aqueduct_egress::redact::Redactor;
use serde_json::{Value, json};

fn of(body: Value, words: &str) -> Option<Value> {
    excerpt(&body, words, 422, &Redactor::default())
}

/// X-errors-6: what the words leave out is kept.
#[test]
fn says_what_the_words_do_not() {
    let body =
        json!({"message": "Validation Failed", "errors": [{"field": "title", "code": "missing_field"}]});
    assert_eq!(of(body.clone(), "Validation Failed"), Some(body));
    for (body, words) in [
        (json!(null), "422 Unprocessable Entity"),
        (json!("not allowed"), "not allowed"),
        (json!({"message": "no", "success": false, "data": null}), "no"),
        (json!({"error": {"message": "no"}}), "no"),
        (json!({"title": "Bad", "detail": "is odd", "status": 422}), "Bad: is odd"),
        (json!({"name": ["may not be blank"]}), "name: may not be blank"),
        (json!({}), "422 Unprocessable Entity"),
    ] {
        assert_eq!(of(body.clone(), words), None, "{body}");
    }
}

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
        "password": "is too short",
        "errors": {"password": ["is too short"]},
        "db": "postgres://Hidden:pw@db/x",
        "host": "10.0.0.7",
        "file": "/etc/Hidden.conf",
    });
    let shown = excerpt(&body, "boom", 422, &redactor).unwrap();
    assert_eq!(
        shown,
        json!({
            "message": "boom",
            "echo": "with [REDACTED]",
            "[REDACTED]": "[REDACTED]",
            "access_token": "[REDACTED]",
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
        let Some(shown) = of(body, "") else { continue };
        let shown = shown.to_string();
        assert!(shown.chars().count() < 1_500, "{} {shown}", shown.chars().count());
    }
    assert_eq!(of(json!(vec!["word"; 1_000]), "").unwrap().as_array().unwrap().last(), Some(&json!("…")));
}
