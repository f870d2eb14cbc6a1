//! Every answer to the two standard queries against closed schemas.
//!
//! The schemas are ours, written from the introspection document; they lie beside this folder.

use super::{ask, detail, everything, names};
use crate::introspect::respond;
use crate::test_server::{Setup, TestServer, assert_valid, schema};
use aqueduct_operations::call::{Caller, Scopes, SessionId};
use aqueduct_operations::exposure::{Mode, Profile};
use serde_json::{Value, json};

fn response() -> jsonschema::Validator {
    schema(include_str!("../schemas/introspection-response.json"))
}

async fn every_answer(server: &TestServer) -> Vec<Value> {
    let call = |params: Value| server.call(json!({"operation": "introspect", "params": params}));
    let mut answers = vec![call(json!({"query": "operations"})).await, call(json!({"query": "types"})).await];
    for name in names(server).await {
        answers.push(call(json!({"query": "operations", "name": name})).await);
    }
    for each in ask(server, json!({"query": "types"})).await["types"].as_array().unwrap() {
        answers.push(call(json!({"query": "types", "name": each["name"]})).await);
    }
    answers
}

/// X-intro-1 X-intro-4 X-intro-5 X-intro-7 X-intro-8 X-intro-9 X-intro-13 X-intro-14 X-intro-16 X-intro-17 X-intro-20
/// X-intro-21 X-intro-23 X-intro-39 C10.3-2: with our extensions always on, every answer has exactly the fields of its shape, in every mode and profile.
#[tokio::test]
async fn closed_shapes() {
    let schema = response();
    let (server, api) = everything().await;
    let mut servers = vec![server];
    servers.extend([Mode::Single, Mode::All].map(|mode| Setup::mode(mode).serve_library(&api)));
    servers.push(Setup::profile(Profile::discover()).serve_library(&api));
    servers.push(Setup::trust("generated").serve_library(&api));
    for server in servers {
        let answers = every_answer(&server).await;
        assert!(answers.len() > 15, "{}", answers.len());
        for answer in answers {
            assert_valid(&schema, &answer);
        }
    }
}

/// The schema is closed: what does not belong is found.
#[tokio::test]
async fn the_schema_is_closed() {
    let schema = response();
    let (server, _api) = everything().await;
    for answer in every_answer(&server).await {
        for place in [
            "",
            "/data",
            "/data/operation",
            "/data/operation/parameters/0",
            "/data/operations/0",
            "/data/type",
            "/data/types/0",
        ] {
            let mut spoiled = answer.clone();
            if let Some(Value::Object(object)) = spoiled.pointer_mut(place) {
                object.insert("danger".to_owned(), json!("safe"));
                assert!(!schema.is_valid(&spoiled), "{place}");
            }
        }
    }
}

/// X-intro-18: an unknown name is no error; its answer is null, as it is for a hidden one.
#[tokio::test]
async fn unknown_names_give_null() {
    let (server, _api) = TestServer::library().await;
    for name in ["get_shop", "delete_all_books", "", "Get_Book", "Book"] {
        let answer =
            server.call(json!({"operation": "introspect", "query": "operations", "name": name})).await;
        assert_eq!((&answer["success"], &answer["data"]), (&json!(true), &json!({"operation": null})));
        assert!(!answer.to_string().contains("delete_all_books") || name == "delete_all_books", "{answer}");
    }
    for name in ["Shop", "get_book", ""] {
        let answer = server.call(json!({"operation": "introspect", "query": "types", "name": name})).await;
        assert_eq!((&answer["success"], &answer["data"]), (&json!(true), &json!({"type": null})));
    }
}

