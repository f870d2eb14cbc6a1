//! Tests of `upstream`.

use super::{Upstream, UpstreamSettings};
use crate::test_support::program_call;
use aqueduct_operations::auth::Auth;
use aqueduct_operations::named_secret::NamedSecret;
use aqueduct_testkit::api::{Answer, FakeApi};
use aqueduct_testkit::operation::{get, with_site};
use serde_json::{Map, json};
use std::sync::Arc;

/// X-plugins-5 X-plugins-11: nothing is kept between calls; a variable is read when a call needs it.
#[tokio::test]
async fn variables_are_read_by_each_call() {
    let environment = crate::test_support::ChangingClock::default();
    let upstream = Upstream::new(UpstreamSettings::default(), Arc::new(environment.clone()));
    let api = FakeApi::always(Answer::json(200, json!(1))).await;
    let operation = with_site(get("g", &api.base_url(), "/x"), |site| {
        site.auth = Auth::Bearer { token_env: "T".into(), prefix: "Bearer ".into() };
    });
    for token in ["first-value", "second-value"] {
        environment.set(token);
        program_call(&upstream, &operation, &Map::new()).await.unwrap();
    }
    environment.set("");
    assert!(program_call(&upstream, &operation, &Map::new()).await.is_err());
    let sent: Vec<_> = api.requests().iter().map(|r| r.header("authorization").unwrap().to_owned()).collect();
    assert_eq!(sent, ["Bearer first-value", "Bearer second-value"]);
}

/// R11.2-1: a caller and its answers print neither credentials nor data.
#[tokio::test]
async fn debug_shows_nothing() {
    let api = FakeApi::always(Answer::json(200, json!({"t": "personal-data"}))).await;
    let operation = with_site(get("g", &api.base_url(), "/x"), |site| {
        site.auth = Auth::Bearer { token_env: "T".into(), prefix: "Bearer ".into() };
        site.operator_headers = vec![NamedSecret::new("X-Op", "operator-value")];
    });
    let upstream = crate::test_support::upstream(&[("T", "t0ken-value")]);
    let answer = program_call(&upstream, &operation, &Map::new()).await.unwrap();
    let shown = format!("{answer:?} {operation:?} {:?}", upstream.shared.clients);
    for leak in ["t0ken", "operator-value", "personal-data"] {
        assert!(!shown.contains(leak), "{shown}");
    }
}
