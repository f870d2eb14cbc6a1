//! What must never be seen: credentials, sensitive parameters, tokens. And what must: one span a call.
//!
//! Answers, log lines and debug prints are gathered and searched.

use crate::test_server::{Setup, TOKEN, TestServer};
use aqueduct_operations::call::{Call, CallOrigin, SessionId, ToolEndpoint};
use aqueduct_testkit::api::{Answer, FakeApi};
use aqueduct_testkit::log;
use serde_json::{Value, json};

const DONOR: &str = "donor-hush-hush";

/// X-intro-12 R1.2-7 R11.2-1 R11.3-4 O8.4-3: neither the credential nor a sensitive value shows up in any answer, log line
/// or debug print, whether the call works, fails, is rejected, or the API echoes everything.
#[tokio::test]
async fn secrets_stay_secret() {
    log::keep();
    let api = FakeApi::start(|request| {
        let echo = format!("{:?} {}", request.headers, request.body_text());
        let authorization = request.header("authorization").unwrap_or_default();
        match request.path() {
            "/books/1" => Answer::json(200, json!({"echo": echo})).header("X-Echo", authorization),
            "/notes/135790" => Answer::html(200, &format!("<p>{} {echo}</p>", request.target)),
            "/books" => Answer::json(422, json!({"message": format!("bad: {echo}")})),
            "/status" => Answer::text(500, &echo),
            _ => Answer::json(404, json!({"message": format!("no {} {echo}", request.target)})),
        }
    })
    .await;
    let server = Setup::default().serve_library(&api);
    let mut shown = String::new();
    for request in [
        json!({"operation": "get_status"}),
        json!({"operation": "create_book", "params": {"title": "T", "genre": "essay", "donor_code": DONOR}}),
        json!({"operation": "create_book", "params": {"title": 5, "genre": "essay", "donor_code": [DONOR]}}),
        json!({"operation": "create_book", "params": {"title": "T", "genre": "essay", "donor_code": "hush"}}),
        json!({"operation": "get_book", "params": {"book_id": 1}, "_meta": {"http": true}}),
        json!({"operation": "get_secret_note", "params": {"pin": "98765x"}}),
        json!({"operation": "get_secret_note", "params": {"pin": "135790"}}),
        json!({"operation": "get_secret_note", "params": {"pin": "987654"}}),
    ] {
        shown.push_str(&server.call(request).await.to_string());
    }
    let Value::Object(arguments) = json!({"operation": "get_secret_note", "params": {"pin": "987654"}})
    else {
        panic!("an object");
    };
    let call = Call { arguments, origin: CallOrigin::local(SessionId::new("s")) };
    shown.push_str(&format!("{call:?} {server:?} {:?}", server.dispatcher.catalog()));
    shown.push_str(&format!("{:?}", server.dispatcher.call(call).await));
    shown.push_str(&log::text());
    for secret in [TOKEN, DONOR, "\"hush\"", "98765x", "987654", "135790"] {
        assert!(!shown.contains(secret), "{secret} in {shown}");
    }
    assert_eq!(api.requests()[0].header("authorization"), Some(format!("Bearer {TOKEN}").as_str()));
}

/// X-danger-25: every attempt from destructive up is logged. A confirmation token is in the answer that gives it and
/// nowhere else.
#[tokio::test]
async fn tokens_are_not_logged() {
    log::keep();
    let (server, _api) = TestServer::library().await;
    let request = json!({"operation": "delete_book", "params": {"book_id": 1}});
    let token = server.error(request.clone()).await["details"]["confirmation_token"].clone();
    let mut confirmed = request.clone();
    confirmed["params"]["confirmation_token"] = token.clone();
    server.data(confirmed.clone()).await;
    server.error(confirmed).await;
    let seen = format!("{} {:?}", log::text(), server.dispatcher);
    assert!(!seen.contains(token.as_str().unwrap()), "{seen}");
    let lines: Vec<&str> = seen.lines().filter(|line| line.contains("aqueduct::gate")).collect();
    for (line, outcome) in lines.iter().zip(["confirmation_required", "confirmed", "token_rejected"]) {
        for part in [
            outcome,
            "adapter_name=\"library\"",
            "danger_level=2",
            "adapter_trust=\"validated\"",
            "operation=\"delete_book\"",
            "session=session-1",
        ] {
            assert!(line.contains(part), "{part}: {line}");
        }
    }
    assert_eq!(lines.len(), 3, "{seen}");
}

