//! Answers of a server as large as are allowed, many at once: others do not wait for them.

use super::fake;
use crate::outside::harness::{Place, Server, inside};
use serde_json::{Value, json};

const CALLS: usize = 5;

/// Megabytes in small pieces, to be looked through for the server's secrets, are looked through elsewhere than where calls
/// are served; and no secret is in them.
#[tokio::test]
async fn a_small_call_does_not_wait_for_large_answers() {
    let place = Place::new();
    let piece = json!({"id": 1, "text": "a%20secret: s3cret-value-of-it \\u0041"});
    let tools = json!([{"name": "get_large", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true},
        "_meta": {"answer": piece, "times": 40_000}}]);
    let tools = place.write("tools.json", tools.to_string());
    let entry =
        json!({"command": fake(), "args": ["--tools", tools], "env": {"SECRET": "s3cret-value-of-it"}});
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
    let (mut answered, mut small, mut is_small_answered) = (0, None, false);
    while answered < CALLS {
        let message = server.next().await;
        if small.is_some_and(|small: i64| message["id"] == small) {
            assert_eq!(inside(&message)["success"], true, "{message}");
            is_small_answered = true;
        } else if larges.iter().any(|id| message["id"] == *id) {
            answered += 1;
            let text = message.to_string();
            assert!(!text.contains("s3cret-value"), "{text}");
            if answered == 1 {
                let call = arguments("introspect", json!({"query": "capabilities"}));
                small = Some(server.ask("tools/call", call).await);
            }
        }
    }
    assert!(is_small_answered, "the small call waited for the large ones");
}
