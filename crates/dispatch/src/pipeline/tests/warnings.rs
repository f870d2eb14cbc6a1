//! Warnings, deprecations and an adapter's own meaning of statuses.
//!
//! The clock of the tests stands still, so that days to a date can be counted.

use crate::test_server::{Setup, adapter};
use aqueduct_operations::call::{Call, CallOrigin, Caller, Scopes, SessionId};
use aqueduct_operations::limits::Limits;
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};
use std::time::Duration;

fn operations(more: &str) -> String {
    format!("operations:\n  read:\n    - {{name: get_x, maps_to: GET /x, description: X{more}}}\n")
}

/// X-warn-1 X-warn-4 X-warn-5 X-warn-7: an operation that goes away says so: high within 30 days, medium later, low without a
/// date. A failure carries no warnings.
#[tokio::test]
async fn deprecations() {
    let api = FakeApi::start(|request| match request.query() {
        Some(_) => Answer::json(404, json!({})),
        None => Answer::json(200, json!({})),
    })
    .await;
    // The clock of the test stands on 2026-01-01.
    for (block, severity, details) in [
        ("{}", "low", json!({})),
        (
            "{removal_date: '2026-06-01', since: '2.0'}",
            "medium",
            json!({"removal_date": "2026-06-01", "since": "2.0"}),
        ),
        (
            "{removal_date: '2026-01-20', replacement: get_x}",
            "high",
            json!({"removal_date": "2026-01-20", "replacement": "get_x"}),
        ),
        ("{removal_date: '2025-01-20'}", "high", json!({"removal_date": "2025-01-20"})),
        ("{removal_date: '2026-02-01'}", "medium", json!({"removal_date": "2026-02-01"})),
        ("{removal_date: '2026-01-31'}", "high", json!({"removal_date": "2026-01-31"})),
    ] {
        let blocks = operations(&format!(", deprecated: {block}, params: {{q: {{type: string}}}}"));
        let server = Setup::default().serve(&[adapter("xx", &api.base_url(), &blocks)]);
        let answer = server.call(json!({"operation": "get_x"})).await;
        let warning = &answer["warnings"][0];
        assert_eq!(
            (&warning["code"], &warning["severity"]),
            (&json!("DEPRECATION_WARNING"), &json!(severity)),
            "{block}"
        );
        let again = server.call(json!({"operation": "get_x"})).await;
        assert_eq!(again["warnings"], answer["warnings"], "the same condition is as severe the next time");
        assert!(warning["message"].as_str().unwrap().starts_with("Operation 'get_x' is deprecated"));
        assert_eq!(
            (&warning["details"]["type"], &warning["details"]["deprecated_item"]),
            (&json!("operation"), &json!("get_x"))
        );
        for (key, value) in details.as_object().unwrap() {
            assert_eq!(warning["details"][key], *value);
        }
        let failed = server.call(json!({"operation": "get_x", "params": {"q": "x"}})).await;
        assert_eq!((failed["success"].clone(), failed.get("warnings")), (json!(false), None));
        let detail = server
            .data(json!({"operation": "introspect", "params": {"query": "operations", "name": "get_x"}}))
            .await;
        assert!(detail["operation"]["description"].as_str().unwrap().contains("Deprecated"));
    }
}

/// S1: what to call instead is named by the name that this caller calls it by, and only to those who may call it; what is
/// nowhere is named to no one.
#[tokio::test]
async fn replacements_may_be_called() {
    let api = FakeApi::always(Answer::json(200, json!({}))).await;
    let blocks = "trust: {level: certified}\noperations:\n  read:\n    \
        - {name: list_parts, maps_to: GET /parts, description: Parts, deprecated: {replacement: list_audits}}\n    \
        - {name: list_lost, maps_to: GET /lost, description: Lost, deprecated: {replacement: list_nowhere}}\n    \
        - {name: list_audits, maps_to: GET /audits, description: Audits, required_scopes: [audit]}";
    let texts = ["one", "two"].map(|name| adapter(name, &api.base_url(), blocks));
    let server = Setup::default().serve(&texts);
    let warning = async |operation: &str, scopes: Scopes| {
        let origin = CallOrigin::new(SessionId::new("session-1"), Caller::named("eve"), scopes);
        let Value::Object(arguments) = json!({"operation": operation}) else { unreachable!() };
        let reply = server.dispatcher.call(Call { arguments, origin }).await;
        let mut answer: Value = serde_json::from_str(&reply.to_json()).unwrap();
        answer["warnings"][0].take()
    };
    let told = warning("two__list_parts", Scopes::unrestricted()).await;
    assert_eq!(told["message"], "Operation 'two__list_parts' is deprecated. Use 'two__list_audits' instead");
    assert_eq!(told["details"]["replacement"], "two__list_audits");
    for (operation, scopes) in
        [("two__list_parts", Scopes::none()), ("one__list_lost", Scopes::unrestricted())]
    {
        let told = warning(operation, scopes).await;
        assert_eq!(told["message"], format!("Operation '{operation}' is deprecated"));
        assert!(told["details"].get("replacement").is_none(), "{told}");
    }
}