/// X-danger-25 X-trust-14: an operation that trust or danger denies is refused before its parameters are looked at, and is in the log of the
/// gatekeeper and of calls all the same, with who tried and by which rule it was denied.
#[tokio::test]
async fn denials_are_logged() {
    let (_, api) = TestServer::library().await;
    for (trust, operation, rule) in [
        (
            "validated",
            "delete_all_books",
            "trust validated, danger forbidden (by the name pattern delete_all*)",
        ),
        ("generated", "create_book", "trust generated does not run CREATE"),
    ] {
        log::keep();
        let server = Setup::trust(trust).serve_library(&api);
        server.error(json!({"operation": operation, "params": {"title": "hush-hush"}})).await;
        let text = log::text();
        let lines: Vec<&str> = text.lines().filter(|line| line.contains("aqueduct::gate")).collect();
        assert_eq!(lines.len(), 1, "{text}");
        let (adapter_trust, operation, rule) = (
            format!("adapter_trust={trust:?}"),
            format!("operation={operation:?}"),
            format!("rule={rule:?}"),
        );
        for part in [
            "outcome=\"denied\"",
            "adapter_name=\"library\"",
            "caller=\"local\"",
            "session=session-1",
            "purpose=\"call\"",
            &adapter_trust,
            &operation,
            &rule,
        ] {
            assert!(lines[0].contains(part), "{part}: {}", lines[0]);
        }
        let mut calls = text.lines().filter(|line| line.contains("aqueduct::call") && line.contains("close"));
        let call = calls.next().unwrap();
        for part in ["gate=\"denied\"", "source=\"library\"", &rule] {
            assert!(call.contains(part), "{part}: {call}");
        }
        assert!(!text.contains("hush-hush"), "{text}");
    }
}

/// R1.2-6 X-errors-6: one span a call, with operation, source, session, outcome and durations.
#[tokio::test]
async fn one_span_a_call() {
    log::keep();
    let (server, _api) = TestServer::library().await;
    server.data(json!({"operation": "get_status"})).await;
    server.error(json!({"operation": "get_book"})).await;
    server.error(json!({"operation": "rm -rf\nfake log line"})).await;
    let text = log::text();
    let closed: Vec<&str> =
        text.lines().filter(|line| line.contains("aqueduct::call") && line.contains("close")).collect();
    assert_eq!(closed.len(), 3, "{text}");
    for part in [
        "operation=\"get_status\"",
        "source=\"library\"",
        "gate=\"allowed\"",
        "danger=\"safe\"",
        "rule=\"trust validated, danger safe (by the category READ)\"",
        "session=session-1",
        "outcome=\"success\"",
        "upstream_ms=",
        "duration_ms=",
    ] {
        assert!(closed[0].contains(part), "{part}: {}", closed[0]);
    }
    assert!(closed[1].contains("outcome=\"VALIDATION_MISSING_PARAM\"") && !closed[1].contains("upstream_ms"));
    assert!(closed[2].contains("operation=\"(not a name)\"") && !text.contains("fake log line"));
}

/// C2.3.5-5: every failure carries the session; C2.3.5-1 C2.3.5-6: the list of operations tells which it is.
#[tokio::test]
async fn the_session_is_told() {
    let (server, _api) = TestServer::library().await;
    for request in [
        json!({}),
        json!({"operation": "get_shop"}),
        json!({"operation": "get_book"}),
        json!({"operation": "delete_all_books"}),
        json!({"operation": "delete_book", "book_id": 1}),
        json!({"operation": "get_status", "params": {"a": "\u{0}"}}),
    ] {
        assert_eq!(server.error(request).await["details"]["session_id"], "session-1");
    }
    let request = json!({"operation": "introspect", "query": "operations", "_meta": {"session_id": "other"}});
    let answer = server.call_as("session-9", ToolEndpoint::Any, request).await;
    assert_eq!(answer["data"]["_protocol"]["session_id"], "session-9");
}

/// R11.3-1 R11.3-2 R11.3-5: what an upstream lets slip of its insides is taken out of its words.
#[tokio::test]
async fn upstream_leaks_are_taken_out() {
    let leak = "boom in /srv/app/src/db.rs postgres://admin:pw@10.0.0.7/prod via 10.1.2.3";
    let api = FakeApi::always(Answer::json(500, json!({"message": leak}))).await;
    let error = Setup::default().serve_library(&api).error(json!({"operation": "get_status"})).await;
    let shown = error.to_string();
    for part in ["/srv/app", "admin:pw", "10.0.0.7", "10.1.2.3"] {
        assert!(!shown.contains(part), "{shown}");
    }
}

/// R1.2-4 R1.2-6: a call that is cancelled leaves its line too.
#[tokio::test]
async fn cancelled_calls_are_logged() {
    log::keep();
    let api = FakeApi::always(Answer::hang()).await;
    let server = Setup::default().serve_library(&api);
    let call = server.call_as("session-cancelled", ToolEndpoint::Any, json!({"operation": "get_status"}));
    tokio::select! {
        _ = call => panic!("answered"),
        () = api.wait_for_request_count(1) => {}
    }
    let lines = log::text();
    let line = lines.lines().find(|line| line.contains("session-cancelled") && line.contains("cancelled\""));
    assert!(
        line.is_some_and(|line| line.contains("duration_ms") && line.contains("gate=\"allowed\"")),
        "{lines}"
    );
}
