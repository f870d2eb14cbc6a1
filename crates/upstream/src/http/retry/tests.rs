//! Tests of `retry`.

use crate::error::{TransportError, TransportErrorKind, UpstreamError};
use crate::response::UpstreamResponse;
use crate::test_support::call;
use aqueduct_operations::category::Category;
use aqueduct_operations::target::Method;
use aqueduct_testkit::api::{self, FakeApi};
use aqueduct_testkit::operation::{operation, site, target};
use serde_json::json;
use std::time::Duration;

/// The outcome of a call with two retries allowed, and how many requests it took.
async fn tried(
    method: Method,
    non_idempotent: bool,
    answers: Vec<api::Answer>,
) -> (Result<UpstreamResponse, UpstreamError>, usize) {
    tried_as(Category::Update, method, non_idempotent, answers).await
}

async fn tried_as(
    category: Category,
    method: Method,
    non_idempotent: bool,
    answers: Vec<api::Answer>,
) -> (Result<UpstreamResponse, UpstreamError>, usize) {
    let api = FakeApi::in_turn(answers).await;
    let mut site = site(&api.base_url());
    site.retries = 2;
    site.timeout = Duration::from_millis(400);
    let mut operation = operation("do_it", category, target(site, method, "/x"));
    operation.non_idempotent = non_idempotent;
    let outcome = call(&operation, &[], json!({})).await;
    (outcome, api.requests().len())
}

/// Nothing listens: that passes when a server starts again.
#[test]
fn which_network_failures_may_pass() {
    let of = |kind| super::may_help(&TransportError { kind, host: "h".into(), port: 1 }.into());
    assert!(of(TransportErrorKind::Refused));
    assert!(of(TransportErrorKind::Network { detail: "", before_answer: true }));
    assert!(!of(TransportErrorKind::Network { detail: "", before_answer: false }));
    assert!(!of(TransportErrorKind::Dns) && !of(TransportErrorKind::Tls { detail: "" }));
}

fn busy(status: u16) -> api::Answer {
    api::Answer::json(status, json!({"message": "busy"}))
}

fn good() -> api::Answer {
    api::Answer::json(200, json!("good"))
}

/// X-plugins-8 R2.2-5: GET, PUT and DELETE are repeated after 502, 503, 504 and a closed connection.
#[tokio::test]
async fn repeats_what_is_safe() {
    for method in [Method::Get, Method::Put, Method::Delete] {
        for bad in [busy(502), busy(503), busy(504), api::Answer::drop_connection()] {
            let (outcome, requests) = tried(method, false, vec![bad, good()]).await;
            assert_eq!(outcome.unwrap().data.as_str(), "\"good\"");
            assert_eq!(requests, 2);
        }
    }
}

/// A repeat is never made where it could act twice.
#[tokio::test]
async fn never_repeats_what_may_act_twice() {
    for (method, non_idempotent) in [(Method::Post, false), (Method::Patch, false), (Method::Put, true)] {
        for bad in [busy(503), api::Answer::drop_connection()] {
            let (outcome, requests) = tried(method, non_idempotent, vec![bad, good()]).await;
            assert!(outcome.is_err());
            assert_eq!(requests, 1, "{method}");
        }
    }
}

/// C8.1-5: an EXECUTE may act again on a repeat, whatever its method.
#[tokio::test]
async fn never_repeats_an_execute() {
    for method in [Method::Get, Method::Put, Method::Delete] {
        let (outcome, requests) = tried_as(Category::Execute, method, false, vec![busy(503), good()]).await;
        assert!(outcome.is_err());
        assert_eq!(requests, 1, "{method}");
    }
}

/// X-plugins-8: as many retries as the site allows, each after a longer wait, and no retry for other failures.
#[tokio::test]
async fn gives_up() {
    let started = std::time::Instant::now();
    let (outcome, requests) = tried(Method::Get, false, vec![busy(503)]).await;
    assert_eq!(outcome.unwrap_err().http_status(), Some(503));
    assert_eq!(requests, 3);
    assert!(started.elapsed() >= 3 * super::BACKOFF.first / 2, "one wait, and one twice as long");
    for status in [400, 404, 429, 500] {
        assert_eq!(tried(Method::Get, false, vec![busy(status), good()]).await.1, 1, "{status}");
    }
    let page = api::Answer::html(502, "<html>");
    assert_eq!(tried(Method::Get, false, vec![page, good()]).await.1, 2);
}

#[tokio::test]
async fn never_repeats_a_timeout() {
    let (outcome, requests) = tried(Method::Get, false, vec![api::Answer::hang(), good()]).await;
    match outcome {
        Err(UpstreamError::Transport(error)) => {
            assert_eq!(error.kind, TransportErrorKind::Timeout { after: Duration::from_millis(400) });
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(requests, 1);
}

#[tokio::test]
async fn waits_as_asked() {
    for status in [429, 503] {
        let short = busy(status).header("Retry-After", "1");
        let started = std::time::Instant::now();
        let (outcome, requests) = tried(Method::Get, false, vec![short, good()]).await;
        assert!(outcome.is_ok() && requests == 2);
        assert!(started.elapsed() >= Duration::from_secs(1));
        let long = busy(status).header("Retry-After", "3");
        let (outcome, requests) = tried(Method::Get, false, vec![long, good()]).await;
        assert_eq!(outcome.unwrap_err().retry_after(), Some(Duration::from_secs(3)));
        assert_eq!(requests, 1);
    }
}
