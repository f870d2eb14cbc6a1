//! Limits and quotas in whole calls: what counts, what is refused with which words, and how a paused call goes on.

use crate::DispatchSettings;
use crate::test_server::{Setup, TestServer, adapter, data_of, error_of};
use aqueduct_operations::clock::Clock;
use aqueduct_operations::handler::{Boxed, ElicitRequest, ElicitResponse, Elicitor};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

const OPERATIONS: &str = "operations:
  read:
    - {name: get_x, maps_to: GET /x, description: X}
    - {name: search_all, maps_to: GET /search, description: X, cache: {enabled: false}}
    - name: list_items
      maps_to: GET /items
      description: Items
      params: {page: {type: integer, in: query}, per_page: {type: integer, in: query}}
      pagination: {style: page, param_name: page, per_page_param: per_page, default_limit: 2}
";

async fn served(setup: Setup, limits: &str, api: &FakeApi) -> TestServer {
    setup.serve(&[adapter("shop", &api.base_url(), &format!("{OPERATIONS}rate_limits: {limits}"))])
}

async fn counting() -> FakeApi {
    FakeApi::start(|request| match request.target.split('?').next().unwrap_or_default() {
        "/items" => Answer::json(200, json!([{"id": request.index * 2}, {"id": request.index * 2 + 1}])),
        _ => Answer::json(200, json!({"ok": true})),
    })
    .await
}

fn get() -> Value {
    json!({"operation": "get_x"})
}

/// X-rate-2 X-rate-8 X-rate-10 X-rate-14 X-rate-18 X-errors-23: beyond the limit nothing is sent, and the failure says all that is known.
/// Limits of a scope count their own requests.
#[tokio::test]
async fn limits_of_the_api() {
    let api = counting().await;
    let limits = "{requests_per_hour: 5, api_limits: [{scope: endpoint, endpoint: 'GET /sea*', limit: 2, window: day}]}";
    let server = served(Setup::default(), limits, &api).await;
    for _ in 0..2 {
        server.data(json!({"operation": "search_all"})).await;
    }
    let refused = server.error(json!({"operation": "search_all"})).await;
    assert_eq!(refused["code"], "RATE_LIMIT_EXCEEDED");
    let message = refused["message"].as_str().unwrap();
    assert!(message.starts_with("API rate limit would be exceeded"), "{message}");
    let details = &refused["details"];
    assert_eq!(
        (&details["limit"], &details["remaining"], &details["window"]),
        (&json!(2), &json!(0), &json!("day"))
    );
    assert!(details["retry_after_seconds"].as_u64().unwrap() > 86_000, "{details}");
    assert!(details["resets_at"].as_str().unwrap().ends_with('Z'));
    for _ in 0..3 {
        server.data(get()).await;
    }
    assert_eq!(server.error(get()).await["code"], "RATE_LIMIT_EXCEEDED");
    assert_eq!(api.requests().len(), 5);
    server.clock.advance(Duration::from_secs(3_750));
    server.data(get()).await;
}

/// Every page counts, and every redirect and retry; what the cache answers does not.
#[tokio::test]
async fn every_request_counts() {
    let api = counting().await;
    let server = served(Setup::default(), "{requests_per_hour: 3}", &api).await;
    let refused = server.call(json!({"operation": "list_items", "params": {"first": 20}})).await;
    assert_eq!(api.requests().len(), 3, "{refused}");
    let redirecting = FakeApi::start(|request| match request.target.as_str() {
        "/x" => Answer::redirect(302, "/y"),
        _ => Answer::json(200, json!({"ok": true})),
    })
    .await;
    let server = served(Setup::default(), "{requests_per_hour: 3}", &redirecting).await;
    server.data(get()).await;
    assert_eq!(server.error(get()).await["code"], "RATE_LIMIT_EXCEEDED");
    assert_eq!(redirecting.requests().len(), 3);
    let kept = FakeApi::always(Answer::json(200, json!({})).header("Cache-Control", "max-age=60")).await;
    let server = served(Setup::default(), "{requests_per_hour: 1}", &kept).await;
    for _ in 0..5 {
        server.data(get()).await;
    }
    assert_eq!(kept.requests().len(), 1);
}

