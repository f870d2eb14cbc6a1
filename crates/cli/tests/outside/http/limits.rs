//! What is too large, too slow, too much, or no message.

use super::server::{ANN, BOB, HttpServer, TOKENS, call, read_answer};
use crate::outside::harness::{DEADLINE, code};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::json;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpSocket;
use tokio::time::timeout;

const QUICK: &str = "[http]\nrequest_timeout_seconds = 1";

/// C4.7.5-7: bodies over the cap are refused, whatever their length says, and the server goes on.
#[tokio::test]
async fn bodies_that_are_too_large() {
    let server = HttpServer::shop("http://127.0.0.1:9", "").await;
    let huge = call(9, "mcp_aql_create", "create_order", json!({"note": "x".repeat(4 << 20)})).to_string();
    let refused = server.post(&[], huge.as_bytes()).await;
    assert_eq!(refused.status, 413);
    assert_eq!(refused.message()["id"], 9);
    assert_eq!(code(&refused.inside()), "VALIDATION_PAYLOAD_TOO_LARGE");
    let head = String::from_utf8(server.posted(&[("transfer-encoding", "chunked")], b"")).unwrap();
    let chunks = format!("{head}{:x}\r\n{huge}\r\n0\r\n\r\n", huge.len());
    assert_eq!(server.exchange(chunks.as_bytes()).await.status, 413);
    assert_eq!(server.metric("aqueduct_http_refused_total{reason=\"large_body\"}").await, 2.0);
    assert_eq!(server.ask("GET", "/healthz", &[]).await.status, 200);
}

