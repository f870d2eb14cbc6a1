//! Answers as large as are allowed, many at once: others do not wait for them.

use crate::outside::harness::Place;
use crate::outside::http::server::{HttpServer, call};
use aqueduct_testkit::api::{Answer, FakeApi};
use futures::{FutureExt, StreamExt};
use serde_json::{Value, json};

/// Large answers that are asked for at once.
const COUNT: usize = 20;

/// Nine megabytes of one object.
fn large() -> String {
    let notes: Vec<String> = (0..90_000).map(|n| format!("{n:07}{}", "x".repeat(90))).collect();
    json!({"id": 1, "notes": notes}).to_string()
}

async fn served() -> (FakeApi, HttpServer) {
    let body = large();
    let refusal =
        json!({"message": format!("no s3cret-value-of-it {}", "%41 \\u0041 ".repeat(800_000))}).to_string();
    let api = FakeApi::start(move |request| match request.path() {
        "/small" => Answer::json(200, json!({"id": 2})),
        "/refused" => Answer::bytes(400, refusal.clone()).header("Content-Type", "application/json"),
        _ => Answer::bytes(200, body.clone()).header("Content-Type", "application/json"),
    })
    .await;
    let read = |path: &str, name: &str| {
        json!({path: {"get": {"operationId": name, "security": [{"key": []}],
            "parameters": [{"name": "n", "in": "query", "schema": {"type": "integer"}}], "responses": {"200": {"description": "ok",
            "content": {"application/json": {"schema": {"type": "object"}}}}}}}})
    };
    let mut paths = read("/large", "get_large");
    paths["/small"] = read("/small", "get_small")["/small"].take();
    paths["/refused"] = read("/refused", "get_refused")["/refused"].take();
    let document = json!({"openapi": "3.1.0", "info": {"title": "Big", "version": "1"},
        "servers": [{"url": api.base_url()}], "paths": paths,
        "components": {"securitySchemes": {"key": {"type": "http", "scheme": "bearer"}}}});
    let place = Place::new();
    let file = place.write("big.json", document.to_string());
    let state = place.path().join("state").display().to_string();
    let variables = [("AQUEDUCT_BIG__KEY", "s3cret-value-of-it")];
    let server = HttpServer::start(place, &[&file, "--state-dir", &state], &variables).await;
    (api, server)
}

/// A small call is answered while large answers are still worked on, and those come out right.
#[tokio::test]
async fn a_small_call_does_not_wait_for_large_answers() {
    does_not_wait(
        "get_large",
        |_| json!({"fields": ["id"]}),
        |answer| {
            assert_eq!(answer["data"], json!({"id": 1}), "{answer}");
        },
    )
    .await;
}

/// The same for failures: what is wrong is told, without the credential that the API repeats.
#[tokio::test]
async fn a_small_call_does_not_wait_for_large_refusals() {
    // Questions that are alike would be asked once.
    does_not_wait(
        "get_refused",
        |n| json!({"n": n}),
        |answer| {
            let message = answer["error"]["message"].as_str().unwrap();
            assert!(message.contains("no [REDACTED] %41") && message.len() < 500, "{answer}");
        },
    )
    .await;
}

/// Asks for several large answers, then for a small one, which comes before the last of them.
async fn does_not_wait(operation: &str, params: impl Fn(usize) -> Value, check: impl Fn(Value)) {
    let (_api, server) = served().await;
    let session = server.open("2025-11-25", &[]).await;
    let ask = |id: usize, name: &str, params: Value| call(id as i64, "mcp_aql_read", name, params);
    let messages: Vec<Value> = (0..COUNT).map(|n| ask(10 + n, operation, params(n))).collect();
    let mut larges: futures::stream::FuturesUnordered<_> =
        messages.iter().map(|message| server.in_session(&session, &[], message).boxed_local()).collect();
    let first = larges.next().await.expect("several of them");
    check(first.inside());
    let small = ask(1, "get_small", json!({}));
    let small = server.in_session(&session, &[], &small);
    let left = async {
        let mut left = 0;
        while let Some(answer) = larges.next().await {
            check(answer.inside());
            left += 1;
        }
        left
    };
    let small = async {
        let answer = small.await;
        assert_eq!(answer.inside()["data"]["id"], 2, "{answer:?}");
        false
    };
    // Whichever is done first: it must not be all the large ones.
    tokio::pin!(left);
    let is_last = tokio::select! { is_last = small => is_last, _ = &mut left => true };
    assert!(!is_last, "the small call waited for the large ones");
    assert_eq!(left.await, COUNT - 1);
}
