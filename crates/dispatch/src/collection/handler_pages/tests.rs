//! Tests of `handler_pages`: which content blocks are a list.

use super::from_blocks;
use aqueduct_operations::raw_json::RawJson;
use aqueduct_operations::response::FieldPath;
use serde_json::{Value, json};

fn page(data: &Value) -> (Value, bool) {
    let page = from_blocks(RawJson::of(data), None);
    (serde_json::from_str(page.data.as_str()).unwrap(), page.is_text)
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

#[test]
fn json_in_text_is_a_list() {
    assert_eq!(page(&json!([text("[{\"id\": 1}]")])), (json!([{"id": 1}]), false));
    assert_eq!(
        page(&json!([text("{\"items\": [1], \"total\": 1}")])),
        (json!({"items": [1], "total": 1}), false)
    );
    assert_eq!(
        page(&json!([text("{\"id\": 1}"), text(" {\"id\": 2}\n")])),
        (json!([{"id": 1}, {"id": 2}]), false)
    );
    assert_eq!(page(&json!([])), (json!([]), false), "a list without items has no blocks");
    assert_eq!(page(&json!([{"id": 1}])), (json!([{"id": 1}]), false), "these are items already");
}

fn resource(mime_type: &str, text: &str) -> Value {
    json!({"type": "resource", "resource": {"uri": "file:///things", "mimeType": mime_type, "text": text}})
}

#[test]
fn json_in_resources_is_a_list() {
    for mime_type in ["application/json", "application/json; charset=utf-8", "application/vnd.things+json"] {
        assert_eq!(page(&json!([resource(mime_type, "[{\"id\": 1}]")])), (json!([{"id": 1}]), false));
    }
    let mixed = json!([resource("application/json", "{\"id\": 1}"), text("{\"id\": 2}")]);
    assert_eq!(page(&mixed), (json!([{"id": 1}, {"id": 2}]), false));
    for other in [
        json!([resource("text/plain", "[{\"id\": 1}]")]),
        json!([{"type": "resource", "resource": {"uri": "file:///x", "mimeType": "application/json", "blob": "W10="}}]),
        json!([{"type": "resource", "resource": {"uri": "file:///x", "text": "[1]"}}]),
    ] {
        assert_eq!(page(&other), (other.clone(), true));
    }
}

/// What an adapter file says of the place of the items holds for JSON in text too.
#[test]
fn a_list_at_its_declared_place() {
    let blocks = json!([text("{\"data\": {\"things\": [1]}}")]);
    for (path, is_text) in [(None, true), (Some("data.things"), false), (Some("data.others"), true)] {
        let path = path.and_then(FieldPath::parse);
        assert_eq!(from_blocks(RawJson::of(&blocks), path.as_ref()).is_text, is_text, "{path:?}");
    }
}

#[test]
fn other_content_is_no_list() {
    let image = json!({"type": "image", "data": "", "mimeType": "image/png"});
    for data in [
        json!([text("two books")]),
        json!([text("Two things:\n[{\"id\": 1}]")]),
        json!([text("Two things:"), text("[{\"id\": 1}]")]),
        json!([text("{\"data\": {\"things\": [1]}}")]),
        json!([text("{\"id\": 1}")]),
        json!([text("7")]),
        json!([text("{\"id\": 1}"), text("and so on")]),
        json!([text("[1]"), text("[2]")]),
        json!([text("[1]"), image]),
    ] {
        assert_eq!(page(&data), (data.clone(), true));
    }
}
