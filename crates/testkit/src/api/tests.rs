//! Tests of `api`.

use super::{Answer, FakeApi, Gate};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

async fn exchange(api: &FakeApi, request: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", api.port())).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    stream.shutdown().await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

#[tokio::test]
async fn records_and_answers() {
    let api = FakeApi::always(Answer::json(201, json!({"a": 1})).header("X-Y", "z")).await;
    let answer = exchange(&api, "POST /x?y=1 HTTP/1.1\r\nContent-Length: 2\r\nX-A: b\r\n\r\nhi").await;
    assert!(answer.starts_with("HTTP/1.1 201 ") && answer.ends_with("{\"a\":1}"), "{answer}");
    assert!(answer.contains("X-Y: z\r\n") && answer.contains("Content-Length: 7\r\n"));
    let seen = api.only_request();
    assert_eq!((seen.method.as_str(), seen.path(), seen.query()), ("POST", "/x", Some("y=1")));
    assert_eq!((seen.header("x-a"), seen.body_text().as_str()), (Some("b"), "hi"));
    api.wait_for_closed_connection().await;
}

#[tokio::test]
async fn bad_behaviour() {
    let api = FakeApi::in_turn(vec![Answer::drop_connection(), Answer::raw("half")]).await;
    let request = "GET / HTTP/1.1\r\n\r\n";
    assert_eq!(exchange(&api, request).await, "");
    assert_eq!(exchange(&api, request).await, "half");
    api.wait_for_request_count(2).await;
}

#[tokio::test]
async fn a_gate_holds_answers_back() {
    let gate = Gate::default();
    let held = gate.clone();
    let api = FakeApi::start(move |_| Answer::behind(&held, Answer::empty(204))).await;
    let request = exchange_without_end(&api);
    tokio::pin!(request);
    tokio::select! {
        _ = &mut request => panic!("answered"),
        () = api.wait_for_request_count(1) => {}
    }
    gate.open();
    assert!(request.await.starts_with("HTTP/1.1 204 "));
}

async fn exchange_without_end(api: &FakeApi) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", api.port())).await.unwrap();
    stream.write_all(b"GET / HTTP/1.1\r\n\r\n").await.unwrap();
    let mut answer = [0; 64];
    let count = stream.read(&mut answer).await.unwrap();
    String::from_utf8_lossy(&answer[..count]).into_owned()
}
