//! The standard codes: each goes out, for the trouble that it stands for.
//!
//! A request, or an answer of the API, in; the code on the wire out (error-code document, sections 4.1 and 5.1).

use crate::test_server::{Setup, TestServer, error_of};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};
use std::time::Duration;

fn delete(token: Option<&Value>) -> Value {
    let mut request = json!({"operation": "delete_book", "params": {"book_id": 7}});
    if let Some(token) = token {
        request["params"]["confirmation_token"] = token.clone();
    }
    request
}

async fn code(server: &TestServer, request: Value) -> String {
    error_of(server.call(request).await)["code"].as_str().unwrap().to_owned()
}

async fn code_of_status(status: u16) -> String {
    let api = FakeApi::always(Answer::json(status, json!({"message": "no"}))).await;
    code(&Setup::default().serve_library(&api), json!({"operation": "get_status"})).await
}

/// X-errors-1 O8.1-1 O8.3-1: the codes of requests that cannot be met, and of an API that fails.
#[tokio::test]
async fn of_requests_and_of_the_upstream() {
    let (server, api) = TestServer::library().await;
    let long = "x".repeat(1_100_000);
    for (request, expected) in [
        (json!({"operation": "get_book"}), "VALIDATION_MISSING_PARAM"),
        (json!({"operation": "get_book", "params": {"book_id": "x"}}), "VALIDATION_INVALID_TYPE"),
        (json!({"operation": "get_book", "params": {"book_id": 1, "x": 1}}), "VALIDATION_UNKNOWN_PARAM"),
        (
            json!({"operation": "find_shelf", "params": {"shelf_code": "\u{0}"}}),
            "VALIDATION_INVALID_ENCODING",
        ),
        (json!({"operation": "find_shelf", "params": {"shelf_code": long}}), "VALIDATION_PAYLOAD_TOO_LARGE"),
        (json!({"operation": "no_such_operation"}), "NOT_FOUND_OPERATION"),
    ] {
        assert_eq!(code(&server, request).await, expected);
    }
    assert!(api.requests().is_empty());
    for (status, expected) in [
        (404, "NOT_FOUND_RESOURCE"),
        (403, "PERMISSION_DENIED"),
        (429, "RATE_LIMIT_EXCEEDED"),
        (500, "INTERNAL_ERROR"),
    ] {
        assert_eq!(code_of_status(status).await, expected, "{status}");
    }
}

/// X-errors-2: the codes of the gate and of its tokens. Those of quotas have rows of their own.
#[tokio::test]
async fn of_the_gate_and_of_its_tokens() {
    let (server, api) = TestServer::library().await;
    let generated = Setup::trust("generated").serve_library(&api);
    assert_eq!(code(&generated, delete(None)).await, "PERMISSION_TRUST_LEVEL_INSUFFICIENT");
    let forbidden = json!({"operation": "delete_all_books"});
    assert_eq!(code(&server, forbidden).await, "PERMISSION_DANGER_LEVEL_DENIED");
    assert_eq!(code_of_status(429).await, "RATE_LIMIT_EXCEEDED");
    let asked = server.error(delete(None)).await;
    assert_eq!(asked["code"], "CONFIRMATION_REQUIRED");
    let token = &asked["details"]["confirmation_token"];
    assert_eq!(code(&server, delete(Some(&json!("conf_0")))).await, "TOKEN_INVALID");
    let other = json!({"operation": "delete_book", "params": {"book_id": 8, "confirmation_token": token}});
    assert_eq!(code(&server, other).await, "TOKEN_SCOPE_MISMATCH");
    assert!(api.requests().is_empty());
    server.data(delete(Some(token))).await;
    assert_eq!(code(&server, delete(Some(token))).await, "TOKEN_ALREADY_USED");
    let late = server.error(delete(None)).await["details"]["confirmation_token"].take();
    server.clock.advance(Duration::from_secs(331));
    assert_eq!(code(&server, delete(Some(&late))).await, "TOKEN_EXPIRED");
    assert_eq!(api.requests().len(), 1);
}
