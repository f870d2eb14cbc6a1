//! What the client is told when the API fails, or does not answer as an API does.
//!
//! Each kind of trouble has its code, its text and its details (runtime specification, sections 7 and 8).

use crate::test_server::{Setup, TestServer, adapter};
use aqueduct_testkit::api::{Answer, FakeApi};
use aqueduct_testkit::environment::TestEnvironment;
use aqueduct_testkit::log;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

async fn failure(answer: Answer) -> Value {
    let api = FakeApi::always(answer).await;
    let server = Setup::default().serve_library(&api);
    server.error(json!({"operation": "get_book", "params": {"book_id": 42}})).await
}

/// R7.2-1 R8.1-1 R8.2-1 R8.2-2 R8.2-3 R8.2-4 R8.2-5 R8.2-6 R8.2-7 R8.2-8 R8.2-9 R8.2-10 R8.2-11 R8.2-12 R1.3-8 M4.3-1
/// M4.3-2 M4.3-3 M4.3-4 M4.3-5 M4.3-6 M4.3-7 M4.3-8 M7.2-5 X-errors-3 X-errors-31 O8.1-6 O8.1-7 O8.2-1 O8.2-2: code and text
/// of every status.
#[tokio::test]
async fn statuses() {
    for (status, code, opening) in [
        (400, "VALIDATION_INVALID_TYPE", "Invalid request"),
        (401, "PERMISSION_DENIED", "Authentication required"),
        (403, "PERMISSION_DENIED", "Permission denied"),
        (404, "NOT_FOUND_RESOURCE", "Not found"),
        (405, "VALIDATION_INVALID_TYPE", "HTTP 405"),
        (409, "CONFLICT_ALREADY_EXISTS", "Conflict"),
        (410, "NOT_FOUND_RESOURCE", "HTTP 410"),
        (412, "CONFLICT_VERSION_MISMATCH", "HTTP 412"),
        (413, "VALIDATION_PAYLOAD_TOO_LARGE", "HTTP 413"),
        (418, "VALIDATION_INVALID_TYPE", "HTTP 418"),
        (422, "VALIDATION_INVALID_TYPE", "Validation failed"),
        (429, "RATE_LIMIT_EXCEEDED", "Rate limit exceeded"),
        (500, "INTERNAL_ERROR", "Server error"),
        (501, "INTERNAL_ERROR", "HTTP 501"),
        (502, "INTERNAL_ERROR", "Bad gateway"),
        (503, "INTERNAL_ERROR", "Service unavailable"),
        (504, "INTERNAL_ERROR", "Gateway timeout"),
    ] {
        let error = failure(Answer::json(status, json!({"message": "the words"}))).await;
        assert_eq!(error["code"], code, "{status}");
        assert_eq!(error["message"], format!("{opening}: the words"));
        assert_eq!(error["details"]["http_status"], status);
    }
}

/// O8.1-6 R8.2-13 R7.3-7 X-errors-6 X-errors-8: the words come from the body, or from the status when it has none.
#[tokio::test]
async fn words_of_the_upstream() {
    let error = failure(Answer::json(403, json!({"error": {"message": "requires 'admin' scope"}}))).await;
    assert_eq!(error["message"], "Permission denied: requires 'admin' scope");
    assert_eq!(failure(Answer::empty(404)).await["message"], "Not found: 404 Not Found");
    let long = failure(Answer::json(500, json!({"message": "long ".repeat(200)}))).await;
    assert!(long["message"].as_str().unwrap().chars().count() < 340);
}

/// O3.3-2 R8.2-4: a missing resource has its code and the upstream's words, and is named by the last placeholder of the
/// path.
#[tokio::test]
async fn missing_resources() {
    let error = failure(Answer::json(404, json!({"message": "no such book"}))).await;
    assert_eq!(error["code"], "NOT_FOUND_RESOURCE");
    assert_eq!(error["message"], "Not found: no such book");
    let details = &error["details"];
    assert_eq!((&details["resource_type"], &details["resource_id"]), (&json!("book"), &json!("42")));
    assert_eq!(details["http_status"], 404);
}

