//! Tests of `raw`.

use super::RawResults;
use rmcp::model::{JsonRpcMessage, NumberOrString};
use serde_json::json;

/// An answer that no one can read ends the wait for it.
#[test]
fn unreadable_answers_are_errors() {
    let results = RawResults::default();
    let deep = format!("{}{}", "[".repeat(500), "]".repeat(500));
    let text = format!(r#"{{"jsonrpc":"2.0","id":7,"result":{{"content":{deep}}}}}"#);
    let Ok(JsonRpcMessage::Error(error)) = results.read(text.as_bytes()) else { panic!() };
    assert_eq!(error.id, Some(NumberOrString::Number(7)));
    assert_eq!(error.error.message, "The answer of the server is nested too deeply");
    let mended = results.record_text(&text).unwrap();
    assert!(mended.contains("nested too deeply") && mended.contains(r#""id":7"#), "{mended}");
    for text in ["Starting...", r#"{"not": "a message"}"#, r#"{"jsonrpc":"2.0","id":7,"result":"#] {
        assert!(results.read(text.as_bytes()).is_err(), "{text}");
        assert_eq!(results.record_text(text), None);
    }
    assert_eq!(results.record_text(r#"{"jsonrpc":"2.0","id":7,"result":{}}"#), None);
}

/// S-mcp-28: fields that the SDK does not know are kept.
#[test]
fn announced_results_are_kept_whole() {
    let results = RawResults::default();
    let announced = results.announce(NumberOrString::Number(7));
    let tools = json!({"tools": [{"name": "a", "inputSchema": true, "execution": {"x": 1}}]});
    results.record(&json!({"jsonrpc": "2.0", "id": 8, "result": {"other": 1}}));
    assert_eq!(announced.take(), None);
    results.record(&json!({"jsonrpc": "2.0", "id": "7", "result": tools}));
    assert_eq!(announced.take(), Some(tools));
    drop(announced);
    results.record(&json!({"jsonrpc": "2.0", "id": 7, "result": {}}));
    assert!(results.announced.lock().unwrap().is_empty(), "nothing is kept that nobody waits for");
}
