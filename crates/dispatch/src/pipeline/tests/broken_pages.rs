//! Pages that cannot be read: what came before them is given, with the way on.

use crate::test_server::{Setup, adapter};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// An API that fails on its second page loses nothing of the first; what needs all pages fails.
#[tokio::test]
async fn the_first_page_stays() {
    let well = Arc::new(AtomicBool::new(false));
    let is_well = Arc::clone(&well);
    let api = FakeApi::start(move |request| match request.query() {
        Some(query) if query.contains("cursor=b") && !is_well.load(Ordering::Relaxed) => {
            Answer::json(429, json!({"message": "slow down"}))
        }
        Some(query) if query.contains("cursor=b") => Answer::json(200, json!({"data": [3]})),
        _ => Answer::json(200, json!({"data": [1, 2], "next_cursor": "b"})),
    })
    .await;
    let blocks = "operations:\n  read:\n    - {name: list_x, maps_to: GET /x, description: X, pagination: {style: cursor}}\n";
    let server = Setup::default().serve(&[adapter("xx", &api.base_url(), blocks)]);
    let answer = server.call(json!({"operation": "list_x", "params": {"all": true}})).await;
    assert_eq!(answer["data"]["items"], json!([1, 2]));
    assert_eq!(answer["data"]["pageInfo"]["hasNextPage"], true);
    let warning = &answer["warnings"][0];
    assert_eq!(
        (&warning["code"], &warning["details"]["code"]),
        (&json!("VALIDATION_INCOMPLETE_WARNING"), &json!("RATE_LIMIT_EXCEEDED"))
    );
    let counted =
        server.error(json!({"operation": "list_x", "params": {"aggregate": {"n": {"count": true}}}})).await;
    assert_eq!(counted["code"], "RATE_LIMIT_EXCEEDED", "a count of some is no count");
    well.store(true, Ordering::Relaxed);
    let after = &answer["data"]["pageInfo"]["endCursor"];
    let rest = server.data(json!({"operation": "list_x", "params": {"all": true, "after": after}})).await;
    assert_eq!(rest["items"], json!([3]));
}
