//! Refresh tokens: used instead of the client's own credentials, replaced as the server says, lost by no one.
//!
//! The fake token server takes each refresh token once; which ones it was sent, and in what order, is compared.

use super::{CLIENT, fetches, field, reading, rule, run, tokens, with_rule};
use crate::test_support::{ChangingClock, program_call, upstream_at};
use crate::upstream::{Upstream, UpstreamSettings};
use aqueduct_operations::auth::OAuth2;
use aqueduct_operations::operation::Operation;
use aqueduct_testkit::api::{Answer, FakeApi, Gate};
use aqueduct_testkit::clock::TestClock;
use aqueduct_testkit::operation::get;
use serde_json::{Map, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

const REFRESHING: [(&str, &str); 3] = [CLIENT[0], CLIENT[1], ("REFRESH", "refresh-0")];

fn refreshing(api: &FakeApi, scope: &str) -> Operation {
    let rule = rule(&format!("{}/token", api.base_url()));
    let rule = OAuth2 { refresh_token_env: Some("REFRESH".into()), scopes: vec![scope.into()], ..rule };
    with_rule(get("g", &api.base_url(), "/x"), rule)
}

/// A server that takes each refresh token once and gives `refresh-1`, `refresh-2` for it.
async fn rotating(gate: Option<Gate>) -> FakeApi {
    let count = AtomicUsize::new(0);
    FakeApi::start(move |request| {
        if request.path() != "/token" {
            return Answer::json(200, json!(1));
        }
        let number = count.load(Ordering::SeqCst);
        if field(request, "refresh_token") != Some(format!("refresh-{number}")) {
            return Answer::json(400, json!({"error": "invalid_grant"}));
        }
        let number = count.fetch_add(1, Ordering::SeqCst) + 1;
        let body = json!({"access_token": format!("token-{number}"), "refresh_token": format!("refresh-{number}"), "expires_in": 100});
        match &gate {
            Some(gate) => Answer::behind(gate, Answer::json(200, body)),
            None => Answer::json(200, body),
        }
    })
    .await
}

/// S-openapi-16: a refresh token is used, and each one that the server gives in its place.
#[tokio::test]
async fn rotated() {
    let api = rotating(None).await;
    let clock = TestClock::default();
    let (upstream, operation) = (upstream_at(&clock, &REFRESHING), refreshing(&api, "read"));
    for _ in 0..3 {
        run(&upstream, &operation).await.unwrap();
        clock.advance(Duration::from_secs(100));
    }
    assert_eq!(tokens(&api), ["Bearer token-1", "Bearer token-2", "Bearer token-3"]);
    assert_eq!(field(&fetches(&api)[0], "grant_type").as_deref(), Some("refresh_token"));
    let error = run(&upstream_at(&clock, &CLIENT), &operation).await.unwrap_err();
    assert_eq!(error.to_string(), "environment variable REFRESH is not set");
}

/// Fetches for different scopes take turns, because each may replace the refresh token for the next.
#[tokio::test]
async fn turns() {
    let gate = Gate::default();
    let api = rotating(Some(gate.clone())).await;
    let upstream = upstream_at(&TestClock::default(), &REFRESHING);
    let operations = ["a", "b", "c", "a"].map(|scope| refreshing(&api, scope));
    let calls = futures::future::join_all(operations.iter().map(|operation| run(&upstream, operation)));
    let opened = async {
        api.wait_for_request_count(1).await;
        gate.open();
    };
    let (outcomes, ()) = tokio::join!(calls, opened);
    assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
    assert_eq!(fetches(&api).len(), 3);
}

/// A call that is given up while its token is fetched does not lose the refresh token that the server gives.
#[tokio::test]
async fn brought_to_its_end() {
    let gate = Gate::default();
    let api = rotating(Some(gate.clone())).await;
    let (upstream, operation) = (upstream_at(&TestClock::default(), &REFRESHING), refreshing(&api, "read"));
    let values = Map::new();
    tokio::select! {
        _ = program_call(&upstream, &operation, &values) => panic!("answered"),
        () = api.wait_for_request_count(1) => {}
    }
    gate.open();
    run(&upstream, &operation).await.unwrap();
    assert_eq!((fetches(&api).len(), tokens(&api)), (1, vec!["Bearer token-1".to_owned()]));
}

/// X-plugins-11: when the variables change, everything that was fetched by the old values is forgotten.
#[tokio::test]
async fn changed_variables() {
    let api = FakeApi::start(|request| match request.path() {
        "/token" => Answer::json(200, json!({"access_token": "token-x", "refresh_token": "newer"})),
        _ => Answer::json(200, json!(1)),
    })
    .await;
    let environment = ChangingClock::default();
    let upstream = Upstream::new(UpstreamSettings::default(), Arc::new(environment.clone()));
    let operation = refreshing(&api, "read");
    for value in ["first-value", "second-value"] {
        environment.set(value);
        run(&upstream, &operation).await.unwrap();
    }
    let sent: Vec<_> = fetches(&api).iter().map(|fetch| field(fetch, "refresh_token").unwrap()).collect();
    assert_eq!(sent, ["first-value", "second-value"]);
    environment.set("");
    assert!(run(&upstream, &reading(&api)).await.is_err());
}
