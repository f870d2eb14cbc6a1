//! Cancelling, panics, shutdown, and clients that stop reading.

use super::harness::{DEADLINE, Place, Server, TOKEN, code, inside, shop};
use aqueduct::{Aqueduct, Environment, SourceSettings};
use aqueduct_testkit::api::{Answer, FakeApi};
use secrecy::SecretString;
use serde_json::{Value, json};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

/// M5.1-3: an execution tells how far it is over stdio too, before its answer.
#[tokio::test]
async fn executions_tell_how_far_they_are() {
    let api = upstream().await;
    let mut server = Server::shop(&api.base_url(), &[], &[]).await;
    let arguments = json!({"operation": "execute_recount", "params": {"order_id": "7"}});
    let mut params = json!({"name": "mcp_aql_execute", "arguments": arguments});
    params["_meta"] = json!({"progressToken": "mine"});
    let id = server.ask("tools/call", params).await;
    let mut told = Vec::new();
    let answer = loop {
        let message = server.next().await;
        if message["id"] == id {
            break message;
        }
        assert_eq!(
            (&message["method"], &message["params"]["progressToken"]),
            (&json!("notifications/progress"), &json!("mine"))
        );
        told.push(message["params"]["progress"].as_f64().unwrap());
    };
    assert_eq!(inside(&answer)["success"], true, "{answer}");
    assert_eq!(told, [5.0, 10.0, 95.0, 100.0]);
}

fn get_product(id: i64) -> Value {
    let arguments = json!({"operation": "get_product", "params": {"product_id": id}});
    json!({"name": "mcp_aql_read", "arguments": arguments})
}

/// Hangs on product 1, answers late on product 2, answers every other at once.
async fn upstream() -> FakeApi {
    FakeApi::start(|request| match request.path() {
        "/products/1" => Answer::hang(),
        "/products/2" => Answer::after(Duration::from_millis(400), Answer::json(200, json!({"id": 2}))),
        // Longer than the SDK waits by itself.
        "/products/6" => Answer::after(Duration::from_secs(6), Answer::json(200, json!({"id": 6}))),
        _ => Answer::json(200, json!({"id": 3})),
    })
    .await
}

/// M1.4-3: a cancelled call closes its upstream connection, gets no answer, and later calls work.
#[tokio::test]
async fn cancelling_is_seen_by_the_upstream() {
    let api = upstream().await;
    let mut server = Server::shop(&api.base_url(), &[], &[]).await;
    let id = server.ask("tools/call", get_product(1)).await;
    api.wait_for_request_count(1).await;
    let params = json!({"requestId": id, "reason": "changed my mind"});
    server.send(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})).await;
    api.wait_for_closed_connection().await;
    let next = server.request("tools/call", get_product(3)).await;
    assert_eq!(inside(&next)["data"]["id"], 3);
    assert!(!server.seen.iter().any(|line| line.contains(&format!("\"id\":{id},"))), "{:?}", server.seen);
    assert_eq!(server.finish().await.0, 0);
}

/// W11 and every error: a call that only reads runs without the SDK, one with metadata through it, and both are answered alike.
#[tokio::test]
async fn reads_are_the_same_without_the_sdk() {
    let api = upstream().await;
    let mut server = Server::shop(&api.base_url(), &[], &[]).await;
    let call = |operation: &str, params: Value| json!({"name": "mcp_aql_read", "arguments": {"operation": operation, "params": params}});
    for params in [
        get_product(3),
        get_product(2),
        call("get_product", json!({})),
        call("get_product", json!({"product_id": "x", "colour": 1})),
        call("get_produkt", json!({"product_id": 3})),
        call("list_products", json!({"first": 2, "fields": ["id"]})),
        call("introspect", json!({"query": "operations"})),
        call("introspect", json!({"query": "nonsense"})),
        json!({"name": "mcp_aql_nothing", "arguments": {"operation": "get_product"}}),
    ] {
        let mut with_metadata = params.clone();
        with_metadata["_meta"] = json!({});
        let direct = without_id(server.request("tools/call", params.clone()).await);
        let by_sdk = without_id(server.request("tools/call", with_metadata).await);
        assert_eq!(direct.to_string(), by_sdk.to_string(), "{params}");
    }
    assert_eq!(server.finish().await.0, 0);
}

fn without_id(mut answer: Value) -> Value {
    answer["id"] = Value::Null;
    answer
}

