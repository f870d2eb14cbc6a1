//! Opening a session, and the methods that every MCP server has.

use super::harness::{Server, inside, shop};
use serde_json::{Value, json};

/// M1.4-3: initialize, tools/list, tools/call, shutdown, with both protocol versions that we promise and older ones.
#[tokio::test]
async fn whole_session_in_every_version() {
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let mut server = Server::start(&[&shop()], &[]);
        let answer = server.initialize(version).await;
        assert_eq!(answer["result"]["protocolVersion"], version);
        assert_eq!(answer["result"]["serverInfo"]["name"], "aqueduct");
        assert_eq!(answer["result"]["serverInfo"]["version"], env!("CARGO_PKG_VERSION"));
        assert!(answer["result"]["capabilities"]["tools"].is_object());
        assert_eq!(server.request("ping", Value::Null).await["result"], json!({}));
        assert_eq!(server.tools().await.len(), 5);
        let listed = server.call("mcp_aql_read", "introspect", json!({"query": "operations"})).await;
        assert_eq!(listed["success"], true);
        assert_eq!(server.finish().await.0, 0);
    }
}

/// The protocol without a handshake: every request says what its client is.
#[tokio::test]
async fn without_a_handshake() {
    let mut server = Server::start(&[&shop()], &[]);
    let about = "io.modelcontextprotocol";
    let meta = json!({format!("{about}/protocolVersion"): "2026-07-28", format!("{about}/clientCapabilities"): {},
                      format!("{about}/clientInfo"): {"name": "test", "version": "1"}});
    let found = server.request("server/discover", json!({"_meta": meta})).await;
    for version in ["2025-06-18", "2025-11-25", "2026-07-28"] {
        let versions = found["result"]["supportedVersions"].as_array().unwrap();
        assert!(versions.contains(&json!(version)), "{found}");
    }
    let listed = server.request("tools/list", json!({"_meta": meta})).await;
    assert_eq!(listed["result"]["tools"].as_array().unwrap().len(), 5);
    let arguments = json!({"operation": "introspect", "params": {"query": "operations"}});
    let params = json!({"name": "mcp_aql_read", "arguments": arguments, "_meta": meta});
    assert_eq!(inside(&server.request("tools/call", params).await)["success"], true);
    assert_eq!(server.finish().await.0, 0);
}

#[tokio::test]
async fn unknown_versions_get_one_that_we_speak() {
    let mut server = Server::start(&[&shop()], &[]);
    let answer = server.initialize("2099-01-01").await;
    let version = answer["result"]["protocolVersion"].as_str().unwrap();
    assert!(version.starts_with("202"), "{answer}");
    assert!(server.is_alive().await);
}

/// What a client may put before its model says how to start.
#[tokio::test]
async fn instructions_name_the_first_call() {
    let mut server = Server::start(&[&shop()], &[]);
    let instructions = server.open().await["instructions"].as_str().unwrap().to_owned();
    assert!(instructions.contains("Products and orders of a small shop"), "{instructions}");
    assert!(instructions.contains("mcp_aql_read") && instructions.contains("introspect"), "{instructions}");
}

/// M4.2-3 M4.2-4: unknown methods and tools are protocol errors that say what there is.
#[tokio::test]
async fn unknown_methods_and_tools() {
    let mut server = Server::start(&[&shop()], &[]);
    server.open().await;
    for method in ["tools/destroy", "resources/read", "nonsense", ""] {
        assert_eq!(server.request(method, json!({})).await["error"]["code"], -32601, "{method}");
    }
    for method in ["tools/destroy", "nonsense"] {
        let said = server.request(method, json!({})).await["error"]["message"].clone();
        assert_eq!(said, format!("Unknown method '{method}'. Use tools/list and tools/call."));
    }
    let unknown = server.call_raw("mcp_aql_query", json!({"operation": "introspect"})).await;
    assert_eq!(unknown["error"]["code"], -32602);
    let message = unknown["error"]["message"].as_str().unwrap();
    assert!(message.contains("mcp_aql_query") && message.contains("mcp_aql_read"), "{message}");
    for params in [
        json!({}),
        json!({"name": 5}),
        json!({"name": "mcp_aql_read", "arguments": [1]}),
        json!(null),
        json!([1]),
    ] {
        let id = server.ask("tools/call", params.clone()).await;
        assert_eq!(server.answer(id).await["error"]["code"], -32602, "{params}");
    }
    assert!(server.is_alive().await);
}

/// M1.4-3: pings are answered before the session is open, and what comes too early is refused, not fatal.
#[tokio::test]
async fn messages_before_initialize() {
    let mut server = Server::start(&[&shop()], &[]);
    server.send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
    server.send(json!({"jsonrpc": "2.0", "method": "notifications/strange", "params": {"a": 1}})).await;
    server.send_bytes(b"not json").await;
    assert_eq!(server.next().await["error"]["code"], -32700);
    assert!(server.is_alive().await);
    let early = server.request("tools/list", Value::Null).await;
    assert!(early["error"]["code"].is_i64(), "{early}");
    // Also what runs without the SDK once the session is open.
    let introspect = json!({"operation": "introspect", "params": {"query": "operations"}});
    let early = server.request("tools/call", json!({"name": "mcp_aql_read", "arguments": introspect})).await;
    assert!(early["error"]["code"].is_i64(), "{early}");
    assert_eq!(server.initialize("2025-06-18").await["result"]["protocolVersion"], "2025-06-18");
    assert_eq!(server.tools().await.len(), 5);
}

/// A client that asks twice to open the session, or repeats an id, harms no one.
#[tokio::test]
async fn repeated_requests() {
    let mut server = Server::start(&[&shop()], &[]);
    server.open().await;
    server.initialize("2025-06-18").await;
    for _ in 0..2 {
        server.send(json!({"jsonrpc": "2.0", "id": "same", "method": "ping"})).await;
        assert_eq!(server.answer("same").await["result"], json!({}));
    }
    assert!(server.is_alive().await);
}

/// C9.3-1: pipelined requests are accepted, and every one of them is answered.
#[tokio::test]
async fn pipelined_requests() {
    let mut server = Server::start(&[&shop()], &[]);
    server.open().await;
    let mut waiting = Vec::new();
    for _ in 0..200 {
        let arguments = json!({"operation": "introspect", "params": {"query": "operations"}});
        waiting.push(server.ask("tools/call", json!({"name": "mcp_aql_read", "arguments": arguments})).await);
    }
    while !waiting.is_empty() {
        let answer = server.next().await;
        assert_eq!(inside(&answer)["success"], true);
        waiting.retain(|id| answer["id"] != *id);
    }
}

/// A client that only opens and hangs up, or says nothing, has done nothing wrong.
#[tokio::test]
async fn hanging_up() {
    assert_eq!(Server::start(&[&shop()], &[]).finish().await.0, 0);
    let mut opened = Server::start(&[&shop()], &[]);
    opened.open().await;
    assert_eq!(opened.finish().await.0, 0);
    let mut only_notified = Server::start(&[&shop()], &[]);
    only_notified.send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
    assert_eq!(only_notified.finish().await.0, 0);
}
