//! Tests of `answer`.

use super::{envelope, fit};
use aqueduct_operations::mcp::ServerListing;
use serde_json::{Value, json};

fn data(result: Value, parse_json_text: bool) -> Value {
    envelope(result, "s.t", parse_json_text).data
}

/// S-mcp-13 S-mcp-15: an envelope of data and meta, and structured content before content.
#[test]
fn structured_content_is_preferred() {
    let result = json!({"content": [{"type": "text", "text": "{}"}], "structuredContent": {"a": [1]}});
    let envelope = envelope(result, "weather.get", false);
    assert_eq!(envelope.data, json!({"a": [1]}));
    assert_eq!(envelope.meta.source, "mcp");
    assert_eq!(envelope.meta.operation_id, "weather.get");
    assert!(envelope.meta.timestamp.parse::<jiff::Timestamp>().is_ok());
    assert!(!envelope.is_error());
}

/// S-mcp-17: structured content is fitted to the tool's output schema; what a failure says, and what nothing is declared of,
/// stays.
#[test]
fn structured_content_is_fitted() {
    let schema =
        json!({"type": "object", "properties": {"n": {"type": "integer"}, "unit": {"default": "m"}}});
    let tools = vec![json!({"name": "measure", "outputSchema": schema}), json!({"name": "bare"})];
    let listing = ServerListing { tools, ..ServerListing::default() };
    let came = json!({"content": [], "structuredContent": {"n": 1, "more": 2}});
    let fitted = |tool: &str, mut result: Value| {
        fit(&mut result, &listing, tool);
        result["structuredContent"].take()
    };
    assert_eq!(fitted("measure", came.clone()), json!({"n": 1, "unit": "m"}));
    for tool in ["bare", "other"] {
        assert_eq!(fitted(tool, came.clone()), json!({"n": 1, "more": 2}), "{tool}");
    }
    let mut failed = came;
    failed["isError"] = json!(true);
    assert_eq!(fitted("measure", failed), json!({"n": 1, "more": 2}));
    assert_eq!(fitted("measure", json!({"content": [{"type": "text", "text": "a"}]})), Value::Null);
}

/// S-mcp-16 S-mcp-19: otherwise the content blocks, whatever their kind, nothing lost.
#[test]
fn blocks_stay_as_they_came() {
    let blocks = json!([
        {"type": "text", "text": "a", "annotations": {"audience": ["user"]}},
        {"type": "image", "data": "aGk=", "mimeType": "image/png"},
        {"type": "audio", "data": "aGk=", "mimeType": "audio/wav"},
        {"type": "resource", "resource": {"uri": "a:b", "text": "c"}},
        {"type": "resource_link", "uri": "a:b", "name": "c"},
        {"type": "hologram", "x": 1},
    ]);
    assert_eq!(data(json!({"content": blocks}), false), blocks);
    assert_eq!(data(json!({"content": blocks, "structuredContent": null}), false), blocks);
    assert_eq!(data(json!({}), false), json!([]));
}

/// S-mcp-18: a failure is an envelope that says so, with the server's words.
#[test]
fn failures_are_marked() {
    let words = json!([{"type": "text", "text": "disk full"}]);
    let plain = envelope(json!({"content": words, "isError": true}), "s.t", true);
    assert!(plain.is_error());
    assert_eq!(plain.data, words);
    let result = json!({"content": words, "structuredContent": {"code": 5}, "isError": true});
    let structured = envelope(result, "s.t", false);
    assert!(structured.is_error());
    assert_eq!(structured.data, json!({"code": 5}));
    assert_eq!(structured.meta.more["content"], words);
}

/// S-mcp-20: JSON in text blocks is read only when asked for, and text that is none stays text.
#[test]
fn json_in_text_is_read_when_asked_for() {
    let result = json!({"content": [{"type": "text", "text": "{\"a\":1}"}]});
    assert_eq!(data(result.clone(), false), result["content"]);
    assert_eq!(data(result, true), json!({"a": 1}));
    let mixed = json!({"content": [{"type": "text", "text": "[1]"}, {"type": "text", "text": "{not"}]});
    assert_eq!(data(mixed, true), json!([[1], {"type": "text", "text": "{not"}]));
    let word = json!({"content": [{"type": "text", "text": "42"}]});
    assert_eq!(data(word.clone(), true), word["content"], "a lone number may just be a word");
}
