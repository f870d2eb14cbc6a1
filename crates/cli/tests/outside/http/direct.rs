//! Calls that only read are answered without the SDK. A client cannot tell, but for the time.
//!
//! A call with metadata, empty or not, goes through the SDK: each is asked both ways.

use super::server::{HttpServer, call, read_answer, read_until};
use crate::outside::harness::DEADLINE;
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::time::timeout;

/// Hangs on products 1 and 5, answers late on product 2, knows no product 4.
async fn upstream() -> FakeApi {
    FakeApi::start(|request| match request.path() {
        "/products/1" | "/products/5" => Answer::hang(),
        "/products/2" => Answer::after(Duration::from_millis(300), Answer::json(200, json!({"id": 2}))),
        "/products/4" => Answer::json(404, json!({"message": "gone"})),
        _ => Answer::json(200, json!({"id": 3, "name": "a \"quoted\" näme\n"})),
    })
    .await
}

fn get_product(id: i64) -> Value {
    call(id, "mcp_aql_read", "get_product", json!({"product_id": id}))
}

fn through_sdk(mut message: Value) -> Value {
    message["params"]["_meta"] = json!({});
    message
}

/// W11 and every error: to the letter the same, whichever way it took.
#[tokio::test]
async fn the_same_either_way() {
    let api = upstream().await;
    let server = HttpServer::shop(&api.base_url(), "").await;
    let session = server.open("2025-11-25", &[]).await;
    let named = |id: Value| {
        let mut message = get_product(3);
        message["id"] = id;
        message
    };
    let introspect = |params: Value| call(9, "mcp_aql_read", "introspect", params);
    for message in [
        get_product(3),
        get_product(2),
        get_product(4),
        named(json!("a \"b\"")),
        named(json!(-5)),
        call(5, "mcp_aql_read", "get_product", json!({})),
        call(5, "mcp_aql_read", "get_product", json!({"product_id": "x", "colour": 1})),
        call(5, "mcp_aql_create", "get_product", json!({"product_id": 3})),
        call(5, "mcp_aql_nothing", "get_product", json!({"product_id": 3})),
        call(5, "mcp_aql_read", "get_produkt", json!({"product_id": 3})),
        call(5, "mcp_aql_read", "list_products", json!({"first": 2, "fields": ["id"]})),
        introspect(json!({"query": "operations"})),
        introspect(json!({"query": "nonsense"})),
    ] {
        let direct = server.in_session(&session, &[], &message).await;
        let by_sdk = server.in_session(&session, &[], &through_sdk(message.clone())).await;
        assert_eq!(direct.status, by_sdk.status, "{message}");
        let (direct, by_sdk) = (direct.message(), by_sdk.message());
        assert_eq!(direct.to_string(), by_sdk.to_string(), "{message}");
    }
}

/// Headers that the SDK refuses are refused with a call that only reads too.
#[tokio::test]
async fn headers_are_held_to_the_same_rules() {
    let api = upstream().await;
    let server = HttpServer::shop(&api.base_url(), "").await;
    let session = server.open("2025-11-25", &[]).await;
    let known = ("mcp-session-id", session.as_str());
    let (kind, accept) =
        (("content-type", "application/json"), ("accept", "application/json, text/event-stream"));
    for (headers, status) in [
        (vec![known, kind, accept], 200),
        (vec![known, kind, accept, ("mcp-protocol-version", "2025-11-25")], 200),
        (vec![known, kind, ("accept", "application/json")], 406),
        (vec![known, kind], 406),
        (vec![known, accept, ("content-type", "text/plain")], 415),
        (vec![known, kind, accept, ("mcp-protocol-version", "1999-01-01")], 400),
        (vec![("mcp-session-id", "another"), kind, accept], 404),
    ] {
        let request = server.request("POST", "/mcp", &headers, get_product(3).to_string().as_bytes());
        let answer = server.exchange(&request).await;
        assert_eq!(answer.status, status, "{headers:?} {answer:?}");
    }
}

/// A client that hangs up and does not come back ends its call, before its answer begins and after.
#[tokio::test]
async fn hanging_up_in_a_session() {
    for is_begun in [false, true] {
        let api = upstream().await;
        let server = HttpServer::shop(&api.base_url(), "").await;
        let session = server.open("2025-11-25", &[]).await;
        let mut stream = server.connect().await;
        let headers = [("mcp-session-id", session.as_str())];
        stream.write_all(&server.posted(&headers, get_product(1).to_string().as_bytes())).await.unwrap();
        api.wait_for_request_count(1).await;
        if is_begun {
            assert!(read_until(&mut stream, "\n\n").await.contains("text/event-stream"));
        }
        drop(stream);
        api.wait_for_closed_connection().await;
        assert_eq!(server.in_session(&session, &[], &get_product(3)).await.inside()["data"]["id"], 3);
    }
}

/// A client that gives up a call gives up all that go by its id, and no other; each is answered.
#[tokio::test]
async fn giving_up_one_of_several() {
    let api = upstream().await;
    let server = HttpServer::shop(&api.base_url(), "").await;
    let session = server.open("2025-11-25", &[]).await;
    // A session counts as open once its first message was taken; what comes before goes through the SDK, which answers no cancelled call.
    assert_eq!(server.in_session(&session, &[], &get_product(3)).await.status, 200);
    let headers = [("mcp-session-id", session.as_str())];
    let numbered =
        |id: i64, product: i64| call(id, "mcp_aql_read", "get_product", json!({"product_id": product}));
    let mut streams = Vec::new();
    for message in [numbered(1, 1), numbered(1, 5), numbered(22, 2)] {
        let mut stream = server.connect().await;
        stream.write_all(&server.posted(&headers, message.to_string().as_bytes())).await.unwrap();
        streams.push(stream);
    }
    api.wait_for_request_count(4).await;
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}});
    assert_eq!(server.in_session(&session, &[], &cancel).await.status, 202);
    let mut answers = Vec::new();
    for stream in &mut streams {
        answers.push(timeout(DEADLINE, read_answer(stream)).await.expect("an answer").message());
    }
    for answer in &answers[..2] {
        assert_eq!(
            (&answer["id"], &answer["error"]["message"]),
            (&json!(1), &json!("The call was cancelled"))
        );
    }
    assert_eq!(answers[2]["id"], 22, "{}", answers[2]);
    assert!(answers[2]["result"].is_object(), "{}", answers[2]);
}

/// A session in which nothing but such calls happens is not idle: the SDK, which ends idle ones, hears of it.
#[tokio::test]
async fn reading_keeps_a_session_open() {
    let api = upstream().await;
    let server = HttpServer::shop(&api.base_url(), "[http]\nsession_idle_seconds = 2\n").await;
    let session = server.open("2025-11-25", &[]).await;
    let begun = std::time::Instant::now();
    while begun.elapsed() < Duration::from_secs(5) {
        let answer = server.in_session(&session, &[], &get_product(3)).await;
        assert_eq!(answer.status, 200, "{answer:?} after {:?}", begun.elapsed());
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}