/// X-rate-7 X-rate-11 X-rate-12 X-rate-13 X-errors-24 X-errors-25 X-errors-26 X-warn-6 X-token-1: a warning, a pause with a token that
/// lets the same call go on once, and the end.
#[tokio::test]
async fn quotas_warn_pause_and_stop() {
    let api = counting().await;
    let limits = "{quotas: {limits: [{metric: calls_per_hour, warn: 2, pause: 3, hard_stop: 5}]}}";
    let server = served(Setup::default(), limits, &api).await;
    let call = json!({"operation": "search_all"});
    assert!(server.call(call.clone()).await.get("warnings").is_none());
    let warned = server.call(call.clone()).await;
    let warning = &warned["warnings"][0];
    assert_eq!(
        (&warning["code"], &warning["message"]),
        (&json!("RATE_LIMIT_QUOTA_WARNING"), &json!("Approaching quota limit"))
    );
    assert_eq!(warning["severity"], "medium");
    let expected = json!({"metric": "requests_per_hour", "current": 2, "warn_threshold": 2, "pause_threshold": 3, "hard_stop_threshold": 5});
    assert_eq!(warning["details"], expected);
    server.data(call.clone()).await;
    let paused = server.error(call.clone()).await;
    assert_eq!(paused["code"], "RATE_LIMIT_QUOTA_PAUSE");
    let details = &paused["details"];
    assert_eq!(
        (&details["current"], &details["pause_threshold"], &details["hard_stop_threshold"]),
        (&json!(3), &json!(3), &json!(5))
    );
    let token = details["confirmation_token"].as_str().unwrap().to_owned();
    assert!(token.starts_with("quota_continue_") && token.len() <= 80, "{token}");
    assert!(details["expires_at"].is_string());
    let resets_at: jiff::Timestamp = details["resets_at"].as_str().unwrap().parse().unwrap();
    let left = resets_at.duration_since(server.clock.now()).as_secs();
    let retry_after = details["retry_after_seconds"].as_i64().unwrap();
    assert!((left..=left + 1).contains(&retry_after), "{left} seconds are left: {paused}");
    assert_eq!(api.requests().len(), 3);
    let other = server.error(json!({"operation": "list_items", "params": {"_quota_continue": token}})).await;
    assert_eq!(other["code"], "TOKEN_SCOPE_MISMATCH", "{other}");
    let went_on = json!({"operation": "search_all", "params": {"_quota_continue": token}});
    let high = server.call(went_on.clone()).await;
    assert_eq!(high["warnings"][0]["details"]["current"], 4, "{high}");
    assert_eq!(server.error(went_on).await["code"], "TOKEN_ALREADY_USED");
    let again = server.error(call.clone()).await["details"]["confirmation_token"].take();
    let last = server.call(json!({"operation": "search_all", "params": {"confirmation_token": again}})).await;
    assert_eq!(last["warnings"][0]["severity"], "high", "{last}");
    let exhausted = server.error(call).await;
    assert_eq!(exhausted["code"], "RATE_LIMIT_QUOTA_EXHAUSTED");
    assert_eq!(
        (&exhausted["details"]["current"], &exhausted["details"]["hard_stop_threshold"]),
        (&json!(5), &json!(5))
    );
    assert!(exhausted["details"]["resets_at"].is_string());
    assert_eq!(api.requests().len(), 5);
}

/// A token of one kind is none of the other.
#[tokio::test]
async fn a_confirmation_is_no_continuation() {
    let api = counting().await;
    let server =
        served(Setup::default(), "{quotas: {limits: [{metric: requests_per_day, pause: 1}]}}", &api).await;
    server.data(get()).await;
    let forged = format!("conf_{}", "0".repeat(64));
    let refused = server.error(json!({"operation": "get_x", "params": {"_quota_continue": forged}})).await;
    assert_eq!(refused["code"], "TOKEN_INVALID", "{refused}");
    assert_eq!(api.requests().len(), 1);
}

/// W7: a yes to go on after a pause is none to a dangerous call, though both are for the same one.
#[tokio::test]
async fn a_continuation_is_no_confirmation() {
    let api = counting().await;
    let file = "operations:\n  delete:\n    - {name: delete_x, maps_to: DELETE /x, description: X}\nrate_limits: {quotas: {limits: [{metric: \
                requests_per_day, pause: 1}]}}";
    let server = Setup::default().serve(&[adapter("shop", &api.base_url(), file)]);
    let with = |name: &str, token: &Value| json!({"operation": "delete_x", "params": {name: token}});
    let token = async || {
        let asked = server.error(json!({"operation": "delete_x"})).await;
        asked["details"]["confirmation_token"].clone()
    };
    server.data(with("confirmation_token", &token().await)).await;
    let paused = server.error(with("confirmation_token", &token().await)).await;
    assert_eq!(paused["code"], "RATE_LIMIT_QUOTA_PAUSE", "{paused}");
    let continuation = &paused["details"]["confirmation_token"];
    assert!(continuation.as_str().unwrap().starts_with("quota_continue_"), "{paused}");
    for name in ["confirmation_token", "_confirmation", "_quota_continue"] {
        let refused = server.error(with(name, continuation)).await;
        let code = refused["code"].as_str().unwrap();
        assert!(["TOKEN_INVALID", "CONFIRMATION_REQUIRED"].contains(&code), "{name}: {refused}");
    }
    assert_eq!(api.requests().len(), 1);
}

