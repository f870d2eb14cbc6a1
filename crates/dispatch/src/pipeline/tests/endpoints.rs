//! Which tool an operation may be called by, and in which order a request is judged.
//!
//! Nothing is sent for a request that fails any of the checks (core specification, sections 3.2 and 6.2).

use crate::test_server::{Setup, TestServer, adapter, data_of, error_of};
use aqueduct_operations::exposure::Profile;
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};

/// C6.2-3 R5.3-1 O6.3-1 O6.3-2 O6.3-3 O6.3-4: by the wrong tool an operation is refused and does not run.
#[tokio::test]
async fn the_wrong_endpoint() {
    let (server, api) = TestServer::library().await;
    let create = json!({"operation": "create_book", "params": {"title": "T", "genre": "essay"}});
    let error = error_of(server.call_by("delete", create.clone()).await);
    assert_eq!(error["code"], "VALIDATION_ENDPOINT_MISMATCH");
    assert_eq!(
        error["message"],
        "Operation 'create_book' must use CREATE endpoint, not DELETE. Call mcp_aql_create."
    );
    let details = &error["details"];
    assert_eq!(details["operation"], "create_book");
    assert_eq!(
        (&details["expected_endpoint"], &details["actual_endpoint"]),
        (&json!("CREATE"), &json!("DELETE"))
    );
    assert!(api.requests().is_empty());
    data_of(server.call_by("create", create).await);
    assert_eq!(api.requests().len(), 1);
}

/// O8.4-1: a request that goes nowhere is answered with one that works, and the tool that takes it: of the operation
/// that was named or is nearest, else of `introspect`; never of a hidden one.
#[tokio::test]
async fn the_way_out_is_shown() {
    let (server, _api) = TestServer::library().await;
    let introspect = json!({"operation": "introspect", "params": {"query": "operations"}});
    let get_book = json!({"operation": "get_book", "params": {"book_id": 1}});
    for (request, tool, example) in [
        (json!({"operation": "get_book", "params": {}}), "mcp_aql_read", get_book.clone()),
        (json!({"operation": "get_bok"}), "mcp_aql_read", get_book.clone()),
        (json!({"operation": "xyzzy"}), "mcp_aql_read", introspect.clone()),
        (json!({}), "mcp_aql_read", introspect.clone()),
        (json!({"operation": 5}), "mcp_aql_read", introspect.clone()),
        (json!({"operation": "get_book", "params": [1]}), "mcp_aql_read", get_book.clone()),
        (json!({"operation": "xyzzy", "params": [1]}), "mcp_aql_read", introspect.clone()),
        (json!({"operation": "delete_all_books", "params": [1]}), "mcp_aql_read", introspect.clone()),
        (json!({"op": "get_book"}), "mcp_aql_read", get_book.clone()),
        (json!({"name": "get_book", "arguments": {}}), "mcp_aql_read", get_book.clone()),
        (json!({"op": "delete_all_books"}), "mcp_aql_read", introspect.clone()),
        (
            json!({"operation": "send_remindr"}),
            "mcp_aql_execute",
            json!({"operation": "send_reminder", "params": {"reader": "reader"}}),
        ),
    ] {
        let details = error_of(server.call_by("delete", request.clone()).await)["details"].take();
        assert_eq!((&details["example"], &details["expected_tool"]), (&example, &json!(tool)), "{request}");
    }
    for (request, message) in [
        (
            json!({"op": "get_book"}),
            "Missing required parameter 'operation'. Send 'operation' instead of 'op'.",
        ),
        (
            json!({"name": "get_book"}),
            "Missing required parameter 'operation'. Send 'operation' instead of 'name'.",
        ),
        (
            json!({"Operation": "get_book"}),
            "Missing required parameter 'operation'. Send 'operation' instead of 'Operation'.",
        ),
    ] {
        assert_eq!(server.error(request).await["message"], message);
    }
    let unrelated = server.error(json!({"name": "Candide"})).await;
    assert!(unrelated["message"].as_str().unwrap().ends_with("to list the operations."), "{unrelated}");
    let hidden = server.error(json!({"operation": "delete_all_book"})).await;
    assert!(!hidden["details"].to_string().contains("delete_all_books"), "{hidden}");
}

/// R5.3-2: families are compared without case.
#[tokio::test]
async fn endpoints_have_no_letter_case() {
    let (server, _api) = TestServer::library().await;
    data_of(server.call_by("READ", json!({"operation": "get_status"})).await);
}

/// R5.3-4: an unknown operation is unknown by every endpoint.
#[tokio::test]
async fn unknown_at_any_endpoint() {
    let (server, _api) = TestServer::library().await;
    for family in ["create", "read", "delete"] {
        let error = error_of(server.call_by(family, json!({"operation": "get_shop"})).await);
        assert_eq!(error["code"], "NOT_FOUND_OPERATION");
    }
}

