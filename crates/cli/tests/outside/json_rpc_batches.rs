//! Batches of JSON-RPC, which protocol 2025-03-26 has and no other: over stdio and over HTTP.

use super::harness::{Server, inside, shop};
use super::http::server::{HttpServer, call};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};
use std::time::Duration;

const WITH_BATCHES: &str = "2025-03-26";

/// Two requests, a notification, a message that is none, one that is nested too deeply, and the handshake.
fn mixed() -> String {
    let ping = json!({"jsonrpc": "2.0", "id": "p", "method": "ping"});
    let note = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 99}});
    let list = call(7, "mcp_aql_read", "introspect", json!({"query": "operations", "first": 1}));
    let hello = json!({"jsonrpc": "2.0", "id": 8, "method": "initialize", "params": {}});
    let deep = format!(
        r#"{{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{{"name":"mcp_aql_read","arguments":{{"a":{}1{}}}}}}}"#,
        "[".repeat(300),
        "]".repeat(300)
    );
    format!("[{ping},{note},{list},42,{deep},{hello}]")
}

/// Every request has its response, as if it had come alone.
fn check_mixed(responses: &Value) {
    let all = responses.as_array().unwrap_or_else(|| panic!("{responses}"));
    assert_eq!(all.len(), 5, "{responses}");
    let of =
        |id: Value| all.iter().find(|each| each["id"] == id).unwrap_or_else(|| panic!("{id}: {responses}"));
    assert_eq!(of(json!("p"))["result"], json!({}));
    assert_eq!(inside(of(json!(7)))["success"], true, "{responses}");
    assert_eq!(of(Value::Null)["error"]["code"], -32600);
    assert_eq!(inside(of(json!(9)))["error"]["code"], "VALIDATION_PAYLOAD_TOO_LARGE");
    let hello = of(json!(8))["error"].clone();
    assert!(hello["message"].as_str().unwrap().contains("no part of a batch"), "{hello}");
}

async fn batch_line(server: &mut Server) -> Value {
    serde_json::from_str(&server.next_line().await.unwrap()).unwrap()
}

#[tokio::test]
async fn over_stdio() {
    let mut server = Server::start(&[&shop()], &[]);
    server.initialize(WITH_BATCHES).await;
    server.send_bytes(mixed().as_bytes()).await;
    check_mixed(&batch_line(&mut server).await);
    let note = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 99}});
    server.send(json!([note, note])).await;
    server.send(json!([])).await;
    assert_eq!(server.next().await["error"]["code"], -32600, "notifications alone get no answer");
    let pings: Vec<Value> =
        (0..101).map(|id| json!({"jsonrpc": "2.0", "id": id + 1000, "method": "ping"})).collect();
    server.send(json!(pings)).await;
    let refused = server.next().await["error"]["message"].as_str().unwrap().to_owned();
    assert!(refused.contains("more than 100 messages, the most that one may have"), "{refused}");
    server.send(json!(pings[..100])).await;
    assert_eq!(batch_line(&mut server).await.as_array().unwrap().len(), 100);
    assert!(server.is_alive().await);
}

/// A call that is cancelled gets no response, and the others are not kept waiting for it; what is under way when the input ends is answered.
#[tokio::test]
async fn cancelled_and_cut_off() {
    let api = FakeApi::start(|request| {
        let answer = Answer::json(200, json!({"id": 3}));
        if request.target.contains("/3") { Answer::after(Duration::from_millis(700), answer) } else { answer }
    })
    .await;
    let base_url = api.base_url();
    let mut server = Server::start(&[&shop(), "--base-url", &base_url], &[("SHOP_TOKEN", "t")]);
    server.initialize(WITH_BATCHES).await;
    let slow = |id: i64| call(id, "mcp_aql_read", "get_product", json!({"product_id": 3}));
    let ping = json!({"jsonrpc": "2.0", "id": 1001, "method": "ping"});
    let cancel =
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1002}});
    server.send(json!([ping, slow(1002), cancel])).await;
    let responses = batch_line(&mut server).await;
    assert_eq!((responses.as_array().unwrap().len(), &responses[0]["id"]), (1, &json!(1001)), "{responses}");
    server.send(json!([slow(1003), slow(1004)])).await;
    server.close_input();
    let responses = batch_line(&mut server).await;
    assert_eq!(responses.as_array().unwrap().len(), 2, "{responses}");
    assert_eq!(inside(&responses[0])["data"]["id"], 3, "{responses}");
}

#[tokio::test]
async fn over_http() {
    let server = HttpServer::shop("http://127.0.0.1:9", "").await;
    let session = server.open(WITH_BATCHES, &[]).await;
    let headers = [("mcp-session-id", session.as_str())];
    let answer = server.post(&headers, mixed().as_bytes()).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/json")), "{answer:?}");
    check_mixed(&serde_json::from_str(&answer.body).unwrap());
    let note = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 99}});
    let silent = server.post(&headers, json!([note, note]).to_string().as_bytes()).await;
    assert_eq!((silent.status, silent.body.as_str()), (202, ""));
    let empty = server.post(&headers, b"[]").await;
    assert_eq!((empty.status, &empty.message()["error"]["code"]), (400, &json!(-32600)));
    let broken = server.post(&headers, b"[{\"jsonrpc\":").await;
    assert_eq!((broken.status, &broken.message()["error"]["code"]), (400, &json!(-32700)));
}

/// Each message of a batch counts as a request of its client.
#[tokio::test]
async fn a_batch_is_no_way_around_the_rate() {
    let server = HttpServer::shop("http://127.0.0.1:9", "[http]\nrequests_per_second = 5").await;
    let session = server.open(WITH_BATCHES, &[]).await;
    let pings: Vec<Value> = (0..40).map(|id| json!({"jsonrpc": "2.0", "id": id, "method": "ping"})).collect();
    let answer = server.in_session(&session, &[], &json!(pings)).await;
    let responses: Vec<Value> = serde_json::from_str(&answer.body).unwrap();
    let refused = responses.iter().filter(|each| each["error"]["code"] == -32000).count();
    assert!(responses.len() == 40 && refused >= 25, "{refused} were refused: {responses:?}");
}

/// Other versions have no batches, and are told so.
#[tokio::test]
async fn other_versions() {
    let ping = json!({"jsonrpc": "2.0", "id": 5, "method": "ping"});
    let server = HttpServer::shop("http://127.0.0.1:9", "").await;
    for version in ["2025-06-18", "2025-11-25"] {
        let mut stdio = Server::start(&[&shop()], &[]);
        stdio.initialize(version).await;
        stdio.send(json!([ping])).await;
        let over_stdio = stdio.next().await;
        let session = server.open(version, &[]).await;
        let posted = server.in_session(&session, &[], &json!([ping])).await;
        assert_eq!(posted.status, 400);
        for refused in [over_stdio, posted.message()] {
            assert_eq!((&refused["id"], &refused["error"]["code"]), (&Value::Null, &json!(-32600)));
            let said = refused["error"]["message"].as_str().unwrap();
            assert!(said.contains("only sessions of protocol 2025-03-26 have batches"), "{said}");
        }
    }
    let mut early = Server::start(&[&shop()], &[]);
    early.send(json!([ping])).await;
    assert_eq!(early.next().await["error"]["code"], -32600, "before the handshake");
    let stateless = server.post(&[], json!([ping]).to_string().as_bytes()).await;
    assert_eq!((stateless.status, &stateless.message()["error"]["code"]), (400, &json!(-32600)));
}
