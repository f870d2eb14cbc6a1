//! Tests of `raw`.

use super::{LONGEST_STRAY, RawResults};
use aqueduct_egress::redact::Redactor;
use rmcp::model::{JsonRpcMessage, NumberOrString};
use serde_json::json;
use std::sync::Arc;

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

/// What a server prints stands in reports without its secrets, in one short line, and moves no cursor.
#[test]
fn stray_lines_are_made_harmless() {
    let mut redactor = Redactor::default();
    redactor.add_secret("s3cret-of-the-server");
    let redactor = Arc::new(redactor);
    let long = format!("{} s3cret-of-the-server", "x".repeat(LONGEST_STRAY - 10));
    for (printed, shown) in [
        ("key s3cret-of-the-server\rready\t now\u{7}", "key [REDACTED] ready now"),
        ("\u{1b}[31mred \u{202e}txt s3cret-of\u{200b}-the-server", "[31mred txt [REDACTED]"),
        ("  ", ""),
        (long.as_str(), ""),
    ] {
        let results = RawResults::of(Arc::clone(&redactor));
        assert!(results.read(printed.as_bytes()).is_err());
        assert!(results.read(b"another").is_err());
        let stray = results.stray_lines();
        assert_eq!(stray.count, 2);
        assert!(!stray.first.contains("s3cret"), "{stray:?}");
        assert!(stray.first.chars().count() <= LONGEST_STRAY, "{stray:?}");
        assert!(shown.is_empty() || stray.first == shown, "{stray:?}");
    }
}