/// O6.1-8: other profiles have other endpoints, named as they are.
#[tokio::test]
async fn endpoints_of_another_profile() {
    let (_, api) = TestServer::library().await;
    let server = Setup::profile(Profile::discover()).serve_library(&api);
    data_of(server.call_by("query", json!({"operation": "get_status"})).await);
    let error = error_of(server.call_by("manage", json!({"operation": "get_status"})).await);
    assert_eq!(
        error["message"],
        "Operation 'get_status' must use query endpoint, not manage. Call mcp_aql_query."
    );
    data_of(server.call_by("query", json!({"operation": "introspect", "query": "types"})).await);
    let error =
        error_of(server.call_by("manage", json!({"operation": "introspect", "query": "types"})).await);
    assert!(error["message"].as_str().unwrap().contains("discover"), "{error}");
}

/// C3.2-1 C3.2-2 R5.2-3 R11.4-5 O5.1-2: encoding, size, envelope, operation, endpoint, parameters: the first trouble is told,
/// and nothing is sent for any of them.
#[tokio::test]
async fn order_of_checks() {
    let (server, api) = TestServer::library().await;
    let long = "x".repeat(1_100_000);
    for (code, request) in [
        ("VALIDATION_INVALID_ENCODING", json!({"operation": 5, "params": {"a": "\u{0}", "b": long}})),
        ("VALIDATION_PAYLOAD_TOO_LARGE", json!({"operation": 5, "params": {"b": long}})),
        ("VALIDATION_INVALID_TYPE", json!({"operation": 5, "params": []})),
        ("VALIDATION_INVALID_TYPE", json!({"operation": "get_shop", "params": []})),
        ("NOT_FOUND_OPERATION", json!({"operation": "get_shop", "params": {"nope": 1}})),
        ("VALIDATION_ENDPOINT_MISMATCH", json!({"operation": "create_book", "params": {"nope": 1}})),
        ("VALIDATION_MISSING_PARAM", json!({"operation": "get_book", "params": {"nope": 1}})),
        ("VALIDATION_UNKNOWN_PARAM", json!({"operation": "get_book", "params": {"book_id": 1, "nope": 1}})),
    ] {
        let error = error_of(server.call_by("read", request).await);
        assert_eq!(error["code"], code, "{error}");
    }
    assert!(api.requests().is_empty());
}

/// R11.4-5: a value that can never be sent is refused before anyone is asked, and a token that comes with it stays good.
#[tokio::test]
async fn nothing_is_asked_for_what_cannot_be_sent() {
    let api = FakeApi::always(Answer::json(200, json!({}))).await;
    let shelves = "operations:\n  delete:\n    - name: delete_shelf\n      maps_to: DELETE /shelves/{shelf}\n      \
                   description: \"Remove a shelf\"\n      danger: {level: destructive}\n      params: {shelf: \
                   {type: string, required: true}}";
    let server = Setup::default().serve(&[adapter("shelves", &api.base_url(), shelves)]);
    let delete = |params: Value| json!({"operation": "delete_shelf", "params": params});
    let asked = server.error(delete(json!({"shelf": "a"}))).await;
    assert_eq!(asked["code"], "CONFIRMATION_REQUIRED");
    let token = &asked["details"]["confirmation_token"];
    for shelf in ["..", "."] {
        for params in [json!({"shelf": shelf}), json!({"shelf": shelf, "confirmation_token": token})] {
            let error = server.error(delete(params)).await;
            assert_eq!(error["code"], "VALIDATION_INVALID_VALUE", "{error}");
            assert_eq!(error["details"]["param_name"], "shelf", "{error}");
            assert_eq!(error["details"].get("confirmation_token"), None, "{error}");
        }
    }
    assert!(api.requests().is_empty());
    server.data(delete(json!({"shelf": "a", "confirmation_token": token}))).await;
    assert_eq!(api.only_request().target, "/shelves/a");
}

/// C4.1-1 C4.1-2 O2.2-1: what is not a request at all says so; it is an error even though its code can be acted on.
#[tokio::test]
async fn no_request_at_all() {
    let (server, _api) = TestServer::library().await;
    for (code, request) in [
        ("VALIDATION_MISSING_PARAM", json!({})),
        ("VALIDATION_MISSING_PARAM", json!({"operation": ""})),
        ("VALIDATION_MISSING_PARAM", json!({"params": {"query": "operations"}})),
        ("VALIDATION_INVALID_TYPE", json!({"operation": ["get_book"]})),
        ("VALIDATION_INVALID_TYPE", json!({"operation": null})),
        ("VALIDATION_INVALID_TYPE", json!({"operation": "get_status", "params": null})),
        ("VALIDATION_INVALID_TYPE", json!({"operation": "get_status", "params": "no object"})),
    ] {
        let endpoint = aqueduct_operations::call::ToolEndpoint::Any;
        let reply = server.reply("session-1", endpoint, request.clone()).await;
        assert!(reply.is_error(), "{request}");
        assert_eq!(server.error(request).await["code"], code);
    }
}
