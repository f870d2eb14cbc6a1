//! Lines that are no clean messages. After each the server still answers.

use super::harness::{Server, code, inside, shop};
use serde_json::{Value, json};

async fn opened() -> Server {
    let mut server = Server::start(&[&shop()], &[]);
    server.open().await;
    server
}

/// A tool call with these raw bytes as the value of a parameter.
fn call_with(id: &str, note: &[u8]) -> Vec<u8> {
    let head = format!(
        r#"{{"jsonrpc":"2.0","id":"{id}","method":"tools/call","params":{{"name":"mcp_aql_create","arguments":{{"operation":"create_order","params":{{"product_id":1,"note":"#
    );
    [head.as_bytes(), note, b"}}}}"].concat()
}

/// M4.2-2 M4.2-4 M1.1-2: every kind of line that is no request gets the JSON-RPC error that fits, and a request that
/// fails none: its failure is in its result.
#[tokio::test]
async fn protocol_errors() {
    let mut server = opened().await;
    for (line, expected) in [
        ("hello", -32700),
        ("{", -32700),
        (r#"{"jsonrpc":"2.0","id":7,"method":"#, -32700),
        (r#"{"jsonrpc":"2.0","id":7,"method":"ping"}garbage"#, -32700),
        ("[]", -32600),
        (r#"[{"jsonrpc":"2.0","id":7,"method":"ping"}]"#, -32600),
        ("42", -32600),
        ("null", -32600),
        (r#""text""#, -32600),
        ("{}", -32600),
        (r#"{"id":7}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":7,"method":5}"#, -32600),
        (r#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":"x"}"#, -32602),
        (r#"{"jsonrpc":"2.0","id":7,"method":"tools/call"}"#, -32602),
    ] {
        server.send_bytes(line.as_bytes()).await;
        let answer = server.next().await;
        assert_eq!(answer["error"]["code"], expected, "{line}: {answer}");
        assert_eq!(answer.get("result"), None, "{line}: {answer}");
        assert!(server.is_alive().await, "{line}");
    }
    let answer = server.call_raw("mcp_aql_read", json!({"operation": "no_such_operation"})).await;
    assert_eq!((answer.get("error"), code(&inside(&answer))), (None, "NOT_FOUND_OPERATION"));
}

/// Blank lines, carriage returns and unknown notifications are passed over in silence.
#[tokio::test]
async fn silence() {
    let mut server = opened().await;
    for line in ["", "   ", "\t", "\r"] {
        server.send_bytes(line.as_bytes()).await;
    }
    server.send(json!({"jsonrpc": "2.0", "method": "notifications/unheard_of", "params": {"x": [1]}})).await;
    server
        .send(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 99}}))
        .await;
    server.send(json!({"jsonrpc": "2.0", "id": 77, "result": {}})).await;
    server.send_bytes(b"{\"jsonrpc\":\"2.0\",\"id\":\"crlf\",\"method\":\"ping\"}\r").await;
    assert_eq!(server.next().await["id"], "crlf");
    assert!(server.is_alive().await);
}

/// C4.7.1-1 C4.7.1-4: text that is not clean Unicode is a tool result with its own code, and the id is kept.
#[tokio::test]
async fn bad_text() {
    let mut server = opened().await;
    for (number, note) in [
        &b"\"a\xFFb\""[..],
        b"\"\xC0\xAF\"",
        b"\"\xED\xA0\x80\"",
        br#""\ud800""#,
        br#""\udc00x""#,
        br#""a\u0000b""#,
    ]
    .iter()
    .enumerate()
    {
        let id = format!("text-{number}");
        server.send_bytes(&call_with(&id, note)).await;
        let answer = server.answer(id).await;
        assert_eq!(code(&inside(&answer)), "VALIDATION_INVALID_ENCODING", "{answer}");
        assert_eq!(answer["result"]["isError"], false);
        assert!(server.is_alive().await);
    }
}

/// C4.7.5-7: too deep, too long, too large: the limit is named, and the next call works.
#[tokio::test]
async fn too_much() {
    let mut server = opened().await;
    let deep = |levels: usize| format!("{}1{}", "[".repeat(levels), "]".repeat(levels));
    let text = |length: usize| format!("\"{}\"", "x".repeat(length));
    for (id, note, limit) in [
        ("deep", deep(40), "nesting_depth"),
        ("deeper", deep(500), "nesting_depth"),
        ("deepest", deep(200_000), "nesting_depth"),
        ("long", text(2_000_000), "request_size"),
        ("longest", text(20_000_000), "request_size"),
    ] {
        server.send_bytes(&call_with(id, note.as_bytes())).await;
        let answer = server.answer(id).await;
        let failure = inside(&answer);
        assert_eq!(code(&failure), "VALIDATION_PAYLOAD_TOO_LARGE", "{id}");
        assert_eq!(failure["error"]["details"]["limit_type"], limit, "{id}: {failure}");
        assert!(server.is_alive().await, "{id}");
    }
}

/// An id that is neither text nor a number cannot be answered, but must not harm.
#[tokio::test]
async fn strange_ids() {
    let mut server = opened().await;
    for id in ["null", "1.5", "[1]", "{}", "true", "9223372036854775808", "-1", "\"\""] {
        let line = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
        server.send_bytes(line.as_bytes()).await;
        let probe = server.ask("ping", Value::Null).await;
        server.answer(probe).await;
    }
}
