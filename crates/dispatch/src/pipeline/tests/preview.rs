//! `dry_run`: what would be sent, and nothing sent (ruling W17).
//!
//! The recording API behind it sees reads at most.

use crate::test_server::{Setup, TOKEN, TestServer, adapter};
use aqueduct_operations::gatekeeper::{GateRequest, Policy, PolicyDenial};
use aqueduct_operations::limits::Limits;
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::json;
use std::sync::Arc;

/// O4.4.1-9: every mutating operation shows its request, credentials and sensitive values hidden, and what the gatekeeper would
/// say; no token is issued or used.
#[tokio::test]
async fn shows_the_request() {
    let (server, api) = TestServer::library().await;
    let params = json!({"title": "Candide", "genre": "novel", "donor_code": "secret-donor", "dry_run": true});
    let shown = server.data(json!({"operation": "create_book", "params": params})).await;
    assert_eq!(shown["dry_run"], true);
    assert_eq!(
        (&shown["request"]["method"], &shown["gatekeeper"]["decision"]),
        (&json!("POST"), &json!("allow"))
    );
    assert!(shown["request"]["url"].as_str().unwrap().starts_with(&api.base_url()), "{shown}");
    assert_eq!(shown["request"]["body"]["title"], "Candide");
    let text = shown.to_string();
    assert!(!text.contains(TOKEN) && !text.contains("secret-donor"), "{text}");
    let deleting =
        server.data(json!({"operation": "delete_book", "params": {"book_id": 1, "dry_run": true}})).await;
    assert_eq!(
        deleting["gatekeeper"],
        json!({"decision": "confirm", "rule": "trust validated, danger destructive (declared)",
               "danger_level": "destructive", "trust_level": "validated"})
    );
    assert!(!deleting.to_string().contains("token"), "nothing was issued");
    for name in ["start_scan", "send_reminder", "touch_book"] {
        let detail = server
            .data(json!({"operation": "introspect", "params": {"query": "operations", "name": name}}))
            .await;
        let offered =
            detail["operation"]["parameters"].as_array().unwrap().iter().any(|p| p["name"] == "dry_run");
        assert!(offered, "{name}");
    }
    assert!(api.requests().is_empty());
    let wrong = server.error(json!({"operation": "create_book", "params": {"dry_run": true}})).await;
    assert_eq!(wrong["code"], "VALIDATION_MISSING_PARAM", "what would be refused is refused");
    let read =
        server.error(json!({"operation": "get_book", "params": {"book_id": 1, "dry_run": true}})).await;
    assert_eq!(read["code"], "VALIDATION_UNKNOWN_PARAM", "a READ changes nothing");
}

/// Forbids everything.
#[derive(Debug)]
struct Closed;

impl Policy for Closed {
    fn denies(&self, _request: &GateRequest<'_>) -> Option<PolicyDenial> {
        Some(PolicyDenial::new("night", "nothing is written at night"))
    }
}

/// The rule that is shown is the one that decides, whichever that is.
#[tokio::test]
async fn shows_the_rule_that_denies() {
    let (_, api) = TestServer::library().await;
    let server = Setup { policy: Some(Arc::new(Closed)), ..Setup::default() }.serve_library(&api);
    let shown =
        server.data(json!({"operation": "touch_book", "params": {"book_id": 1, "dry_run": true}})).await;
    assert_eq!(
        (&shown["gatekeeper"]["decision"], &shown["gatekeeper"]["rule"]),
        (&json!("deny"), &json!("night")),
        "{shown}"
    );
    assert!(api.requests().is_empty());
}

/// An update shows the whole that it would write, and only reads.
#[tokio::test]
async fn shows_the_merged_update() {
    let api =
        FakeApi::always(Answer::json(200, json!({"a": 1, "b": {"c": 2}})).header("ETag", "\"v5\"")).await;
    let blocks = "operations:
  read:
    - {name: get_x, maps_to: 'GET /x/{id}', description: X, params: {id: {type: integer, required: true}}}
  update:
    - {name: update_x, maps_to: 'PUT /x/{id}', description: X, params: {id: {type: integer, required: true}, a: {type: integer}}}
";
    let server = Setup::default().serve(&[adapter("xx", &api.base_url(), blocks)]);
    let call = json!({"operation": "update_x", "params": {"id": 1, "input": {"a": 9}, "dry_run": true}});
    let shown = server.data(call).await;
    assert_eq!(shown["request"]["body"], json!({"a": 9, "b": {"c": 2}}));
    let headers = shown["request"]["headers"].to_string().to_lowercase();
    assert!(headers.contains("if-match") && headers.contains("v5"), "{headers}");
    assert!(api.requests().iter().all(|request| request.method == "GET"));
}

/// Without a companion the version goes along as well; and what is shown is held to the budget.
#[tokio::test]
async fn versions_and_budgets() {
    let api = FakeApi::always(Answer::json(200, json!({}))).await;
    let blocks = "operations:
  update:
    - {name: patch_x, maps_to: 'PATCH /x', description: X, params: {a: {type: string}}}
";
    let server = Setup::limits(Limits { max_response_tokens: 500, ..Limits::default() }).serve(&[adapter(
        "xx",
        &api.base_url(),
        blocks,
    )]);
    let call = |a: String| json!({"operation": "patch_x", "params": {"input": {"a": a}, "dry_run": true, "if_match": "\"v5\""}});
    let shown = server.data(call("b".to_owned())).await;
    assert!(shown["request"]["headers"].to_string().contains("v5"), "{shown}");
    let large = server.error(call("word ".repeat(2_000))).await;
    assert_eq!(
        (&large["code"], &large["details"]["limit_type"]),
        (&json!("VALIDATION_PAYLOAD_TOO_LARGE"), &json!("budget"))
    );
    assert!(api.requests().is_empty());
}