/// W3: the closest names are in the warnings; the data stays strict, and a name that is known has no warning.
#[tokio::test]
async fn unknown_names_have_near_ones() {
    let (server, _api) = TestServer::library().await;
    for (query, name, near) in [("operations", "fetch_book", "get_book"), ("types", "Bok", "Book")] {
        let answer = server.call(json!({"operation": "introspect", "query": query, "name": name})).await;
        let warning = &answer["warnings"][0];
        assert_eq!(warning["code"], "UNKNOWN_NAME", "{answer}");
        assert_eq!(warning["details"]["suggestions"][0], near, "{answer}");
        assert!(warning["message"].as_str().unwrap().contains(near), "{answer}");
    }
    let far = server.call(json!({"operation": "introspect", "query": "operations", "name": "qqqq"})).await;
    assert_eq!(far["warnings"][0]["details"]["suggestions"], json!([]), "{far}");
    let known =
        server.call(json!({"operation": "introspect", "query": "operations", "name": "get_book"})).await;
    assert!(known.get("warnings").is_none(), "{known}");
}

/// X-intro-2 X-intro-3 C7.2-2: failures have code and message only, whatever is wrong with the request.
#[tokio::test]
async fn failures() {
    let schema = response();
    let (server, _api) = TestServer::library().await;
    for (code, request) in [
        ("INVALID_QUERY_TYPE", json!({"operation": "introspect", "params": {"query": "invalid"}})),
        ("INVALID_QUERY_TYPE", json!({"operation": "introspect", "params": {"query": "Operations"}})),
        ("INVALID_QUERY_TYPE", json!({"operation": "introspect", "params": {"query": "what is it"}})),
        ("VALIDATION_MISSING_PARAM", json!({"operation": "introspect"})),
        ("VALIDATION_INVALID_TYPE", json!({"operation": "introspect", "params": {"query": 5}})),
        (
            "VALIDATION_INVALID_TYPE",
            json!({"operation": "introspect", "params": {"query": "types", "name": null}}),
        ),
        (
            "VALIDATION_UNKNOWN_PARAM",
            json!({"operation": "introspect", "params": {"query": "types", "nope": 1}}),
        ),
        ("VALIDATION_INVALID_TYPE", json!({"operation": "introspect", "params": 5})),
        ("VALIDATION_INVALID_ENCODING", json!({"operation": "introspect", "params": {"query": "\u{0}"}})),
    ] {
        let answer = server.call(request).await;
        assert_eq!(answer["error"]["code"], code, "{answer}");
        assert_valid(&schema, &answer);
    }
    let wrong_endpoint = server.call_by("create", json!({"operation": "introspect", "query": "types"})).await;
    assert_eq!(wrong_endpoint["error"]["code"], "VALIDATION_ENDPOINT_MISMATCH");
    assert!(wrong_endpoint["error"]["message"].as_str().unwrap().ends_with("Call mcp_aql_read."));
    assert_valid(&schema, &wrong_endpoint);
    let message =
        server.error(json!({"operation": "introspect", "query": "invalid"})).await["message"].clone();
    assert_eq!(
        message,
        "Unknown query type: 'invalid'. Supported types: operations, types, search, adapter_info, danger, capabilities, quota_status"
    );
}

/// X-intro-1: no metadata comes along, even where another operation would have it; warnings about the request do.
#[tokio::test]
async fn nothing_beside_the_data() {
    let (_, api) = TestServer::library().await;
    let server = Setup::lenient().serve_library(&api);
    let request = json!({"operation": "introspect", "params": "{\"query\":\"types\",\"nope\":1}", "_meta": {"http": true}});
    let answer = server.call(request).await;
    assert_eq!(answer.as_object().unwrap().keys().collect::<Vec<_>>(), ["success", "data", "warnings"]);
}

/// X-intro-34: answers are the same throughout a session; details are worked out once and then kept with the catalog.
#[tokio::test]
async fn answers_are_constant() {
    let (server, _api) = everything().await;
    assert_eq!(every_answer(&server).await, every_answer(&server).await);
    let catalog = server.dispatcher.catalog();
    let kept = |session: &str| {
        let values = json!({"query": "operations", "name": "get_book"});
        let view = catalog.view_of(&Caller::local(), &Scopes::unrestricted());
        respond(&view, values.as_object().unwrap(), &SessionId::new(session)).unwrap()
    };
    let (first, second) = (kept("session-1"), kept("session-2"));
    assert!(std::ptr::eq(first.0.as_str(), second.0.as_str()), "the second answer is the first");
    assert_eq!(*first.0.as_str(), json!({"operation": detail(&server, "get_book").await}).to_string());
}
