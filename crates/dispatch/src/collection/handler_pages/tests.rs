//! Tests of `handler_pages`: which content blocks are a list.

use super::from_blocks;
use aqueduct_operations::raw_json::RawJson;
use serde_json::{Value, json};

fn page(data: &Value) -> (Value, bool) {
    let page = from_blocks(RawJson::of(data));
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

#[test]
fn other_content_is_no_list() {
    let image = json!({"type": "image", "data": "", "mimeType": "image/png"});
    for data in [
        json!([text("two books")]),
        json!([text("{\"id\": 1}")]),
        json!([text("7")]),
        json!([text("{\"id\": 1}"), text("and so on")]),
        json!([text("[1]"), text("[2]")]),
        json!([text("[1]"), image]),
    ] {
        assert_eq!(page(&data), (data.clone(), true));
    }
}