/// M1.4-3: at the end of the input, calls in flight are finished and answered.
#[tokio::test]
async fn end_of_input_finishes_calls() {
    let api = upstream().await;
    let mut server = Server::shop(&api.base_url(), &[], &[]).await;
    let id = server.ask("tools/call", get_product(6)).await;
    server.close_input();
    let answer = server.answer(id).await;
    assert_eq!(inside(&answer)["data"]["id"], 6);
    assert_eq!(server.ended().await.0, 0);
}

/// M4.2-2: a request with the id of one that still runs is refused, and the one that runs is answered.
#[tokio::test]
async fn an_id_that_is_taken() {
    let api = upstream().await;
    let mut server = Server::shop(&api.base_url(), &[], &[]).await;
    for product in [2, 3] {
        let message =
            json!({"jsonrpc": "2.0", "id": "twin", "method": "tools/call", "params": get_product(product)});
        server.send(message).await;
    }
    assert_eq!(server.answer("twin").await["error"]["code"], -32600);
    let answer = server.answer("twin").await;
    assert_eq!(inside(&answer)["data"]["id"], 2);
    let again = json!({"jsonrpc": "2.0", "id": "twin", "method": "tools/call", "params": get_product(3)});
    server.send(again).await;
    let answer = server.answer("twin").await;
    assert_eq!(inside(&answer)["data"]["id"], 3);
    assert_eq!(server.finish().await.0, 0);
}

/// M1.4-3: a termination signal, or the end of the terminal, stops reading, and calls in flight are finished and answered.
#[cfg(unix)]
#[tokio::test]
async fn a_signal_finishes_calls() {
    // These tests may run under nohup, and children inherit what is ignored, but not what is handled.
    let _handled = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::hangup()).unwrap();
    for signal in ["-TERM", "-INT", "-HUP"] {
        let api = upstream().await;
        let mut server = Server::shop(&api.base_url(), &[], &[]).await;
        let id = server.ask("tools/call", get_product(2)).await;
        api.wait_for_request_count(1).await;
        let process = server.process_id().to_string();
        let sent = std::process::Command::new("kill").args([signal, &process]).status().unwrap();
        assert!(sent.success());
        let answer = server.answer(id).await;
        assert_eq!(inside(&answer)["data"]["id"], 2, "{signal}");
        assert_eq!(server.ended().await.0, 0, "{signal}");
    }
}

/// A server that was started to outlive its terminal, as with `nohup`, goes on when the terminal is gone.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_hangup_that_is_to_be_ignored() {
    let place = Place::new();
    let script = "trap '' HUP; exec \"$0\" serve demo --state-dir state";
    let mut child = tokio::process::Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_aqueduct")])
        .current_dir(place.path())
        .env_clear()
        .kill_on_drop(true)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let process = child.id().unwrap().to_string();
    for id in 0..3 {
        let client = json!({"name": "test", "version": "1"});
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
        let method = if id == 0 { "initialize" } else { "ping" };
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        input.write_all(format!("{message}\n").as_bytes()).await.unwrap();
        let line = timeout(DEADLINE, lines.next_line()).await.unwrap().unwrap();
        let answer: Value = serde_json::from_str(&line.expect("it goes on")).unwrap();
        assert_eq!(answer["id"], id);
        // Not before the first answer: the shell may not have come to its trap yet.
        let sent = std::process::Command::new("kill").args(["-HUP", &process]).status().unwrap();
        assert!(sent.success());
    }
    drop(input);
    assert_eq!(timeout(DEADLINE, child.wait()).await.unwrap().unwrap().code(), Some(0));
}

/// A second signal does not wait for an upstream that hangs.
#[cfg(unix)]
#[tokio::test]
async fn a_second_signal_ends_at_once() {
    let api = upstream().await;
    let mut server = Server::shop(&api.base_url(), &[], &[]).await;
    server.ask("tools/call", get_product(1)).await;
    api.wait_for_request_count(1).await;
    let process = server.process_id().to_string();
    let kill = || std::process::Command::new("kill").args(["-TERM", &process]).status().unwrap();
    assert!(kill().success());
    // Sent again until the process is gone: two signals at the same moment may count as one.
    let ended = timeout(Duration::from_secs(10), async {
        loop {
            tokio::select! {
                ended = server.ended() => return ended,
                () = tokio::time::sleep(Duration::from_millis(100)) => drop(kill()),
            }
        }
    });
    ended.await.expect("it ends");
}

