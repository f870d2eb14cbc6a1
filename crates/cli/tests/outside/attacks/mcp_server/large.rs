//! Answers of a server as large as are allowed, many at once: others do not wait for them.

use crate::outside::harness::{Place, Server, fake_server, inside};
use serde_json::{Map, Value, json};

const CALLS: usize = 5;

/// Megabytes in small pieces, to be looked through for the server's secrets, are looked through elsewhere than where calls
/// are served; and no secret is in them.
#[tokio::test]
async fn a_small_call_does_not_wait_for_large_answers() {
    let place = Place::new();
    let piece = json!({"id": 1, "text": "a%20secret: s3cret-value-of-it \\u0041"});
    let tools = json!([{"name": "get_large", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true},
        "_meta": {"answer": piece, "times": 8_000}}]);
    let tools = place.write("tools.json", tools.to_string());
    // The more secrets, the longer it takes to find none of them.
    let mut env: Map<String, Value> =
        (0..10).map(|n| (format!("TOKEN_{n}"), format!("another-t0ken-{n}").into())).collect();
    env.insert("SECRET".to_owned(), "s3cret-value-of-it".into());
    let entry = json!({"command": fake_server(), "args": ["--tools", tools], "env": env});
    let servers = place.write("servers.json", json!({"mcpServers": {"big": entry}}).to_string());
    let variables = [("PATH", "/usr/bin:/bin")];
    let mut server = Server::start_in(place, &[&servers, "--trust", "big=validated"], &variables);
    server.open().await;
    let arguments = |operation: &str, params: Value| json!({"name": "mcp_aql_read", "arguments": {"operation": operation, "params": params}});
    let warm = server.call("mcp_aql_read", "big__echo", json!({"some_text": "hi"})).await;
    assert_eq!(warm["data"]["got"]["Some Text"], "hi", "{warm}");
    let mut larges = Vec::new();
    for _ in 0..CALLS {
        let large = arguments("big__get_large", json!({"budget": 1_000}));
        larges.push(server.ask("tools/call", large).await);
    }
    // Small calls one after the other, for as long as there are large ones.
    let introspect = arguments("introspect", json!({"query": "capabilities"}));
    let mut small = server.ask("tools/call", introspect.clone()).await;
    let (mut answered, mut smalls) = (0, 0);
    while answered < CALLS {
        let message = server.next().await;
        if larges.iter().any(|id| message["id"] == *id) {
            answered += 1;
            let text = message.to_string();
            assert!(!text.contains("s3cret-value"), "{text}");
            smalls = if answered == 1 { 0 } else { smalls };
        } else if message["id"] == small {
            assert_eq!(inside(&message)["success"], true, "{message}");
            smalls += 1;
            small = server.ask("tools/call", introspect.clone()).await;
        }
    }
    // Where each waited for a large one there would be no more of them than of those.
    assert!(smalls > 4 * CALLS, "the small calls waited for the large ones: {smalls}");
}
