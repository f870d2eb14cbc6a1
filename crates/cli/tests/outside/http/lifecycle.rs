//! Cancelling, hanging up and stopping over HTTP.

use super::server::{HttpServer, call, read_answer};
use crate::outside::harness::DEADLINE;
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};
use std::process::Command;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

fn get_product(id: i64) -> Value {
    call(id, "mcp_aql_read", "get_product", json!({"product_id": id}))
}

/// Hangs on product 1, answers late on products 2 and 4, answers every other at once.
async fn upstream() -> FakeApi {
    FakeApi::start(|request| match request.path() {
        "/products/1" => Answer::hang(),
        "/products/2" | "/products/4" => {
            let id = request.path().trim_start_matches("/products/").parse::<u64>().unwrap();
            Answer::after(Duration::from_millis(700), Answer::json(200, json!({"id": id})))
        }
        _ => Answer::json(200, json!({"id": 3})),
    })
    .await
}

pub(super) fn terminate(server: &HttpServer) {
    let sent = Command::new("kill").args(["-TERM", &server.process_id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// A stateless client cancels by hanging up.
#[tokio::test]
async fn hanging_up_cancels() {
    let api = upstream().await;
    let server = HttpServer::shop(&api.base_url(), "").await;
    let mut stream = server.connect().await;
    stream.write_all(&server.stateless_bytes(&[], &get_product(1))).await.unwrap();
    api.wait_for_request_count(1).await;
    drop(stream);
    api.wait_for_closed_connection().await;
    assert_eq!(server.stateless(&[], &get_product(3)).await.inside()["data"]["id"], 3);
}

/// A client with a session says so; the call's connection to the API is closed, and the session goes on.
#[tokio::test]
async fn cancelling_in_a_session() {
    let api = upstream().await;
    let server = HttpServer::shop(&api.base_url(), "").await;
    let session = server.open("2025-11-25", &[]).await;
    let mut stream = server.connect().await;
    let message = get_product(1).to_string();
    let headers = [("mcp-session-id", session.as_str())];
    stream.write_all(&server.posted(&headers, message.as_bytes())).await.unwrap();
    api.wait_for_request_count(1).await;
    let params = json!({"requestId": 1, "reason": "changed my mind"});
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params});
    assert_eq!(server.in_session(&session, &[], &cancel).await.status, 202);
    api.wait_for_closed_connection().await;
    assert_eq!(server.in_session(&session, &[], &get_product(3)).await.inside()["data"]["id"], 3);
}

/// A client that ends its session ends what still runs in it.
#[tokio::test]
async fn ending_a_session_cancels_its_calls() {
    let api = upstream().await;
    let server = HttpServer::shop(&api.base_url(), "").await;
    let session = server.open("2025-11-25", &[]).await;
    let mut stream = server.connect().await;
    let headers = [("mcp-session-id", session.as_str())];
    stream.write_all(&server.posted(&headers, get_product(1).to_string().as_bytes())).await.unwrap();
    api.wait_for_request_count(1).await;
    assert_eq!(server.ask("DELETE", "/mcp", &headers).await.status, 204);
    api.wait_for_closed_connection().await;
}

/// A server that is told to stop takes no more connections, answers what is in flight and ends open streams.
#[tokio::test]
async fn stopping_finishes_calls() {
    let api = upstream().await;
    let mut server = HttpServer::shop(&api.base_url(), "").await;
    let session = server.open("2025-11-25", &[]).await;
    let mut listening = server.connect().await;
    let listen = format!(
        "GET /mcp HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\nmcp-session-id: {session}\r\n\r\n"
    );
    listening.write_all(listen.as_bytes()).await.unwrap();
    let mut some = [0; 15];
    listening.read_exact(&mut some).await.unwrap();
    let (mut one, mut two) = (server.connect().await, server.connect().await);
    one.write_all(&server.stateless_bytes(&[], &get_product(2))).await.unwrap();
    let message = get_product(4).to_string();
    let headers = [("mcp-session-id", session.as_str())];
    two.write_all(&server.posted(&headers, message.as_bytes())).await.unwrap();
    api.wait_for_request_count(2).await;
    let started = Instant::now();
    terminate(&server);
    assert_eq!(read_answer(&mut one).await.inside()["data"]["id"], 2);
    assert_eq!(read_answer(&mut two).await.inside()["data"]["id"], 4);
    let (code, errors) = server.ended().await;
    assert_eq!((code, errors.as_str()), (0, ""));
    assert!(started.elapsed() < DEADLINE / 2, "{:?}", started.elapsed());
    assert!(tokio::net::TcpStream::connect(server.address).await.is_err());
}

/// A connection on which nothing happens does not keep the server from stopping.
#[tokio::test]
async fn stopping_with_nothing_in_flight() {
    let mut server = HttpServer::shop("http://127.0.0.1:9", "").await;
    server.open("2025-11-25", &[]).await;
    let idle = server.connect().await;
    terminate(&server);
    assert_eq!(server.ended().await.0, 0);
    drop(idle);
}