#[tokio::test]
async fn bodies_that_are_too_slow() {
    let server = HttpServer::shop("http://127.0.0.1:9", QUICK).await;
    let whole = server.posted(&[], br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#);
    let started = Instant::now();
    let mut stream = server.connect().await;
    stream.write_all(&whole[..whole.len() - 5]).await.unwrap();
    assert_eq!(read_answer(&mut stream).await.status, 408);
    assert!(started.elapsed() < Duration::from_secs(10));
    assert_eq!(server.metric("aqueduct_http_refused_total{reason=\"slow_body\"}").await, 1.0);
}

/// Heads that trickle in, and connections on which nothing comes, are closed.
#[tokio::test]
async fn heads_that_are_too_slow() {
    let server = HttpServer::shop("http://127.0.0.1:9", QUICK).await;
    for begun in ["", "GET /healthz HT", "GET /healthz HTTP/1.1\r\nhost: localhost\r\nx-a: b\r\n"] {
        let mut stream = server.connect().await;
        stream.write_all(begun.as_bytes()).await.unwrap();
        let mut rest = Vec::new();
        timeout(DEADLINE, stream.read_to_end(&mut rest)).await.expect("the connection is closed").unwrap();
        assert!(!String::from_utf8_lossy(&rest).contains("200 OK"), "{begun}");
    }
}

/// A client that asks for much and reads nothing is cut off, and its connection given back.
#[tokio::test]
async fn answers_that_are_not_read() {
    let large = json!({"text": "x".repeat(8 << 20)});
    let api = FakeApi::start(move |_| Answer::json(200, large.clone())).await;
    let server = HttpServer::shop(&api.base_url(), QUICK).await;
    let get = call(1, "mcp_aql_read", "get_product", json!({"product_id": 1}));
    let socket = TcpSocket::new_v4().unwrap();
    // So that the system does not take in the whole answer for it.
    socket.set_recv_buffer_size(4096).unwrap();
    let mut stream = socket.connect(server.address).await.unwrap();
    stream.write_all(&server.stateless_bytes(&[], &get)).await.unwrap();
    // Its own connection is the other one.
    let ended = async {
        while api.requests().is_empty() || server.metric("aqueduct_http_connections").await > 1.0 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(DEADLINE, ended).await.expect("the connection is closed");
    let mut rest = Vec::new();
    assert!(stream.read_to_end(&mut rest).await.is_err() || rest.len() < 8 << 20, "{}", rest.len());
}

#[tokio::test]
async fn heads_that_are_too_large() {
    let server = HttpServer::shop("http://127.0.0.1:9", "").await;
    let long = "x".repeat(200_000);
    assert_eq!(server.ask("GET", "/healthz", &[("x-long", &long)]).await.status, 431);
    let many: Vec<(&str, &str)> = (0..100).map(|_| ("x-many", "1")).collect();
    assert_eq!(server.ask("GET", "/healthz", &many).await.status, 431);
}

/// C4.7.1-2 M4.2-2: bytes that are no message get the same answers as over stdio.
#[tokio::test]
async fn bytes_that_are_no_message() {
    let server = HttpServer::shop("http://127.0.0.1:9", "").await;
    let session = server.open("2025-11-25", &[]).await;
    let headers = [("mcp-session-id", session.as_str())];
    let garbage = server.post(&headers, b"hello").await;
    assert_eq!((garbage.status, &garbage.message()["error"]["code"]), (400, &json!(-32700)));
    let batch = server.post(&headers, b"[]").await;
    assert_eq!((batch.status, &batch.message()["error"]["code"]), (400, &json!(-32600)));
    let mut bad =
        br#"{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"t","arguments":{"a":""#.to_vec();
    bad.extend_from_slice(b"\xC0\xAF\"}}}");
    let encoded = server.post(&headers, &bad).await;
    assert_eq!((encoded.status, code(&encoded.inside())), (200, "VALIDATION_INVALID_ENCODING"));
    let deep = format!("{}1{}", "[".repeat(500), "]".repeat(500));
    let deep = format!(
        r#"{{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{{"name":"t","arguments":{{"a":{deep}}}}}}}"#
    );
    let nested = server.post(&headers, deep.as_bytes()).await;
    assert_eq!(code(&nested.inside()), "VALIDATION_PAYLOAD_TOO_LARGE");
    let misfit =
        server.post(&headers, br#"{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":5}}"#).await;
    assert_eq!(misfit.message()["error"]["code"], -32602);
}

/// A body that would not be read as it is meant is refused, with what to send.
#[tokio::test]
async fn bodies_in_other_encodings() {
    let server = HttpServer::shop("http://127.0.0.1:9", "").await;
    let session = server.open("2025-11-25", &[]).await;
    let ping = br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    for (name, value, status, said) in [
        (
            "content-encoding",
            "gzip",
            415,
            "Content-Encoding 'gzip', which is not read here. Send JSON as it is",
        ),
        ("content-encoding", "identity", 200, "result"),
        (
            "content-type",
            "application/json; charset=utf-16",
            415,
            "charset 'utf-16', which is not read here. Send UTF-8",
        ),
        ("content-type", "application/json; charset=UTF-8", 200, "result"),
    ] {
        let kind = if name == "content-type" { value } else { "application/json" };
        let mut headers = vec![
            ("mcp-session-id", session.as_str()),
            ("accept", "application/json, text/event-stream"),
            ("content-type", kind),
        ];
        headers.extend((name != "content-type").then_some((name, value)));
        let answer = server.exchange(&server.request("POST", "/mcp", &headers, ping)).await;
        assert!(answer.status == status && answer.body.contains(said), "{name}: {value}: {answer:?}");
    }
    for reason in ["encoding", "charset"] {
        let name = format!("aqueduct_http_refused_total{{reason=\"{reason}\"}}");
        assert_eq!(server.metric(&name).await, 1.0, "{reason}");
    }
}

#[tokio::test]
async fn requests_that_are_too_many() {
    let server = HttpServer::shop("http://127.0.0.1:9", "[http]\nrequests_per_second = 2").await;
    let mut statuses = Vec::new();
    for _ in 0..12 {
        let answer = server.ask("GET", "/readyz", &[]).await;
        if answer.status == 429 {
            assert_eq!(answer.header("retry-after"), Some("1"));
        }
        statuses.push(answer.status);
    }
    assert_eq!(statuses[..4], [200; 4]);
    assert!(statuses.contains(&429), "{statuses:?}");
    assert_eq!(server.ask("GET", "/healthz", &[]).await.status, 200, "who is asked too much is not dead");
    tokio::time::sleep(Duration::from_millis(1200)).await;
    assert_eq!(server.ask("GET", "/readyz", &[]).await.status, 200);
}

/// Beyond the most connections a client waits until one is closed.
#[tokio::test]
async fn connections_that_are_too_many() {
    let server = HttpServer::shop("http://127.0.0.1:9", "[http]\nmax_connections = 1").await;
    let mut first = server.connect().await;
    first.write_all(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n").await.unwrap();
    let mut some = [0; 15];
    first.read_exact(&mut some).await.unwrap();
    let second = server.ask("GET", "/healthz", &[]);
    let mut second = std::pin::pin!(second);
    assert!(timeout(Duration::from_millis(300), second.as_mut()).await.is_err());
    drop(first);
    assert_eq!(second.await.status, 200);
}

/// No one takes all connections or all sessions: half of them are left for others, who are at other addresses or have
/// other tokens.
#[tokio::test]
async fn half_is_left_for_others() {
    let config = format!("[http]\nmax_connections = 8\nmax_sessions = 4\n{TOKENS}");
    let server = HttpServer::shop("http://127.0.0.1:9", &config).await;
    let mut held = Vec::new();
    for _ in 0..4 {
        held.push(server.connect().await);
    }
    let mut refused = server.connect().await;
    let mut nothing = Vec::new();
    timeout(DEADLINE, refused.read_to_end(&mut nothing)).await.expect("it is closed").ok();
    assert!(nothing.is_empty());
    let other = TcpSocket::new_v4().unwrap();
    other.bind("127.0.0.2:0".parse().unwrap()).unwrap();
    let mut other = other.connect(server.address).await.unwrap();
    let health = server.request("GET", "/healthz", &[], b"");
    other.write_all(&health).await.unwrap();
    assert_eq!(read_answer(&mut other).await.status, 200);
    drop(held);
    // The server has to see first that they are gone.
    let free = async {
        loop {
            let mut stream = server.connect().await;
            let mut answer = Vec::new();
            let asked = stream.write_all(&health).await.is_ok();
            if asked && stream.read_to_end(&mut answer).await.is_ok() && answer.starts_with(b"HTTP/1.1 200") {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(DEADLINE, free).await.expect("there is room again");
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let others = server.open("2025-11-25", &[BOB]).await;
    for _ in 0..5 {
        server.open("2025-11-25", &[ANN]).await;
    }
    assert_eq!(server.in_session(&others, &[BOB], &list).await.status, 200, "only her own made room");
}

/// What says beforehand that it is far too large is refused before it is sent.
#[tokio::test]
async fn bodies_that_announce_themselves() {
    let server = HttpServer::shop("http://127.0.0.1:9", "").await;
    let mut head = String::from_utf8(server.posted(&[("expect", "100-continue")], b"")).unwrap();
    head = head.replace("\r\n\r\n", "\r\ncontent-length: 10000000000\r\n\r\n");
    let mut stream = server.connect().await;
    stream.write_all(head.as_bytes()).await.unwrap();
    let answer = read_answer(&mut stream).await;
    assert_eq!(answer.status, 413, "{answer:?}");
}
