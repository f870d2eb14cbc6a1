//! Failures as they cross the protocol: always a tool result, with the right `isError`.

use super::harness::{Place, Server, TOKEN, code, inside, shop};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};

async fn with(answer: Answer) -> (FakeApi, Server) {
    let api = FakeApi::always(answer).await;
    let server = Server::shop(&api.base_url(), &["--mode", "single"], &[]).await;
    (api, server)
}

async fn call(server: &mut Server, arguments: Value) -> (Value, bool) {
    let answer = server.call_raw("mcp_aql", arguments).await;
    assert_eq!(answer.get("error"), None, "{answer}");
    (inside(&answer), answer["result"]["isError"].as_bool().unwrap())
}

fn product(id: Value) -> Value {
    json!({"operation": "get_product", "params": {"product_id": id}})
}

/// M4.1.1-1 M4.1.3-1 M4.1.3-4: a success is one text block with the whole result, a failure is too, and `isError` is written
/// out.
#[tokio::test]
async fn success() {
    let (_api, mut server) = with(Answer::json(200, json!({"id": 7, "name": "Tea"}))).await;
    let answer = server.call_raw("mcp_aql", product(json!(7))).await;
    assert_eq!(
        answer["result"],
        json!({"content": [{"type": "text", "text": r#"{"success":true,"data":{"id":7,"name":"Tea"}}"#}],
               "isError": false})
    );
    let answer = server.call_raw("mcp_aql", product(json!("seven"))).await;
    let result = answer["result"].as_object().unwrap();
    assert_eq!(result.keys().collect::<Vec<_>>(), ["content", "isError"], "{answer}");
    let [block] = result["content"].as_array().unwrap().as_slice() else { panic!("{answer}") };
    assert_eq!(block.as_object().unwrap().len(), 2, "{block}");
    assert_eq!(block["type"], "text");
    let failure: Value = serde_json::from_str(block["text"].as_str().unwrap()).unwrap();
    assert_eq!(failure["success"], false, "{failure}");
    assert_eq!(failure["error"]["code"], "VALIDATION_INVALID_TYPE", "{failure}");
    assert_eq!(block["text"], failure.to_string(), "the whole result as compact JSON, and nothing around it");
}

/// M4.1-1 M4.1.2-1 M4.1.2-5 M4.1.2-6 M4.1.2-10 M4.1.3-3 M4.2-1 M4.2-6 M4.3-1 M4.3-2 M4.3-3 M4.3-4 M4.3-5 M4.3-6 M4.3-7
/// M4.3-8 M7.1-3 M7.2-5 R8.1-1: statuses, their codes, and whether that is an error of the tool.
#[tokio::test]
async fn upstream_statuses() {
    for (status, expected, is_error) in [
        (400, "VALIDATION_INVALID_TYPE", false),
        (401, "PERMISSION_DENIED", false),
        (403, "PERMISSION_DENIED", false),
        (404, "NOT_FOUND_RESOURCE", false),
        (409, "CONFLICT_ALREADY_EXISTS", false),
        (422, "VALIDATION_INVALID_TYPE", false),
        (429, "RATE_LIMIT_EXCEEDED", false),
        (500, "INTERNAL_ERROR", true),
        (503, "INTERNAL_ERROR", true),
    ] {
        let (_api, mut server) = with(Answer::json(status, json!({"message": "no luck"}))).await;
        let (failure, flagged) = call(&mut server, product(json!(7))).await;
        assert_eq!((code(&failure), flagged), (expected, is_error), "{status}: {failure}");
        assert_eq!(failure["error"]["details"]["http_status"], status, "{failure}");
        assert!(failure["error"]["message"].as_str().unwrap().contains("no luck"), "{failure}");
    }
}

/// M4.1-1 M4.1.1-2 M4.1.2-2 M4.1.2-3 M4.1.2-4 M4.1.2-7 M4.1.3-2 M4.2-1 M4.2-6 M7.1-3 M7.1-4 C4.6.2-2: what an agent can mend
/// is no error of the tool.
#[tokio::test]
async fn recoverable() {
    let (api, mut server) = with(Answer::json(200, json!({}))).await;
    for (arguments, expected) in [
        (json!({"operation": "get_product"}), "VALIDATION_MISSING_PARAM"),
        (product(json!("seven")), "VALIDATION_INVALID_TYPE"),
        (
            json!({"operation": "get_product", "params": {"product_id": 1, "x": 2}}),
            "VALIDATION_UNKNOWN_PARAM",
        ),
        (json!({"operation": "list_products", "params": {"per_page": 1000}}), "VALIDATION_INVALID_VALUE"),
        (json!({"operation": "no_such_operation"}), "NOT_FOUND_OPERATION"),
        (json!({"operation": "delete_order", "params": {"order_id": "o"}}), "CONFIRMATION_REQUIRED"),
        (json!({"operation": "introspect", "params": {"query": "colours"}}), "INVALID_QUERY_TYPE"),
    ] {
        let (failure, flagged) = call(&mut server, arguments).await;
        assert_eq!((code(&failure), flagged), (expected, false), "{failure}");
        assert_eq!(failure["success"], false);
    }
    assert!(api.requests().is_empty());
}

/// M4.1-1 M4.1.1-3 M4.1.2-8 M4.1.2-11 M4.2-1 M7.1-3: what is no request, and what no agent can mend, is an error of the tool.
#[tokio::test]
async fn unrecoverable() {
    let (_api, mut server) = with(Answer::drop_connection()).await;
    for arguments in [
        json!({}),
        json!({"operation": ""}),
        json!({"operation": 7}),
        json!({"operation": null}),
        json!({"operation": "get_product", "params": [1]}),
        json!({"operation": "get_product", "params": 7}),
        json!({"operation": "get_product", "params": null}),
    ] {
        let (failure, flagged) = call(&mut server, arguments.clone()).await;
        assert!(code(&failure).starts_with("VALIDATION_") && flagged, "{arguments}: {failure}");
    }
    let (failure, flagged) = call(&mut server, product(json!(7))).await;
    assert!(code(&failure).starts_with("TRANSPORT_") && flagged, "{failure}");
}

/// C4.7.5-2: the limit of an answer is the one that the operator set.
#[tokio::test]
async fn answers_over_the_limit() {
    let api = FakeApi::always(Answer::json(200, json!({"words": ["x ".repeat(550_000)]}))).await;
    for (config, expected) in [
        ("[limits]\nmax_response_tokens = 1000000\n", None),
        ("[limits]\nmax_response_size = 1048576\n", Some(1_048_576)),
        ("", Some(25_000)),
    ] {
        let place = Place::new();
        place.write("aqueduct.toml", config);
        let arguments = [shop(), "--base-url".to_owned(), api.base_url()];
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let mut server = Server::start_in(place, &arguments, &[("SHOP_TOKEN", TOKEN)]);
        server.open().await;
        let result = server.call("mcp_aql_read", "get_product", json!({"product_id": 7})).await;
        assert_eq!(result["error"]["details"]["limit_value"].as_u64(), expected);
        assert_eq!(result["success"], expected.is_none());
    }
}

/// R11.3-1: no message looks like leaked internals, whatever is sent.
#[tokio::test]
async fn messages_look_like_messages() {
    let (_api, mut server) =
        with(Answer::html(502, "<html>at Object.<anonymous> (/srv/app.js:1)</html>")).await;
    let mut said = Vec::new();
    for arguments in [
        json!({}),
        product(json!(7)),
        product(json!("x")),
        json!({"operation": "create_order", "params": {"product_id": 1, "gift": "{not json"}}),
        json!({"operation": "get_product", "params": "{\"product_id\":"}),
        json!({"operation": "/etc/passwd", "params": {}}),
        json!({"operation": "update_order", "params": {"order_id": "..", "input": {"quantity": 1}}}),
        json!({"operation": "update_order", "params": {"order_id": "o", "input": 5}}),
        json!({"operation": "delete_order", "params": {"order_id": "o", "confirmation_token": "tok_x"}}),
    ] {
        let (failure, _) = call(&mut server, arguments).await;
        said.push(failure["error"]["message"].as_str().unwrap().to_owned());
    }
    for message in said {
        let leaks = message
            .split_whitespace()
            .zip(message.split_whitespace().skip(1))
            .any(|(word, _)| word.ends_with("at"));
        assert!(!leaks, "{message}");
        for sign in ["serde", "reqwest", "hyper", "::", "panicked", "expected value", "/srv"] {
            assert!(!message.contains(sign), "{message}");
        }
    }
}

/// Upstream bodies that are no JSON, cut off, or of no type at all, are failures with a code.
#[tokio::test]
async fn broken_bodies() {
    for (answer, expected) in [
        (Answer::html(200, "<html></html>"), "SERIALIZATION_"),
        (Answer::bytes(200, "{\"a\":").header("Content-Type", "application/json"), "SERIALIZATION_"),
        (
            Answer::raw(
                "HTTP/1.1 200 OK\r\nContent-Length: 50\r\nContent-Type: application/json\r\n\r\n{\"a\":1",
            ),
            "TRANSPORT_",
        ),
        (Answer::raw("garbage\r\n\r\n"), "TRANSPORT_"),
    ] {
        let (_api, mut server) = with(answer).await;
        let (failure, flagged) = call(&mut server, product(json!(7))).await;
        assert!(code(&failure).starts_with(expected) && flagged, "{expected}: {failure}");
    }
}
