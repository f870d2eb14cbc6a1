//! Tests of `load`.

use super::{Request, ToolCall, check};
use crate::bench::upstream::Body;
use serde_json::{Value, json};

#[test]
fn every_request_has_an_id_of_its_own() {
    let call = ToolCall { tool: "t", arguments: |pet| json!({"a": pet}) };
    let message = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).unwrap();
    let mut request = Request::line(&call, Body::Large, 0);
    let (first, second) = (message(request.next()), message(request.next()));
    assert_eq!((&first["id"], &second["id"]), (&json!(100_000_001), &json!(100_000_002)));
    assert_eq!(first["params"], json!({"name": "t", "arguments": {"a": 100}}));
    let mut later = Request::line(&call, Body::Small, request.id());
    assert_eq!(message(later.next())["id"], 100_000_003);
}

#[test]
fn failures_do_not_count() {
    assert!(check(b"{\"name\":\"doggie\"}").is_ok());
    assert!(check(b"{\"success\":false}").is_err());
}
