//! What an observer is told of finished calls: everything that an audit needs is in one record.

use crate::observe::{FinishedCall, Observer};
use crate::test_server::Setup;
use aqueduct_operations::digest::Digest;
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

/// Writes down what an audit would.
#[derive(Debug, Default)]
struct AuditLines(Mutex<Vec<Value>>);

impl Observer for AuditLines {
    fn finished(&self, call: &FinishedCall<'_>) {
        let line = call.gate.map(|record| {
            json!({
                "caller": record.caller().name(),
                "session": record.session().as_str(),
                "source": record.entry().source.name,
                "operation": record.operation().name,
                "purpose": record.purpose().name(),
                "params": record.params_digest().hex(),
                "rule": record.rule().to_string(),
                "danger": record.danger().name(),
                "gate": record.outcome().name(),
                "outcome": call.outcome,
            })
        });
        self.0.lock().unwrap().push(line.unwrap_or_else(|| json!({"outcome": call.outcome})));
    }
}

fn digest(params: Value) -> String {
    Digest::of_values(params.as_object().unwrap()).hex()
}

/// What ran, what was asked about, what a token was refused for, what is denied: each has its record, with the outcome of the
/// call. What never came to the gatekeeper has none.
#[tokio::test]
async fn the_record_of_every_call() {
    let api = FakeApi::always(Answer::json(200, json!({"ok": true}))).await;
    let lines = Arc::new(AuditLines::default());
    let setup = Setup { observer: Some(Arc::clone(&lines) as _), ..Setup::default() };
    let server = setup.serve_library(&api);
    server.data(json!({"operation": "get_book", "params": {"book_id": 3}})).await;
    let delete = json!({"operation": "delete_book", "params": {"book_id": 4}});
    let asked = server.error(delete.clone()).await;
    let mut confirmed = delete;
    confirmed["params"]["confirmation_token"] = asked["details"]["confirmation_token"].clone();
    server.call(confirmed.clone()).await;
    server.error(confirmed).await;
    server.error(json!({"operation": "delete_all_books", "params": {"sure": true}})).await;
    server.error(json!({"operation": "get_book"})).await;
    let lines = lines.0.lock().unwrap();
    let expected = [
        ("get_book", json!({"book_id": 3}), "safe", "allowed", "success"),
        (
            "delete_book",
            json!({"book_id": 4}),
            "destructive",
            "confirmation_required",
            "CONFIRMATION_REQUIRED",
        ),
        ("delete_book", json!({"book_id": 4}), "destructive", "confirmed", "success"),
        ("delete_book", json!({"book_id": 4}), "destructive", "token_rejected", "TOKEN_ALREADY_USED"),
        ("delete_all_books", json!({"sure": true}), "forbidden", "denied", "PERMISSION_DANGER_LEVEL_DENIED"),
    ];
    for (line, (operation, params, danger, gate, outcome)) in lines.iter().zip(expected) {
        let mut expected = json!({
            "caller": "local", "session": "session-1", "source": "library", "operation": operation, "purpose": "call",
            "params": digest(params), "danger": danger, "gate": gate, "outcome": outcome,
        });
        expected["rule"] = line["rule"].clone();
        assert_eq!(line, &expected);
        assert!(line["rule"].as_str().unwrap().starts_with("trust validated, danger "), "{line}");
    }
    assert_eq!(lines[5..], [json!({"outcome": "VALIDATION_MISSING_PARAM"})]);
}

/// A call that fails after it was let through keeps what was decided about it.
#[tokio::test]
async fn failures_keep_their_record() {
    let api = FakeApi::always(Answer::json(500, json!({}))).await;
    let lines = Arc::new(AuditLines::default());
    let setup = Setup { observer: Some(Arc::clone(&lines) as _), ..Setup::default() };
    setup.serve_library(&api).error(json!({"operation": "get_status"})).await;
    let lines = lines.0.lock().unwrap();
    assert_eq!((&lines[0]["gate"], lines.len()), (&json!("allowed"), 1), "{lines:?}");
    assert_ne!(lines[0]["outcome"], "success");
}
