//! Tools whose schemas are made to multiply.

use crate::outside::attacks::bomb::chain;
use crate::outside::harness::{Place, Server, code, fake_server};
use serde_json::{Value, json};

/// Sixty schemas, each twice the next, in what a tool takes and in what it gives: both decided, and others go on.
#[tokio::test]
async fn schemas_of_tools() {
    let (chain, bomb) =
        (chain("#/$defs", |next| json!({"anyOf": [next, next]})), json!({"$ref": "#/$defs/d0"}));
    let place = Place::new();
    let input = json!({"type": "object", "$defs": chain, "properties": {"x": bomb, "t": {"type": "string", "pattern": "[ab]{5000}c"},
        "huge": {"type": "string", "pattern": "a".repeat(20_000)}}});
    let tools = json!([
        {"name": "get_in", "inputSchema": input, "annotations": {"readOnlyHint": true}, "_meta": {"answer": {"fine": true}}},
        {"name": "get_out", "inputSchema": {"type": "object"}, "outputSchema": {"type": "object", "$defs": chain, "properties": {"x": bomb}},
            "annotations": {"readOnlyHint": true}, "_meta": {"answer": {"x": {"a": "x"}}}},
    ]);
    let file = place.write("tools.json", tools.to_string());
    let servers = json!({"mcpServers": {"trap": {"command": fake_server(), "args": ["--tools", file]}}});
    let servers = place.write("servers.json", servers.to_string());
    let examined =
        place.run(&["doctor", &servers, "--state-dir", "state"], &[("PATH", "/usr/bin:/bin")], "").await;
    assert!(examined.stdout.contains("get_in.inputSchema.properties.huge.pattern"), "{}", examined.stdout);
    assert!(!examined.stdout.contains("properties.t.pattern"), "{}", examined.stdout);
    let mut server =
        Server::start_in(place, &[&servers, "--trust", "trap=official"], &[("PATH", "/usr/bin:/bin")]);
    server.open().await;
    let ask = async |server: &mut Server, operation: &str, params: Value| {
        let name = format!("trap__{operation}");
        server.call("mcp_aql_read", &name, params).await
    };
    let fits = ask(&mut server, "get_in", json!({"x": {"a": "x"}})).await;
    assert_eq!(fits["data"]["fine"], true, "{fits}");
    let other = ask(&mut server, "get_in", json!({"x": {"a": 1}})).await;
    assert!(code(&other).starts_with("VALIDATION_"), "{other}");
    let long = ask(&mut server, "get_in", json!({"t": "ab".repeat(300_000)})).await;
    assert_eq!(code(&long), "VALIDATION_INVALID_VALUE", "{long}");
    let given = ask(&mut server, "get_out", json!({})).await;
    assert_eq!(given["data"]["x"]["a"], "x", "{given}");
    let echoed = ask(&mut server, "echo", json!({"some_text": "hi"})).await;
    assert_eq!(echoed["data"]["got"]["Some Text"], "hi", "{echoed}");
}
