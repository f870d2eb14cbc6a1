//! An MCP server among others: tools that claim to only read, schemas that never end, questions without number, and addresses inside
//! the house.

mod bombs;
mod claims;
mod large;
mod questions;

use crate::outside::harness::{Place, Server, fake_server, inside};
use aqueduct_testkit::mcp::web::{Speaks, WebServer};
use serde_json::{Value, json};

/// Ruling S7: a server over HTTP is no way to a metadata service, however its address is written; one that is named where
/// it is, is reached.
#[tokio::test]
async fn addresses_inside_the_house() {
    let place = Place::new();
    for address in ["169.254.169.254", "0xa9fea9fe", "[::ffff:169.254.169.254]", "metadata.google.internal"] {
        let server = format!("mcp+http://{address}/mcp");
        let ran = place.run(&["introspect", &server, "--state-dir", "state"], &[], "").await;
        assert_ne!(ran.code, 0, "{ran:?}");
        assert!(ran.stderr.contains("refused"), "{address}: {ran:?}");
    }
    let own = WebServer::start(Speaks::Newest).await;
    let server = format!("mcp+{}", own.url);
    let words = ["introspect", &server, "--trust", "validated", "--state-dir", "state"];
    let ran = place.run(&words, &[], "").await;
    assert!(ran.code == 0 && ran.stdout.contains("tool_0"), "{ran:?}");
}

/// Ruling S7: credentials for one server go along no redirect to another.
#[tokio::test]
async fn redirects_get_no_credentials() {
    let other = WebServer::start(Speaks::Newest).await;
    let away = WebServer::redirecting_to(&other.url).await;
    let place = Place::new();
    let variables = [("HOSTED", "h0sted-token-value")];
    let arguments = |url: String| {
        ["introspect".to_owned(), format!("mcp+{url}"), "--auth-env".to_owned(), "HOSTED".to_owned()]
    };
    let run = async |url: String| {
        let words = arguments(url);
        let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
        words.extend(["--state-dir", "state"]);
        place.run(&words, &variables, "").await
    };
    let led = run(away.to_string()).await;
    assert_ne!(led.code, 0, "{led:?}");
    assert!(other.credentials().is_empty(), "{:?}", other.credentials());
    let straight = run(other.url.to_string()).await;
    assert_eq!(straight.code, 0, "{straight:?}");
    assert!(other.credentials().iter().all(|sent| sent == "Bearer h0sted-token-value"), "{straight:?}");
}

/// A question that names no call is not withdrawn when another call of the same person ends, and its answer gets to the
/// server.
#[tokio::test]
async fn another_call_that_ends_withdraws_no_question() {
    let place = Place::new();
    let text = format!(
        "---\nname: asking\ntype: adapter\nversion: \"1.0.0\"\ndescription: \"A server that asks\"\ntarget: {{ transport: \
         stdio, protocol: mcp, serialization: json, command: {:?} }}\noperations:\n  read:\n    - {{ name: ask_late, maps_to: \
         \"TOOL ask_late\", description: \"Asks\" }}\n    - {{ name: nudge, maps_to: \"TOOL nudge\", description: \"Nudges\" }}\n    - {{ name: process, maps_to: \"TOOL process\", description: \"Its process\" }}\n---\n",
        fake_server()
    );
    let file = place.write("asking-adapter.md", text);
    let mut server = Server::start_in(place, &[&file], &[("PATH", "/usr/bin:/bin")]);
    let client = json!({"name": "test", "version": "1.0"});
    let params =
        json!({"protocolVersion": "2025-11-25", "capabilities": {"elicitation": {}}, "clientInfo": client});
    server.request("initialize", params).await;
    server.send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
    // A slow machine starts the server behind it later than a call waits for that.
    while server.call("mcp_aql_read", "process", json!({})).await["success"] != true {}
    let call = |operation: &str| json!({"name": "mcp_aql_read", "arguments": {"operation": operation}});
    let asking = server.ask("tools/call", call("ask_late")).await;
    let nudging = server.ask("tools/call", call("nudge")).await;
    let (mut question, mut nudged) = (Value::Null, Value::Null);
    while question.is_null() || nudged.is_null() {
        let message = server.next().await;
        assert_ne!(message["method"], "notifications/cancelled", "{message}");
        match message["method"].as_str() {
            Some("elicitation/create") => question = message,
            None if message["id"] == json!(nudging) => nudged = message,
            _ => {}
        }
    }
    assert_eq!(inside(&nudged)["success"], true, "{nudged}");
    let yes = json!({"action": "accept", "content": {"ok": true}});
    server.send(json!({"jsonrpc": "2.0", "id": question["id"], "result": yes})).await;
    let asked = inside(&server.answer(asking).await);
    assert_eq!(asked["data"]["answer"], yes, "{asked}");
}
