//! Answers as large as are allowed, many at once: others do not wait for them.

use crate::outside::harness::Place;
use crate::outside::http::server::{HttpServer, call};
use aqueduct_testkit::api::{Answer, FakeApi};
use futures::{FutureExt, StreamExt};
use serde_json::{Value, json};

/// Nine megabytes of one object.
fn large() -> String {
    let notes: Vec<String> = (0..90_000).map(|n| format!("{n:07}{}", "x".repeat(90))).collect();
    json!({"id": 1, "notes": notes}).to_string()
}

async fn served() -> (FakeApi, HttpServer) {
    let body = large();
    let api = FakeApi::start(move |request| match request.path() {
        "/small" => Answer::json(200, json!({"id": 2})),
        _ => Answer::bytes(200, body.clone()).header("Content-Type", "application/json"),
    })
    .await;
    let read = |path: &str, name: &str| {
        json!({path: {"get": {"operationId": name, "responses": {"200": {"description": "ok",
            "content": {"application/json": {"schema": {"type": "object"}}}}}}}})
    };
    let mut paths = read("/large", "get_large");
    paths["/small"] = read("/small", "get_small")["/small"].take();
    let document = json!({"openapi": "3.1.0", "info": {"title": "Big", "version": "1"},
        "servers": [{"url": api.base_url()}], "paths": paths});
    let place = Place::new();
    let file = place.write("big.json", document.to_string());
    let state = place.path().join("state").display().to_string();
    let server = HttpServer::start(place, &[&file, "--state-dir", &state], &[]).await;
    (api, server)
}

/// A small call is answered while large answers are still worked on, and those come out right.
#[tokio::test]
async fn a_small_call_does_not_wait_for_large_answers() {
    let (_api, server) = served().await;
    let session = server.open("2025-11-25", &[]).await;
    let ask = |id: i64, name: &str, params: Value| call(id, "mcp_aql_read", name, params);
    let messages: Vec<Value> = (0..20).map(|n| ask(10 + n, "get_large", json!({"fields": ["id"]}))).collect();
    let mut larges: futures::stream::FuturesUnordered<_> =
        messages.iter().map(|message| server.in_session(&session, &[], message).boxed_local()).collect();
    let first = larges.next().await.expect("twenty of them");
    assert_eq!(first.inside()["data"], json!({"id": 1}), "{first:?}");
    let small = ask(1, "get_small", json!({}));
    let small = server.in_session(&session, &[], &small);
    let left = async {
        let mut left = 0;
        while let Some(answer) = larges.next().await {
            assert_eq!(answer.inside()["data"], json!({"id": 1}), "{answer:?}");
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
    assert_eq!(left.await, 19);
}