/// A client that stops reading its answers and goes away leaves no process behind.
#[tokio::test]
async fn a_client_that_stops_reading() {
    let api = FakeApi::always(Answer::json(200, json!({"text": "lorem ".repeat(8_000)}))).await;
    let mut server = Server::shop(&api.base_url(), &[], &[]).await;
    for id in 0..40 {
        server.ask("tools/call", get_product(id)).await;
    }
    api.wait_for_request_count(10).await;
    // Nothing was read so far; now the client reads again, and nothing was lost.
    let mut answered = 0;
    while answered < 40 {
        let answer = server.next().await;
        answered += usize::from(answer["result"]["isError"] == false);
    }
    assert!(server.is_alive().await);
    assert_eq!(server.finish().await.0, 0);
}

#[tokio::test]
async fn a_client_that_vanishes() {
    let api = upstream().await;
    let mut server = Server::shop(&api.base_url(), &[], &[]).await;
    server.ask("tools/call", get_product(3)).await;
    assert_eq!(server.vanish().await, 0);
}

/// C2.3.2-2: a client that reads no more, though it still holds the input open, has ended the session.
#[tokio::test]
async fn a_client_that_closes_its_ears() {
    let api = upstream().await;
    let server = Server::shop(&api.base_url(), &[], &[("AQUEDUCT_LOG", "aqueduct::session=info")]).await;
    let (exit, log) = server.close_output_and_ask().await;
    assert_eq!(exit, 0);
    assert!(log.contains("session ended") && log.contains("end=\"abrupt\""), "{log}");
}

/// C2.3.2-1: a client that ends its input has closed the session.
#[tokio::test]
async fn a_client_that_takes_its_leave() {
    let api = upstream().await;
    let mut server = Server::shop(&api.base_url(), &[], &[("AQUEDUCT_LOG", "aqueduct::session=info")]).await;
    let (exit, log) = server.finish().await;
    assert_eq!(exit, 0);
    assert!(log.contains("session begun") && log.contains("end=\"graceful\""), "{log}");
}

#[derive(Debug, Default)]
struct Panicking {
    armed: AtomicBool,
}

impl Environment for Panicking {
    fn get(&self, _name: &str) -> Option<SecretString> {
        assert!(!self.armed.load(Ordering::SeqCst), "the environment broke");
        Some(SecretString::from(TOKEN))
    }
}

/// A session with the library, over a pair of pipes.
struct Session {
    output: tokio::io::Lines<BufReader<tokio::io::ReadHalf<tokio::io::DuplexStream>>>,
    input: tokio::io::WriteHalf<tokio::io::DuplexStream>,
}

impl Session {
    async fn open(aqueduct: Aqueduct) -> Session {
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        let (read, write) = tokio::io::split(theirs);
        tokio::spawn(async move { aqueduct.serve_streams(read, write, CancellationToken::new()).await });
        let (read, input) = tokio::io::split(ours);
        let mut session = Session { output: BufReader::new(read).lines(), input };
        let client = json!({"name": "test", "version": "1"});
        let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
        session.request(0, "initialize", params).await;
        session
    }

    async fn request(&mut self, id: i64, method: &str, params: Value) -> Value {
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.input.write_all(format!("{message}\n").as_bytes()).await.unwrap();
        let line = timeout(DEADLINE, self.output.next_line()).await.expect("an answer").unwrap().unwrap();
        serde_json::from_str(&line).unwrap()
    }
}

/// M4.1.2-10 R5.2-5: a panic fails its own call with a structured error, and the next call works.
#[tokio::test(flavor = "multi_thread")]
async fn a_panic_fails_one_call() {
    let api = upstream().await;
    let environment = Arc::new(Panicking::default());
    let settings =
        SourceSettings { base_url: Some(api.base_url().parse().unwrap()), ..SourceSettings::default() };
    let shared: Arc<dyn Environment> = environment.clone();
    let aqueduct = Aqueduct::builder().source(shop(), settings).environment(shared).build().unwrap();
    let mut session = Session::open(aqueduct.clone()).await;
    environment.armed.store(true, Ordering::SeqCst);
    let broken = session.request(1, "tools/call", get_product(3)).await;
    assert_eq!(code(&inside(&broken)), "INTERNAL_ERROR");
    assert_eq!(broken["result"]["isError"], true);
    assert!(!broken.to_string().contains("environment broke"), "{broken}");
    environment.armed.store(false, Ordering::SeqCst);
    let fine = session.request(2, "tools/call", get_product(3)).await;
    assert_eq!(inside(&fine)["data"]["id"], 3);
}
