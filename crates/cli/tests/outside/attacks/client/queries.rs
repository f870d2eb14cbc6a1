//! Questions that take long, and calls whose client has hung up.

use crate::outside::harness::{DEADLINE, Place};
use crate::outside::http::server::{HttpServer, call};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::time::timeout;

const FILE: &str = "---
name: lists
type: adapter
version: 1.0.0
description: \"Lists of things\"
target:
  base_url: BASE
  transport: http
  protocol: rest
  serialization: json
operations:
  read:
    - name: list_things
      maps_to: GET /things
      description: \"Things\"
    - name: get_small
      maps_to: GET /small
      description: \"One thing\"
---
";

/// One item with very many numbers, and a small one.
fn things() -> String {
    let many: Vec<u32> = (0..1_000_000).collect();
    json!([{"id": 1, "numbers": many}, {"id": 2, "numbers": [5]}]).to_string()
}

async fn served(body: String, config: &str) -> (FakeApi, HttpServer) {
    let api = FakeApi::start(move |request| match request.path() {
        "/small" => Answer::json(200, json!({"id": 2})),
        _ => Answer::bytes(200, body.clone()).header("Content-Type", "application/json"),
    })
    .await;
    let place = Place::new();
    let file = place.write("lists-adapter.md", FILE.replace("BASE", &api.base_url()));
    place.write("aqueduct.toml", config);
    let state = place.path().join("state").display().to_string();
    let server = HttpServer::start(place, &[&file, "--state-dir", &state], &[]).await;
    (api, server)
}

/// A thousand values against a million: found, and others are answered meanwhile.
#[tokio::test]
async fn long_lists_of_values() {
    let (_api, server) = served(things(), "").await;
    let session = server.open("2025-11-25", &[]).await;
    let wanted: Vec<u32> = (999_000..1_000_000).collect();
    let asked = |id: i64, values: &Value| {
        let filter = json!({"numbers": {"in": values}});
        call(id, "mcp_aql_read", "list_things", json!({"filter": filter, "fields": ["id"]}))
    };
    let (found, nothing) =
        (asked(1, &json!(wanted)), asked(2, &json!((2_000_000..2_001_000).collect::<Vec<u32>>())));
    let questions = async {
        let found = server.in_session(&session, &[], &found).await;
        assert_eq!(found.inside()["data"]["items"], json!([{"id": 1}]), "{found:?}");
        let nothing = server.in_session(&session, &[], &nothing).await;
        assert_eq!(nothing.inside()["data"]["items"], json!([]), "{nothing:?}");
    };
    let small = call(3, "mcp_aql_read", "get_small", json!({}));
    tokio::pin!(questions);
    let small = async {
        let answer = server.in_session(&session, &[], &small).await;
        assert_eq!(answer.inside()["data"]["id"], 2, "{answer:?}");
    };
    tokio::select! { () = small => {}, () = &mut questions => panic!("the small call waited") }
    questions.await;
}

/// More than one call may take is told with the limit and how to ask for less.
#[tokio::test]
async fn too_much_work_is_told() {
    let (_api, server) = served(things(), "[limits]\nmax_work_steps = 1000000\n").await;
    let session = server.open("2025-11-25", &[]).await;
    let ask = |id: i64, operation: &str, params: Value| call(id, "mcp_aql_read", operation, params);
    let filter = json!({"numbers": {"in": [1, 2]}, "id": 1, "a": 1, "b": 1});
    let told =
        server.in_session(&session, &[], &ask(1, "list_things", json!({"filter": filter}))).await.inside();
    assert_eq!(told["error"]["code"], "VALIDATION_PAYLOAD_TOO_LARGE", "{told}");
    assert_eq!(told["error"]["details"]["limit_type"], "work", "{told}");
    assert!(told["error"]["message"].as_str().unwrap().contains("max_work_steps"), "{told}");
    let small = server.in_session(&session, &[], &ask(2, "get_small", json!({}))).await;
    assert_eq!(small.inside()["data"]["id"], 2, "{small:?}");
}

/// A client that hangs up takes its calls with it: what they have asked the API for is given up.
#[tokio::test]
async fn calls_end_with_their_client() {
    let item = |id: u32| json!({"operation": "get_product", "params": {"product_id": id}});
    let items: Vec<Value> = (1..=20).map(item).collect();
    let batch = json!({"jsonrpc": "2.0", "id": 9, "method": "tools/call",
        "params": {"name": "mcp_aql_read", "arguments": {"operations": items}}});
    let alone = call(8, "mcp_aql_read", "get_product", json!({"product_id": 2}));
    for (message, requests, is_stateless) in [(&batch, 8, false), (&alone, 1, false), (&alone, 1, true)] {
        let api = FakeApi::always(Answer::hang()).await;
        let server = HttpServer::shop(&api.base_url(), "").await;
        let session = server.open("2025-11-25", &[]).await;
        let bytes = match is_stateless {
            true => server.stateless_bytes(&[], message),
            false => server.posted(&[("mcp-session-id", &session)], message.to_string().as_bytes()),
        };
        let mut stream = server.connect().await;
        stream.write_all(&bytes).await.unwrap();
        timeout(DEADLINE, api.wait_for_request_count(requests)).await.expect("they are sent");
        drop(stream);
        // Far sooner than the API would be given up for its own slowness.
        timeout(Duration::from_secs(15), api.wait_for_closed_connection()).await.expect("given up");
        assert_eq!(api.requests().len(), requests, "nothing more is asked for");
    }
}

/// Whatever is asked of large answers is worked out elsewhere: as many questions as there are threads that serve, and a small
/// call is answered before any of them.
#[tokio::test]
async fn questions_of_large_answers() {
    let items: Vec<Value> = (0..9_000_u64)
        .map(|n| json!({"id": n, "rank": n * 7_919 % 9_000, "text": format!("{n:01000}")}))
        .collect();
    let (api, server) = served(json!(items).to_string(), "").await;
    let session = server.open("2025-11-25", &[]).await;
    for (params, path, expected) in [
        (
            json!({"sort": {"field": "rank", "order": "desc"}, "first": 1, "fields": ["rank"]}),
            "/data/items/0/rank",
            8_999,
        ),
        (json!({"aggregate": {"top": {"max": "rank"}}}), "/data/aggregations/top", 8_999),
        (json!({"query": "0000008998", "first": 1, "fields": ["id"]}), "/data/items/0/id", 8_998),
        (json!({"all": true, "fields": ["id"], "filter": {"rank": 8_999}}), "/data/items/0/id", 0),
    ] {
        let messages: Vec<Value> =
            (10..14).map(|id| call(id, "mcp_aql_read", "list_things", params.clone())).collect();
        let questions = messages.iter().map(|message| server.in_session(&session, &[], message));
        let questions = futures::future::join_all(questions);
        tokio::pin!(questions);
        let small = call(1, "mcp_aql_read", "get_small", json!({}));
        let small = async {
            timeout(DEADLINE, api.wait_for_request_count(1)).await.expect("the questions are under way");
            let answer = server.in_session(&session, &[], &small).await;
            assert_eq!(answer.inside()["data"]["id"], 2, "{answer:?}");
        };
        tokio::select! { () = small => {}, _ = &mut questions => panic!("the small call waited: {params}") }
        for answer in questions.await {
            let answer = answer.inside();
            let found = answer.pointer(path).and_then(Value::as_u64);
            assert!(found.is_some_and(|found| expected == 0 || found == expected), "{params}: {answer}");
        }
    }
}
