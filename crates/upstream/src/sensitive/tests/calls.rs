//! Redaction as a call meets it: an upstream that gives a credential back, in data, headers, words or half a body.
//!
//! However it is spelled there, raw, escaped or as a number, what goes out holds the mark instead and is still JSON.

use crate::error::UpstreamError;
use crate::test_support::call;
use aqueduct_operations::auth::Auth;
use aqueduct_testkit::api::{self, FakeApi};
use aqueduct_testkit::operation::{get, with_site};
use serde_json::{Value, json};

/// R11.2-1 R11.3-4: a credential that comes back, in body, headers or words, is not passed on.
#[tokio::test]
async fn echoed_credentials() {
    let echo = |status| {
        api::Answer::json(status, json!({"message": "bad p/ss\"word 123456", "n": 1}))
            .header("X-Echo", "p/ss\"word 123456")
            .header("Set-Cookie", "session=upstream")
    };
    for (secret, expected) in
        [("p/ss\"word", "bad [REDACTED] 123456"), ("123456", "bad p/ss\"word [REDACTED]")]
    {
        let api = FakeApi::start(move |request| echo(if request.path() == "/ok" { 200 } else { 400 })).await;
        let auth = Auth::Bearer { token_env: "T".into(), prefix: String::new() };
        for path in ["/ok", "/bad"] {
            let operation = with_site(get("g", &api.base_url(), path), |site| site.auth = auth.clone());
            match call(&operation, &[("T", secret)], json!({})).await {
                Ok(answer) => {
                    let data: Value = serde_json::from_str(answer.data.as_str()).unwrap();
                    assert_eq!(data["message"], expected);
                    assert!(!format!("{:?}", answer.headers).contains("upstream"));
                    let echoed = answer.headers.iter().find(|(name, _)| name == "x-echo").unwrap();
                    assert_eq!(format!("bad {}", echoed.1), expected);
                }
                Err(UpstreamError::Status(status)) => assert_eq!(status.words, expected),
                Err(other) => panic!("{other:?}"),
            }
        }
    }
}

/// R11.2-1 R11.3-4: a credential that is spelled with escapes is not passed on, in data, in words or in the beginning
/// of a body that is no JSON.
#[tokio::test]
async fn escaped_credentials() {
    let secret = "s/cr\"t\\k3y";
    let lower: String = secret.bytes().map(|byte| format!("\\u{byte:04x}")).collect();
    let upper: String = secret.bytes().map(|byte| format!("\\u{byte:04X}")).collect();
    let auth = Auth::Bearer { token_env: "T".into(), prefix: String::new() };
    for form in [
        r#"s/cr\"t\\k3y"#,
        r#"s\/cr\"t\\k3y"#,
        r#"s\u002Fcr\"t\u005ck3y"#,
        r#"\u0073\/cr\u0022t\\k3y"#,
        &lower,
        &upper,
    ] {
        let whole = format!(r#"{{"message":"bad {form}","{form}":1}}"#);
        let api = FakeApi::start(move |request| match request.path() {
            "/ok" => api::Answer::bytes(200, whole.clone()),
            "/bad" => api::Answer::bytes(400, whole.clone()),
            _ => api::Answer::bytes(200, &whole[..whole.len() - 1]),
        })
        .await;
        for path in ["/ok", "/bad", "/cut"] {
            let operation = with_site(get("g", &api.base_url(), path), |site| site.auth = auth.clone());
            match call(&operation, &[("T", secret)], json!({})).await {
                Ok(answer) => {
                    let data: Value = serde_json::from_str(answer.data.as_str()).unwrap();
                    assert_eq!(data, json!({"message": "bad [REDACTED]", "[REDACTED]": 1}), "{form}");
                }
                Err(UpstreamError::Status(status)) => assert_eq!(status.words, "bad [REDACTED]"),
                Err(UpstreamError::Unreadable(cut)) => {
                    let preview = cut.body_preview;
                    assert_eq!(preview, r#"{"message":"bad [REDACTED]","[REDACTED]":1"#, "{form}");
                }
                Err(other) => panic!("{other:?}"),
            }
        }
    }
}

/// R11.2-1: a credential of digits is replaced without breaking the JSON.
#[tokio::test]
async fn numeric_credentials() {
    let api = FakeApi::always(api::Answer::json(200, json!({"id": 12345678, "t": "x12345678"}))).await;
    let auth = Auth::Bearer { token_env: "T".into(), prefix: String::new() };
    let operation = with_site(get("g", &api.base_url(), "/x"), |site| site.auth = auth);
    let answer = call(&operation, &[("T", "12345678")], json!({})).await.unwrap();
    assert_eq!(answer.data.as_str(), r#"{"id":"[REDACTED]","t":"x[REDACTED]"}"#);
}