#[derive(Debug)]
struct Person(ElicitResponse);

impl Elicitor for Person {
    fn ask<'a>(&'a self, question: ElicitRequest) -> Boxed<'a, ElicitResponse> {
        assert!(
            question.message.contains("requests_per_day is 1, the pause is set to 1"),
            "{}",
            question.message
        );
        Box::pin(std::future::ready(self.0.clone()))
    }
}

/// X-rate-12: where people are asked, a yes lets the call go on, and a no ends it.
#[tokio::test]
async fn a_person_lets_it_go_on() {
    let api = counting().await;
    let settings = DispatchSettings { asks_people: true, ..DispatchSettings::default() };
    let setup = Setup { settings, ..Setup::default() };
    let server = served(setup, "{quotas: {limits: [{metric: requests_per_day, pause: 1}]}}", &api).await;
    let call = json!({"operation": "search_all"});
    server.data(call.clone()).await;
    let no = error_of(server.call_asking(Arc::new(Person(ElicitResponse::Declined)), call.clone()).await);
    assert_eq!(
        (&no["code"], &no["details"]["reason"]),
        (&json!("RATE_LIMIT_QUOTA_PAUSE"), &json!("declined"))
    );
    let unsaid = Person(ElicitResponse::Accepted(json!({"answer": true})));
    assert_eq!(
        error_of(server.call_asking(Arc::new(unsaid), call.clone()).await)["details"]["reason"],
        "declined"
    );
    assert_eq!(api.requests().len(), 1);
    let yes = Person(ElicitResponse::Accepted(json!({"answer": "yes"})));
    // What counts is one more by then only when something was sent.
    data_of(server.call_asking(Arc::new(yes), call).await);
    assert_eq!(api.requests().len(), 2);
}

/// X-rate-19 X-rate-20 X-rate-21 X-intro-38: the status, as the documents have it.
#[tokio::test]
async fn quota_status() {
    let api = counting().await;
    let limits = "{requests_per_hour: 100, cost: {model: per_call, currency: USD, pricing: [{endpoint: 'GET /x', cost_per_call: 0.25}]}, \
                  quotas: {limits: [{metric: requests_per_day, warn: 2, pause: 10, hard_stop: 20}, {metric: cost_per_month, warn: 0.5, hard_stop: 9, currency: USD}]}}";
    let server = served(Setup::default(), limits, &api).await;
    for _ in 0..2 {
        server.data(get()).await;
    }
    let status = server.data(json!({"operation": "introspect", "params": {"query": "quota_status"}})).await;
    assert_eq!(status["adapter"], "shop");
    let global = &status["api_limits"]["global"];
    assert_eq!(
        (&global["limit"], &global["remaining"], &global["window"]),
        (&json!(100), &json!(98), &json!("hour"))
    );
    let expected = json!([
        {"metric": "requests_per_day", "current": 2, "warn": 2, "pause": 10, "hard_stop": 20, "status": "warn"},
        {"metric": "cost_per_month", "current": 0.5, "warn": 0.5, "pause": null, "hard_stop": 9, "status": "warn", "currency": "USD"},
    ]);
    assert_eq!(status["quotas"], expected);
    assert_eq!(status["next_reset"], "2026-01-02T00:00:00Z");
}

/// X-rate-9: what the API says with a 429 holds for the next call too, which is not sent.
#[tokio::test]
async fn the_api_asks_to_wait() {
    let api =
        FakeApi::always(Answer::json(429, json!({"message": "slow down"})).header("Retry-After", "90")).await;
    let server = served(Setup::default(), "{requests_per_hour: 100}", &api).await;
    assert_eq!(server.error(get()).await["code"], "RATE_LIMIT_EXCEEDED");
    let held = server.error(get()).await;
    assert_eq!(
        (&held["code"], &held["details"]["retry_after_seconds"]),
        (&json!("RATE_LIMIT_EXCEEDED"), &json!(90))
    );
    assert_eq!(api.requests().len(), 1);
}