/// X-fields-5 X-warn-7: the older word `preset` still works, and is said to be older.
#[tokio::test]
async fn the_older_word() {
    let api = FakeApi::always(Answer::json(200, json!({"id": 1, "x": 2}))).await;
    let server = Setup::default().serve(&[adapter("xx", &api.base_url(), &operations(""))]);
    let answer = server.call(json!({"operation": "get_x", "params": {"preset": "minimal"}})).await;
    assert_eq!(answer["data"], json!({"id": 1}));
    assert_eq!(
        answer["warnings"],
        json!([{"code": "DEPRECATION_WARNING", "message": "Parameter 'preset' is deprecated", "severity": "low",
                "details": {"type": "parameter", "deprecated_item": "preset", "replacement": "fields"}}])
    );
}

/// X-warn-5 X-warn-9 X-warn-16: a slow call is told, with how slow; from when on is a setting.
#[tokio::test]
async fn slow_calls() {
    let api = FakeApi::always(Answer::after(Duration::from_millis(60), Answer::json(200, json!({})))).await;
    for (threshold, severity) in [(1, "high"), (10, "medium")] {
        let limits = Limits { slow_call_ms: threshold, ..Limits::default() };
        let server = Setup::limits(limits).serve(&[adapter("xx", &api.base_url(), &operations(""))]);
        let answer = server.call(json!({"operation": "get_x"})).await;
        let warning = &answer["warnings"][0];
        assert_eq!(warning["code"], "PERFORMANCE_SLOW_QUERY_WARNING");
        let took = warning["details"]["duration_ms"].as_u64().unwrap();
        assert!(took >= 60);
        assert_eq!(warning["message"], format!("Operation took {took}ms (threshold: {threshold}ms)"));
        assert_eq!(
            (&warning["details"]["threshold_ms"], &warning["details"]["operation"]),
            (&json!(threshold), &json!("get_x"))
        );
        if took <= threshold * 10 || severity == "high" {
            assert_eq!(warning["severity"], severity);
        }
    }
    let server = Setup::default().serve(&[adapter("xx", &api.base_url(), &operations(""))]);
    assert_eq!(server.call(json!({"operation": "get_x"})).await.get("warnings"), None);
}

/// X-errors-36: an adapter says what a status means: its code, and its words with values of the call in them.
#[tokio::test]
async fn error_mapping() {
    let api = FakeApi::start(|request| {
        let status = request.path().trim_start_matches("/x/").parse().unwrap();
        Answer::json(status, json!({"message": "their words"}))
    })
    .await;
    let blocks = "error_mapping:
  '409': {code: CONFLICT_VERSION_MISMATCH, message_template: 'Book {id} was changed ({status}): {message}'}
  '418': {code: NOT_FOUND_RESOURCE}
operations:
  read:
    - {name: get_x, maps_to: 'GET /x/{id}', description: X, params: {id: {type: integer, required: true}}}
";
    let server = Setup::default().serve(&[adapter("xx", &api.base_url(), blocks)]);
    let error = async |id: u16| server.error(json!({"operation": "get_x", "params": {"id": id}})).await;
    let mapped: Value = error(409).await;
    assert_eq!(
        (&mapped["code"], &mapped["message"]),
        (&json!("CONFLICT_VERSION_MISMATCH"), &json!("Book 409 was changed (409): their words"))
    );
    assert_eq!(mapped["details"]["http_status"], 409);
    assert_eq!(error(418).await["code"], "NOT_FOUND_RESOURCE");
    assert_eq!(error(404).await["code"], "NOT_FOUND_RESOURCE", "others mean what they always do");
    assert_eq!(error(400).await["code"], "VALIDATION_INVALID_TYPE");
}
