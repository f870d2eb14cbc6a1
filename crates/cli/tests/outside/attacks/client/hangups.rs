//! Clients that ask for long work and go away: the work ends with them, whichever way they came.

use crate::outside::attacks::bomb::wide;
use crate::outside::harness::{DEADLINE, Place, Server};
use crate::outside::http::server::{HttpServer, call};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::time::timeout;

/// So many steps that work which is not stopped outlasts every wait here.
const ENDLESS: &str = "[limits]\nmax_work_steps = 10000000000\n";

/// A document whose parameter takes long to be checked, served from this folder.
async fn trap(place: &Place) -> (FakeApi, String) {
    let api = FakeApi::always(Answer::json(200, json!({"fine": true}))).await;
    let answer = json!({"200": {"description": "ok", "content": {"application/json": {"schema": {"type": "object"}}}}});
    let given = json!({"name": "given", "in": "query", "required": true, "content": {"application/json": {"schema": wide(4_000)}}});
    let document = json!({
        "openapi": "3.1.0", "info": {"title": "Trap", "version": "1"}, "servers": [{"url": api.base_url()}],
        "paths": {"/things": {"get": {"operationId": "get_things", "responses": answer, "parameters": [given]}}},
    });
    place.write("aqueduct.toml", ENDLESS);
    let file = place.write("trap.json", document.to_string());
    (api, file)
}

/// How many threads of a process do work that takes long.
fn working(process: u32) -> usize {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{process}/task")) else { return 0 };
    let names = threads.filter_map(|thread| std::fs::read_to_string(thread.ok()?.path().join("comm")).ok());
    names.filter(|name| name.trim() == "work").count()
}

async fn wait_until(is_so: impl Fn() -> bool, what: &str) {
    let waiting = async {
        while !is_so() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(DEADLINE, waiting).await.unwrap_or_else(|_| panic!("{what}"));
}

fn long_call() -> Value {
    json!({"given": vec!["x"; 10_000]})
}

/// Over HTTP the connection is closed, in a session and without one.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_closed_connection_ends_the_work() {
    for is_stateless in [false, true] {
        let place = Place::new();
        let (_api, file) = trap(&place).await;
        let state = place.path().join("state").display().to_string();
        let server = HttpServer::start(place, &[&file, "--state-dir", &state], &[]).await;
        let process = server.process_id();
        let session = server.open("2025-11-25", &[]).await;
        let message = call(9, "mcp_aql_read", "get_things", long_call());
        let bytes = match is_stateless {
            true => server.stateless_bytes(&[], &message),
            false => server.posted(&[("mcp-session-id", &session)], message.to_string().as_bytes()),
        };
        let mut stream = server.connect().await;
        stream.write_all(&bytes).await.unwrap();
        wait_until(|| working(process) > 0, "the work begins").await;
        drop(stream);
        wait_until(|| working(process) == 0, "the work ends with its client").await;
        let next = call(10, "mcp_aql_read", "get_things", json!({"given": ["x"]}));
        assert_eq!(server.in_session(&session, &[], &next).await.inside()["data"]["fine"], true);
    }
}

/// Over stdio the call is cancelled, and the next one is served.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_cancelled_call_ends_its_work() {
    let place = Place::new();
    let (_api, file) = trap(&place).await;
    let mut server = Server::start_in(place, &[&file], &[]);
    server.open().await;
    let arguments = json!({"operation": "get_things", "params": long_call()});
    let id = server.ask("tools/call", json!({"name": "mcp_aql_read", "arguments": arguments})).await;
    let process = server.process_id();
    wait_until(|| working(process) > 0, "the work begins").await;
    let params = json!({"requestId": id});
    server.send(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})).await;
    wait_until(|| working(process) == 0, "the work ends with its call").await;
    let next = server.call("mcp_aql_read", "get_things", json!({"given": ["x"]})).await;
    assert_eq!(next["data"]["fine"], true, "{next}");
}

/// A client over stdio that dies takes everything with it: what is computed, and what an API was asked for. One that only
/// ends its input still gets its answers (`end_of_input_finishes_calls`).
#[tokio::test]
async fn a_client_that_dies_ends_its_calls() {
    let place = Place::new();
    let (_api, file) = trap(&place).await;
    let mut server = Server::start_in(place, &[&file], &[]);
    server.open().await;
    let arguments = json!({"operation": "get_things", "params": long_call()});
    server.ask("tools/call", json!({"name": "mcp_aql_read", "arguments": arguments})).await;
    // Far sooner than the last moment for calls whose answers can still be read.
    assert_eq!(timeout(Duration::from_secs(20), server.vanish()).await, Ok(0));
    let api = FakeApi::always(Answer::hang()).await;
    let mut server = Server::shop(&api.base_url(), &[], &[]).await;
    let arguments = json!({"operation": "get_product", "params": {"product_id": 1}});
    server.ask("tools/call", json!({"name": "mcp_aql_read", "arguments": arguments})).await;
    timeout(DEADLINE, api.wait_for_request_count(1)).await.expect("it is sent");
    assert_eq!(timeout(Duration::from_secs(20), server.vanish()).await, Ok(0));
    timeout(DEADLINE, api.wait_for_closed_connection()).await.expect("given up");
}
