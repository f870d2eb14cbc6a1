//! Arguments that came as JSON text (ruling W10).
//!
//! They are used where an object or array is declared, with a warning; everything else of a wrong type is rejected.

use crate::test_server::TestServer;
use aqueduct_operations::call::ToolEndpoint;
use serde_json::{Value, json};

fn create(extra: (&str, Value)) -> Value {
    let mut params = json!({"title": "T", "genre": "essay"});
    params[extra.0] = extra.1;
    json!({"operation": "create_book", "params": params})
}

/// JSON text is parsed where an object, an array or a union with one is declared, and one warning tells of all of it.
#[tokio::test]
async fn json_text_is_parsed() {
    let (server, api) = TestServer::library().await;
    for (name, text, parsed) in [
        ("metadata", r#"{"a": 1}"#, json!({"a": 1})),
        ("tags", r#" ["a", "b"]"#, json!(["a", "b"])),
        ("keywords", r#"["a"]"#, json!(["a"])),
        ("chapters", "[]", json!([])),
    ] {
        let answer = server.call(create((name, json!(text)))).await;
        assert_eq!(answer["warnings"][0]["code"], "ARGUMENT_REPAIRED", "{answer}");
        assert_eq!(answer["warnings"][0]["details"], json!({"params": [name]}));
        assert_eq!(api.requests().pop().unwrap().json()[name], parsed);
    }
    let both = json!({"title": "T", "genre": "essay", "metadata": "{}", "tags": "[]"});
    let answer = server.call(json!({"operation": "create_book", "params": both})).await;
    assert_eq!(answer["warnings"].as_array().unwrap().len(), 1);
    assert_eq!(answer["warnings"][0]["details"], json!({"params": ["tags", "metadata"]}));
}

/// C2.3.3-5: a warning is given again in the next call and in another session.
#[tokio::test]
async fn warnings_are_never_held_back() {
    let (server, _api) = TestServer::library().await;
    for session in ["session-1", "session-1", "session-2"] {
        let request = create(("tags", json!("[]")));
        let answer = server.call_as(session, ToolEndpoint::Any, request).await;
        assert_eq!(answer["warnings"][0]["code"], "ARGUMENT_REPAIRED", "{answer}");
    }
}

/// `params` and `input` are objects too.
#[tokio::test]
async fn whole_objects_as_text() {
    let (server, api) = TestServer::library().await;
    let answer = server.call(json!({"operation": "get_book", "params": "{\"book_id\": 3}"})).await;
    assert_eq!(
        (&answer["success"], &answer["warnings"][0]["code"]),
        (&json!(true), &json!("ARGUMENT_REPAIRED"))
    );
    let params = json!({"book_id": 3, "input": "{\"title\": \"T\", \"metadata\": \"{\\\"a\\\": 1}\"}"});
    let answer = server.call(json!({"operation": "update_book", "params": params})).await;
    assert_eq!(answer["warnings"][0]["details"], json!({"params": ["input", "input.metadata"]}));
    assert_eq!(api.requests()[1].json(), json!({"title": "T", "metadata": {"a": 1}}));
}

/// Anything else of a wrong type is rejected: numbers and booleans as text, text that is no JSON or other JSON.
#[tokio::test]
async fn nothing_else_is_repaired() {
    let (server, api) = TestServer::library().await;
    for (name, value) in [
        ("pages", json!("12")),
        ("in_print", json!("true")),
        ("rating", json!("4.5")),
        ("metadata", json!("{a: 1}")),
        ("metadata", json!("[1]")),
        ("tags", json!("[1]")),
        ("tags", json!("a, b")),
        ("title", json!(["T"])),
    ] {
        let error = server.error(create((name, value))).await;
        assert_eq!(
            (&error["code"], &error["details"]["param_name"]),
            (&json!("VALIDATION_INVALID_TYPE"), &json!(name))
        );
    }
    assert!(api.requests().is_empty());
    let text = server.call(create(("title", json!("{\"a\":1}")))).await;
    assert_eq!(text.get("warnings"), None, "text stays text where text is declared");
    assert_eq!(api.only_request().json()["title"], "{\"a\":1}");
    let broken = server.call(create(("keywords", json!("[broken")))).await;
    assert_eq!(broken["success"], true, "a union with text takes it as text");
}

/// O5.2-6 C4.6-1: what stands on a declared path is read or rejected, never dropped in silence.
#[tokio::test]
async fn declared_paths_are_not_dropped() {
    let (server, api) = TestServer::library().await;
    let find = |shelf: serde_json::Value| json!({"operation": "find_shelf", "params": {"shelf": shelf}});
    let text = server.call(find(json!("{\"code\": \"B2\"}"))).await;
    assert_eq!(text["warnings"][0]["details"]["params"], json!(["shelf"]));
    assert!(api.only_request().target.contains("B2"), "{}", api.only_request().target);
    for (shelf, code, param) in [
        (json!(5), "VALIDATION_INVALID_TYPE", "shelf"),
        (json!({"code": "B2", "other": 1}), "VALIDATION_UNKNOWN_PARAM", "shelf.other"),
    ] {
        let error = server.error(find(shelf)).await;
        let problems = error["details"]["problems"].as_array().unwrap();
        assert!(problems.iter().any(|p| p["code"] == code && p["param"] == param), "{error}");
    }
    assert_eq!(api.requests().len(), 1);
}
