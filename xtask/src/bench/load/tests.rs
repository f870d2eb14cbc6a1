//! Tests of `load`.

use super::{Request, check};
use serde_json::{Value, json};

#[test]
fn every_request_has_an_id_of_its_own() {
    let mut request = Request::line("t", &json!({"a": 1}));
    let id = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).unwrap()["id"].clone();
    let (first, second) = (id(request.next()), id(request.next()));
    assert_eq!((first, second), (json!(100_000_001), json!(100_000_002)));
}

#[test]
fn failures_do_not_count() {
    assert!(check(b"{\"name\":\"doggie\"}").is_ok());
    assert!(check(b"{\"success\":false}").is_err());
}
