//! Token servers that refuse, lie or lead elsewhere: nothing is sent where it must not go, and the reason is told.
//!
//! What the fake token server answers comes in; the words of the refusal, and where requests went, come out.

use super::{CLIENT, fetches, reading, rule, run, tokens, with_rule};
use crate::error::{CredentialError, DestinationError, TransportErrorKind, UpstreamError};
use crate::test_support::{TestNames, upstream, upstream_with};
use aqueduct_operations::address::AddressKind;
use aqueduct_operations::target::Site;
use aqueduct_testkit::api::{Answer, FakeApi};
use aqueduct_testkit::operation::{get, with_site};
use serde_json::json;
use std::time::Duration;

async fn refusal(answer: Answer) -> String {
    let api = FakeApi::start(move |request| match request.path() {
        "/token" => answer.clone(),
        _ => Answer::json(200, json!(1)),
    })
    .await;
    let error = run(&upstream(&CLIENT), &reading(&api)).await.unwrap_err();
    assert_eq!(tokens(&api).len(), 0, "no call without a token");
    match error {
        UpstreamError::Credential(CredentialError::Token { host, why }) => {
            assert_eq!(host, "127.0.0.1");
            why
        }
        other => panic!("{other:?}"),
    }
}

/// S-openapi-16: what the token server says is told, without the secrets that it may repeat.
#[tokio::test]
async fn words() {
    for (answer, expected) in [
        (Answer::json(400, json!({"error": "invalid_scope"})), "invalid_scope"),
        (
            Answer::json(400, json!({"error": "invalid_grant", "error_description": "no s3cret value here"})),
            "invalid_grant: no [REDACTED] here",
        ),
        (
            Answer::json(401, json!({"error": "invalid_client", "error_description": "unknown"})),
            "invalid_client: unknown",
        ),
        (Answer::json(200, json!({"error": "bad_refresh_token"})), "bad_refresh_token"),
        (Answer::json(403, json!({"message": "blocked"})), "blocked"),
        (Answer::empty(404), "404 Not Found"),
        (Answer::redirect(302, "/elsewhere"), "it leads to another place, which is not followed"),
        (Answer::redirect(307, "/elsewhere"), "it leads to another place, which is not followed"),
    ] {
        assert_eq!(refusal(answer).await, expected);
    }
}

/// S-openapi-16: an answer that is no proper token is refused.
#[tokio::test]
async fn improper_answers() {
    let with = |name: &str, value: serde_json::Value| {
        let mut body = json!({"access_token": "t0ken-value", "token_type": "bearer", "expires_in": 60});
        body[name] = value;
        Answer::json(200, body)
    };
    for (answer, part) in [
        (Answer::html(200, "<html>"), "not a JSON object"),
        (Answer::json(200, json!(["t0ken-value"])), "not a JSON object"),
        (Answer::json(200, json!({})), "no access token"),
        (with("access_token", json!("")), "no access token"),
        (with("access_token", json!(5)), "no access token"),
        (with("access_token", json!("t0ken\r\nX-Evil: 1")), "cannot be sent"),
        (with("access_token", json!("t0ken value")), "cannot be sent"),
        (with("access_token", json!("t0kén")), "cannot be sent"),
        (with("access_token", json!("t".repeat(17_000))), "too long"),
        (with("token_type", json!("mac")), "not a bearer token"),
        (with("token_type", json!(1)), "not a bearer token"),
        (with("expires_in", json!(-1)), "for how long"),
        (with("expires_in", json!(-0.5)), "for how long"),
        (with("expires_in", json!("soon")), "for how long"),
        (with("expires_in", json!({})), "for how long"),
        (with("refresh_token", json!("a\nb")), "refresh token"),
        (with("refresh_token", json!(1)), "refresh token"),
        (with("padding", json!("x".repeat(70_000))), "too large"),
        (Answer::bytes(200, "no gzip").header("Content-Encoding", "gzip"), "cannot be decoded"),
    ] {
        let why = refusal(answer.clone()).await;
        assert!(why.contains(part) && !why.contains("t0k"), "{answer:?}: {why}");
    }
}

/// Whole seconds in other spellings are taken.
#[tokio::test]
async fn lenient_answers() {
    for expires_in in [json!("3600"), json!(3600.0), json!(null)] {
        let api = FakeApi::start(move |request| match request.path() {
            "/token" => Answer::json(200, json!({"access_token": "t0ken-value", "token_type": "BEARER", "expires_in": expires_in, "refresh_token": ""})),
            _ => Answer::json(200, json!(1)),
        })
        .await;
        run(&upstream(&CLIENT), &reading(&api)).await.unwrap();
    }
}

/// A server that is out of order is told as such, not as a matter of credentials.
#[tokio::test]
async fn out_of_order() {
    let api = FakeApi::always(Answer::empty(503)).await;
    match run(&upstream(&CLIENT), &reading(&api)).await {
        Err(UpstreamError::Status(status)) => {
            let words = "the token server '127.0.0.1' gave no token: 503 Service Unavailable";
            assert_eq!((status.status, status.words.as_str()), (503, words));
        }
        other => panic!("{other:?}"),
    }
    let silent = FakeApi::always(Answer::hang()).await;
    let after = Duration::from_millis(100);
    let operation = with_site(reading(&silent), |site: &mut Site| site.timeout = after);
    match run(&upstream(&CLIENT), &operation).await {
        Err(UpstreamError::Transport(error)) => {
            assert_eq!(error.kind, TransportErrorKind::Timeout { after })
        }
        other => panic!("{other:?}"),
    }
    // A fetch that failed is not under way for ever.
    let recovering =
        FakeApi::in_turn(vec![Answer::empty(503), Answer::json(200, json!({"access_token": "t"}))]).await;
    let (upstream, operation) = (upstream(&CLIENT), reading(&recovering));
    assert!(run(&upstream, &operation).await.is_err());
    run(&upstream, &operation).await.unwrap();
    assert_eq!(fetches(&recovering).len(), 2);
}

/// S-openapi-16 R11.2-4: secrets go over https or to this machine, and to no address that the token URL does not name.
#[tokio::test]
async fn where_secrets_go() {
    let unreached = TestNames::of(&[&["10.0.0.1"]]);
    let of = |token_url: &str| with_rule(get("g", "https://api.example.com", "/x"), rule(token_url));
    let upstream = upstream_with(unreached, &CLIENT);
    let error = run(&upstream, &of("http://auth.example.com/token")).await.unwrap_err();
    assert_eq!(error, CredentialError::Unencrypted("auth.example.com".into()).into());
    for (token_url, host, kind) in [
        ("https://auth.example.com/token", "auth.example.com", AddressKind::Private),
        ("https://169.254.169.254/token", "169.254.169.254", AddressKind::Metadata),
        ("https://metadata.google.internal/token", "metadata.google.internal", AddressKind::Metadata),
    ] {
        let error = run(&upstream, &of(token_url)).await.unwrap_err();
        assert_eq!(error, DestinationError::Address { host: host.into(), kind }.into(), "{token_url}");
    }
    // The API itself over plain http: not even a token is fetched for it.
    let api = FakeApi::always(Answer::json(200, json!({"access_token": "t"}))).await;
    let plain =
        with_rule(get("g", "http://api.example.com", "/x"), rule(&format!("{}/token", api.base_url())));
    let error = run(&upstream, &plain).await.unwrap_err();
    assert_eq!(error, CredentialError::Unencrypted("api.example.com".into()).into());
    assert_eq!(api.requests().len(), 0);
}