/// O8.1-6 X-errors-18 X-errors-19 O8.2-3: details of a refusal and of an upstream that broke.
#[tokio::test]
async fn details_of_refusals_and_breakdowns() {
    let refused = failure(Answer::json(403, json!({"message": "no"}))).await;
    assert_eq!(
        (&refused["details"]["reason"], &refused["details"]["http_status"]),
        (&json!("no"), &json!(403))
    );
    let broken = failure(Answer::json(500, json!({"message": "disk full"}))).await;
    assert_eq!(broken["details"]["upstream_error"], "disk full");
}

/// O8.1-7 X-errors-32: how long to wait, always; and a missing parameter is told from an ill-typed one.
#[tokio::test]
async fn waiting_and_missing() {
    let busy = failure(Answer::json(429, json!({})).header("Retry-After", "7")).await;
    assert_eq!(busy["details"]["retry_after_seconds"], 7);
    assert_eq!(failure(Answer::json(429, json!({}))).await["details"]["retry_after_seconds"], 60);
    for status in [400, 422] {
        let missing = failure(Answer::json(status, json!({"message": "title is required"}))).await;
        assert_eq!(missing["code"], "VALIDATION_MISSING_PARAM", "{status}");
    }
}

/// R7.3-8 R7.3-9 R7.3-10 R7.3-12 R7.3-13 X-plugins-12 X-plugins-13: answers that are no JSON, each with its text,
/// content type, the beginning of its body, and the plugin that gave up.
#[tokio::test]
async fn unreadable_answers() {
    let html = failure(Answer::html(200, "<html>Bad gateway</html>")).await;
    assert_eq!(html["message"], "Server returned HTML instead of JSON (HTTP 200)");
    assert_eq!(
        (&html["details"]["content_type"], &html["details"]["body_preview"]),
        (&json!("text/html; charset=utf-8"), &json!("<html>Bad gateway</html>"))
    );
    let cut = failure(Answer::bytes(200, r#"{"a": "#)).await;
    assert!(cut["message"].as_str().unwrap().starts_with("Failed to parse response as JSON: "), "{cut}");
    assert_eq!(
        (&cut["details"]["content_type"], &cut["details"]["body_preview"]),
        (&json!(""), &json!(r#"{"a": "#))
    );
    assert!(cut["details"]["parse_error"].is_string());
    let image = failure(Answer::bytes(200, vec![137, 80, 78, 71]).header("Content-Type", "image/png")).await;
    assert_eq!(image["message"], "Unexpected content type 'image/png': JSON was expected");
    for error in [html, cut, image] {
        assert_eq!(error["code"], "SERIALIZATION_PARSE_ERROR");
        assert_eq!(error["details"]["category"], "serialization");
        assert_eq!(error["details"]["plugin"], "json");
    }
    let api = FakeApi::always(Answer::bytes(200, "\u{feff}{\"a\":1}")).await;
    let server = Setup::default().serve_library(&api);
    assert_eq!(server.data(json!({"operation": "get_status"})).await, json!({"a": 1}));
}

/// The status comes first, whatever the body is: each has its code, and the words of a page are in the message.
#[tokio::test]
async fn a_status_with_another_body() {
    for (status, code) in [
        (401, "PERMISSION_DENIED"),
        (403, "PERMISSION_DENIED"),
        (404, "NOT_FOUND_RESOURCE"),
        (409, "CONFLICT_ALREADY_EXISTS"),
        (500, "INTERNAL_ERROR"),
        (502, "INTERNAL_ERROR"),
    ] {
        for (answer, words) in [
            (
                Answer::html(status, "<html><title>No</title><body><h1>Go &amp; ask</h1></body></html>"),
                "No Go & ask",
            ),
            (Answer::bytes(status, r#"{"message": "cut"#).header("Content-Type", "application/json"), ""),
        ] {
            let error = failure(answer).await;
            assert_eq!(
                (&error["code"], &error["details"]["http_status"]),
                (&json!(code), &json!(status)),
                "{error}"
            );
            assert!(error["message"].as_str().unwrap().contains(words), "{error}");
        }
    }
}

fn one_operation(base_url: &str, extra: &str) -> String {
    adapter(
        "one",
        base_url,
        &format!(
            "{extra}\noperations:\n  read:\n    - name: get_x\n      maps_to: GET /x/{{id}}\n      description: \"Get x\"\n      \
             params: {{id: {{type: string, default: \"1\"}}, trace: {{type: string, in: header}}}}"
        ),
    )
}

/// R8.3-2 R8.3-3 R8.3-5 X-plugins-12 X-plugins-13: network trouble goes out under the plugin's own code and text.
#[tokio::test]
async fn network_trouble() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    let nobody = one_operation(&format!("http://127.0.0.1:{port}"), "");
    let refused = Setup::default().serve(&[nobody]).error(json!({"operation": "get_x"})).await;
    assert_eq!(refused["code"], "TRANSPORT_CONNECTION_REFUSED");
    assert_eq!(refused["message"], format!("Connection refused: 127.0.0.1:{port}"));

    let slow = FakeApi::always(Answer::hang()).await;
    let text = one_operation(&slow.base_url(), "").replace("  retries: 0", "  retries: 0\n  timeout_ms: 50");
    let late = Setup::default().serve(&[text]).error(json!({"operation": "get_x"})).await;
    assert_eq!(
        (&late["code"], &late["message"]),
        (&json!("TRANSPORT_TIMEOUT"), &json!("Request timed out after 50ms"))
    );

    let rude = FakeApi::always(Answer::drop_connection()).await;
    let dropped = Setup::default()
        .serve(&[one_operation(&rude.base_url(), "")])
        .error(json!({"operation": "get_x"}))
        .await;
    assert_eq!(dropped["code"], "TRANSPORT_NETWORK_ERROR");
    assert!(dropped["message"].as_str().unwrap().starts_with("Network error: "));

    for error in [refused, late, dropped] {
        assert_eq!(
            (&error["details"]["category"], &error["details"]["plugin"]),
            (&json!("transport"), &json!("http"))
        );
    }
}

/// R8.3-1 X-plugins-13: a name that does not resolve.
#[tokio::test]
async fn unknown_hosts() {
    let server = Setup::default().serve(&[one_operation("https://nowhere.invalid", "")]);
    let error = server.error(json!({"operation": "get_x"})).await;
    assert_eq!(error["code"], "TRANSPORT_DNS_ERROR");
    assert_eq!(error["message"], "Could not resolve host: nowhere.invalid");
}

/// X-plugins-12 X-plugins-13: credentials that are not there, or cannot be sent, by the name of their variable.
#[tokio::test]
async fn credentials_that_cannot_be_used() {
    let api = FakeApi::always(Answer::json(200, json!(1))).await;
    let auth = "auth: {type: api_key, key_env: X_KEY, header_name: X-Key}";
    for (value, code) in [("", "AUTH_CREDENTIAL_MISSING"), ("a\nb", "AUTH_CONFIG_INVALID")] {
        let environment = TestEnvironment::with(&[("X_KEY", value)]);
        let setup = Setup { environment: Arc::new(environment), ..Setup::default() };
        let error =
            setup.serve(&[one_operation(&api.base_url(), auth)]).error(json!({"operation": "get_x"})).await;
        assert_eq!(error["code"], code);
        assert!(error["message"].as_str().unwrap().contains("'X_KEY'"), "{error}");
        assert_eq!(
            (&error["details"]["category"], &error["details"]["plugin"]),
            (&json!("auth"), &json!("api_key"))
        );
    }
    assert!(api.requests().is_empty());
}

/// R11.2-4 X-errors-18: no credentials over plain http to another machine.
#[tokio::test]
async fn unencrypted_credentials() {
    let auth = "auth: {type: bearer, token_env: LIBRARY_TOKEN}";
    let server = Setup::default().serve(&[one_operation("http://api.example.com", auth)]);
    let error = server.error(json!({"operation": "get_x"})).await;
    assert_eq!(error["code"], "PERMISSION_DENIED");
    assert!(error["message"].as_str().unwrap().starts_with("Permission denied: "), "{error}");
}

/// R11.4-4 R6.2-2: values that would change the path, break out of a header, or leave a hole in the path are refused, with
/// the parameter's name.
#[tokio::test]
async fn values_that_make_no_request() {
    let api = FakeApi::always(Answer::json(200, json!(1))).await;
    let server = Setup::default().serve(&[one_operation(&api.base_url(), "")]);
    for (params, code, name) in [
        (json!({"id": ".."}), "VALIDATION_INVALID_VALUE", "id"),
        (json!({"id": "%2e%2e"}), "VALIDATION_INVALID_VALUE", "id"),
        (json!({"trace": "a\r\nHost: x"}), "VALIDATION_INVALID_VALUE", "trace"),
    ] {
        let error = server.error(json!({"operation": "get_x", "params": params})).await;
        assert_eq!(
            (&error["code"], &error["details"]["param_name"]),
            (&json!(code), &json!(name)),
            "{error}"
        );
    }
    assert!(api.requests().is_empty());
    let null = server.call(json!({"operation": "get_x", "params": {"id": null}})).await;
    assert_eq!(null["success"], true, "null is nothing, so the default is taken");
    let optional =
        one_operation(&api.base_url(), "").replace("{type: string, default: \"1\"}", "{type: string}");
    let error = Setup::default().serve(&[optional]).error(json!({"operation": "get_x"})).await;
    assert_eq!(error["code"], "VALIDATION_MISSING_PARAM");
    assert_eq!(error["message"], "Missing required path parameter: 'id'");
}

/// C9.3-1: many requests of one client run side by side, and each gets its own answer.
#[tokio::test]
async fn requests_may_be_pipelined() {
    let api = FakeApi::start(|request| {
        let number: u64 = request.path().trim_start_matches("/books/").parse().unwrap_or_default();
        Answer::after(Duration::from_millis(20 - number), Answer::json(200, json!(number)))
    })
    .await;
    let server = Setup::default().serve_library(&api);
    let calls = (0..20).map(|number| server.data(json!({"operation": "get_book", "book_id": number})));
    let answers = futures::future::join_all(calls).await;
    assert_eq!(answers, (0..20).map(|number| json!(number)).collect::<Vec<_>>());
}

/// R5.2-5 O5.4-7 O8.1-8 X-errors-6 X-errors-19: a panic anywhere in a call fails that call, with a text that tells nothing
/// and a log that does; the next call works.
#[tokio::test]
async fn panics_are_caught() {
    #[derive(Debug)]
    struct Breaks(std::sync::atomic::AtomicBool);
    impl aqueduct_upstream::Environment for Breaks {
        fn get(&self, _: &str) -> Option<secrecy::SecretString> {
            assert!(self.0.swap(true, std::sync::atomic::Ordering::SeqCst), "broken on purpose");
            Some("t0ken".to_owned().into())
        }
    }
    let (_, api) = TestServer::library().await;
    log::keep();
    let environment = Arc::new(Breaks(std::sync::atomic::AtomicBool::new(false)));
    let server = Setup { environment, ..Setup::default() }.serve_library(&api);
    let error = server.error(json!({"operation": "get_status"})).await;
    assert_eq!(error["code"], "INTERNAL_ERROR");
    assert!(error["message"].as_str().unwrap().starts_with("Internal error: '"), "{error}");
    assert!(!error.to_string().contains("on purpose"));
    assert!(log::text().contains("cause=\"the call panicked\""), "{}", log::text());
    server.data(json!({"operation": "get_status"})).await;
}
