//! The limits in force, from the client's side: what is published is what is enforced.
//!
//! Nothing over a limit is ever sent, and JSON text is no way around one (core specification, section 4.7.5).

use crate::test_server::{Setup, TestServer};
use aqueduct_operations::call::{Call, CallOrigin, SessionId};
use aqueduct_operations::limits::Limits;
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};

/// C4.7.5-7 C4.7.5-8 C4.7.5-9 X-errors-15: the limits that introspection publishes are those that are enforced, and the failure
/// names the one that was crossed.
#[tokio::test]
async fn published_limits_are_the_enforced_ones() {
    let (server, api) = TestServer::library().await;
    let list = server.data(json!({"operation": "introspect", "query": "operations"})).await;
    assert_eq!(
        list["_protocol"]["limits"],
        json!({"max_request_size": 1_048_576, "max_response_size": 10_485_760, "max_string_length": 1_048_576,
               "max_array_elements": 10_000, "max_nesting_depth": 32})
    );
    let limits = Limits {
        max_request_size: 200_000,
        max_string_length: 70_000,
        max_array_elements: 100,
        max_nesting_depth: 8,
        ..Limits::default()
    };
    let small = Setup::limits(limits).serve_library(&api);
    let list = small.data(json!({"operation": "introspect", "query": "operations"})).await;
    let published = &list["_protocol"]["limits"];
    let deep = (0..8).fold(json!(1), |inner, _| json!([inner]));
    for (limit, unit, metadata) in [
        (
            "request_size",
            "bytes",
            json!({"a": "x".repeat(60_000), "b": "x".repeat(60_000), "c": "x".repeat(60_000), "d": "x".repeat(60_000)}),
        ),
        ("string_length", "bytes", json!({"a": "x".repeat(70_001)})),
        ("array_elements", "elements", json!({"a": vec![0; 101]})),
        ("nesting_depth", "levels", json!({"a": deep})),
    ] {
        let params = json!({"title": "T", "genre": "essay", "metadata": metadata});
        let error = small.error(json!({"operation": "create_book", "params": params})).await;
        assert_eq!(error["code"], "VALIDATION_PAYLOAD_TOO_LARGE");
        assert_eq!(
            (&error["details"]["limit_type"], &error["details"]["unit"]),
            (&json!(limit), &json!(unit))
        );
        let published = published[format!("max_{limit}")].as_u64().unwrap();
        assert_eq!(error["details"]["limit_value"], published);
        assert!(error["details"]["actual_value"].as_u64().unwrap() > published);
    }
    assert!(api.requests().is_empty());
    // What is just within them passes.
    let within = (0..5).fold(json!(1), |inner, _| json!([inner]));
    for metadata in [json!({"a": "x".repeat(70_000)}), json!({"a": vec![0; 100]}), json!({"a": within})] {
        let params = json!({"title": "T", "genre": "essay", "metadata": metadata});
        let answer = small.call(json!({"operation": "create_book", "params": params})).await;
        assert_ne!(answer["error"]["code"], "VALIDATION_PAYLOAD_TOO_LARGE", "{answer}");
    }
    assert_eq!(api.requests().len(), 3);
}

/// C4.7.5-9: the limit of answers is enforced as it is published, to the byte.
#[tokio::test]
async fn the_published_limit_of_answers_is_the_enforced_one() {
    let body = json!({"text": "x".repeat(2_000)}).to_string();
    let size = body.len() as u64;
    let api = FakeApi::always(Answer::json(200, serde_json::from_str(&body).unwrap())).await;
    for (limit, passes) in [(size, true), (size - 1, false)] {
        let limits = Limits { max_response_size: limit, ..Limits::default() };
        let setup = Setup { max_response_size: limit, ..Setup::limits(limits) };
        let server = setup.serve_library(&api);
        let list = server.data(json!({"operation": "introspect", "query": "operations"})).await;
        assert_eq!(list["_protocol"]["limits"]["max_response_size"], limit);
        let answer = server.call(json!({"operation": "get_book", "params": {"book_id": 1}})).await;
        assert_eq!(answer["success"], passes, "{answer}");
    }
}

/// C4.7.5-4 C4.7.5-5 C4.7.1-7: JSON text in place of an object is no way around the limits: it is then just text.
#[tokio::test]
async fn text_does_not_hide_what_is_too_large() {
    let (server, api) = TestServer::library().await;
    let deep = (0..40).fold(json!({}), |inner, _| json!({"a": inner}));
    for hidden in [deep, json!({"a": vec![0; 10_001]}), json!({"a": "\u{0}"})] {
        let params = json!({"title": "T", "genre": "essay", "metadata": hidden.to_string()});
        let error = server.error(json!({"operation": "create_book", "params": params})).await;
        assert_eq!(error["code"], "VALIDATION_INVALID_TYPE", "{error}");
    }
    assert!(api.requests().is_empty());
}

/// R11.5-2 R11.5-1 C4.7.5-2 X-errors-15: an answer over the limit is a failure with that text, not half an answer.
#[tokio::test]
async fn large_answers() {
    let api = FakeApi::always(Answer::json(200, json!("x".repeat(2_000)))).await;
    let server = Setup { max_response_size: 1_000, ..Setup::default() }.serve_library(&api);
    let error = server.error(json!({"operation": "get_status"})).await;
    assert_eq!(error["code"], "VALIDATION_PAYLOAD_TOO_LARGE");
    assert_eq!(
        error["message"],
        "Payload exceeds response_size limit of 1000. Response exceeds maximum size limit: ask for less."
    );
    let details = &error["details"];
    assert_eq!((&details["limit_type"], &details["limit_value"]), (&json!("response_size"), &json!(1000)));
    assert_eq!((&details["actual_value"], &details["unit"]), (&json!(2002), &json!("bytes")));
}

/// C4.7.1-7 R11.1-3 X-errors-14: a NUL anywhere is refused with its place.
#[tokio::test]
async fn nul_characters() {
    let (server, api) = TestServer::library().await;
    let params = json!({"title": "T", "genre": "essay", "metadata": {"note": ["a\u{0}"]}});
    let error = server.error(json!({"operation": "create_book", "params": params})).await;
    assert_eq!(error["code"], "VALIDATION_INVALID_ENCODING");
    assert!(error["message"].as_str().unwrap().starts_with("Invalid character encoding in request"));
    assert_eq!(error["details"]["location"], "params.metadata.note[0]");
    assert!(api.requests().is_empty());
}

/// A call fits on a small stack: what it may need is put on the heap when it is needed.
#[tokio::test]
async fn a_call_is_small() {
    let (server, _api) = TestServer::library().await;
    let Value::Object(arguments) = json!({"operation": "get_status"}) else { panic!() };
    let session = SessionId::new("s");
    let call = Call { arguments, origin: CallOrigin::local(session) };
    let size = size_of_val(&server.dispatcher.call(call));
    assert!(size < 24 * 1024, "{size} bytes");
}
