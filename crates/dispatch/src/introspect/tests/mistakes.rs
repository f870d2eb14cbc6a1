//! Requests that mean a search and are none: they are taken as one, or told how to search for the very same task.

use super::ask;
use crate::test_server::{Setup, TestServer, adapter};
use serde_json::{Value, json};

const HOST: &str = r#"trust: {level: certified}
operations:
  read:
    - {name: list_issues, maps_to: "GET /issues", description: "List issues"}
    - {name: get_issue, maps_to: "GET /issues/{number}", description: "Get an issue", params: {number: {type: integer, required: true}}}
  create:
    - {name: issues_create, maps_to: "POST /issues", description: "Create an issue", params: {title: {type: string, required: true}}}"#;

fn server() -> TestServer {
    Setup::default().serve(&[adapter("host", "http://127.0.0.1:9", HOST)])
}

/// X-intro-35 C4.2-1: `search` alone is a search, beside `operation` as well as inside `params`.
#[tokio::test]
async fn a_search_beside_the_operation() {
    let server = server();
    let expected = ask(&server, json!({"query": "search", "search": "create an issue"})).await;
    assert_eq!(expected["matches"][0]["name"], "issues_create", "{expected}");
    for request in [
        json!({"operation": "introspect", "search": "create an issue"}),
        json!({"operation": "introspect", "params": {}, "search": "create an issue"}),
        json!({"operation": "introspect", "params": {"search": "create an issue"}}),
        json!({"operation": "introspect", "query": "search", "params": {"search": "create an issue"}}),
    ] {
        assert_eq!(server.data(request.clone()).await, expected, "{request}");
    }
    let list =
        server.data(json!({"operation": "introspect", "query": "operations", "search": "issue"})).await;
    assert!(list["operations"].is_array(), "another query stays what it is: {list}");
}

/// X-intro-35: what is wrong with a request that looks for something ends with the search for it.
#[tokio::test]
async fn errors_name_the_search() {
    let server = server();
    for (request, code, search) in [
        (json!({"operation": "introspect"}), "VALIDATION_MISSING_PARAM", "list issues"),
        (json!({"operation": "introspect", "params": {}}), "VALIDATION_MISSING_PARAM", "list issues"),
        (
            json!({"operation": "introspect", "params": {"query": "close the oldest issue"}}),
            "INVALID_QUERY_TYPE",
            "close the oldest issue",
        ),
        (
            json!({"operation": "introspect", "params": {"query": "operations", "text": "close an issue"}}),
            "VALIDATION_UNKNOWN_PARAM",
            "close an issue",
        ),
        (
            json!({"operation": "introspect", "params": {"text": "close \"my\" issue"}}),
            "VALIDATION_MISSING_PARAM",
            "close 'my' issue",
        ),
        (
            json!({"operation": "introspect", "params": {"query": "what can I close"}}),
            "INVALID_QUERY_TYPE",
            "can I close",
        ),
        (json!({"search": "close an issue"}), "VALIDATION_MISSING_PARAM", "close an issue"),
        (json!({"params": {"query": "close an issue"}}), "VALIDATION_MISSING_PARAM", "close an issue"),
        (
            json!({"operation": "search", "params": {"search": "close an issue"}}),
            "NOT_FOUND_OPERATION",
            "close an issue",
        ),
        (
            json!({"operation": "find_operations", "q": "close an issue"}),
            "NOT_FOUND_OPERATION",
            "close an issue",
        ),
    ] {
        let error = server.error(request.clone()).await;
        assert_eq!(error["code"], code, "{request}: {error}");
        let end = format!(". Search with introspect {{query:\"search\", search:\"{search}\"}}.");
        assert!(error["message"].as_str().unwrap().ends_with(&end), "{request}: {error}");
    }
    let error = server.error(json!({"search": "close an issue"})).await;
    let search =
        json!({"operation": "introspect", "params": {"query": "search", "search": "close an issue"}});
    assert_eq!(error["details"]["example"], search, "{error}");
    assert_eq!(error["details"]["expected_tool"], "mcp_aql_read", "{error}");
    let nothing = server.error(json!({"params": {"title": "a long text"}})).await;
    assert!(nothing["message"].as_str().unwrap().contains("to list the operations"), "{nothing}");
}

/// How many there may be has several names; here it is `first`.
#[tokio::test]
async fn names_of_first() {
    let server = server();
    for name in ["limit", "per_page", "top_k"] {
        let mut params = json!({"query": "search", "search": "list issues"});
        params[name] = 3.into();
        let error = server.error(json!({"operation": "introspect", "params": params})).await;
        let message = error["message"].as_str().unwrap();
        assert!(message.contains(&format!("Send 'first' instead of '{name}'")), "{message}");
    }
}

/// W3: the words of a name in another order are that name, whatever family was called.
#[tokio::test]
async fn words_in_another_order() {
    let server = server();
    let error: Value = server.call_by("read", json!({"operation": "create_issue"})).await["error"].take();
    assert_eq!(error["details"]["suggestions"][0], "issues_create", "{error}");
    assert!(error["message"].as_str().unwrap().contains("Did you mean 'issues_create'?"), "{error}");
}
