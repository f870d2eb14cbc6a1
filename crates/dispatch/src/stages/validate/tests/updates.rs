//! UPDATE operations: fields to change in `input`, everything else beside it.
//!
//! Core specification, section 4.5, without the merge, which the API does.

use crate::test_server::{Setup, TestServer, adapter};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};

fn update(params: Value) -> Value {
    json!({"operation": "update_book", "params": params})
}

/// C4.5-1 C4.5-2 O4.5-1: `input` is the body, identifiers and query stay beside it, null goes through. Defaults
/// are not filled in inside `input`, on purpose: they would overwrite what is stored.
#[tokio::test]
async fn input_is_the_body() {
    let (server, api) = TestServer::library().await;
    let input = json!({"title": "New", "page_count": 12, "metadata": {"a": null}, "language": null});
    server.data(update(json!({"book_id": 7, "notify": true, "input": input}))).await;
    let sent = api.only_request();
    assert_eq!((sent.method.as_str(), sent.target.as_str()), ("PATCH", "/books/7?notify=true"));
    assert_eq!(sent.json(), json!({"title": "New", "pages": 12, "metadata": {"a": null}, "language": null}));
    server.data(update(json!({"book_id": 7, "input": {"title": "T"}}))).await;
    assert_eq!(api.requests()[1].target, "/books/7?notify=false", "outside, the default is filled in");
    assert_eq!(api.requests()[1].json(), json!({"title": "T"}), "inside, it is not");
}

/// C4.5.3-1: without `input` and without fields nothing runs.
#[tokio::test]
async fn input_is_required() {
    let (server, api) = TestServer::library().await;
    let error = server.error(update(json!({"book_id": 7}))).await;
    assert_eq!(error["code"], "VALIDATION_MISSING_PARAM");
    assert_eq!(error["details"]["param_name"], "input");
    assert!(api.requests().is_empty());
}

/// Ruling W8: fields that came beside `input` are moved into it, in any spelling and from either level; what contradicts is
/// refused, and so is what is wrong with them.
#[tokio::test]
async fn fields_beside_input() {
    let (server, api) = TestServer::library().await;
    for params in [
        json!({"book_id": 7, "title": "T", "pageCount": 5}),
        json!({"book_id": 7, "title": "T", "input": {"page_count": 5}}),
        json!({"book_id": 7, "title": "T", "input": {"page_count": 5, "title": "T"}}),
    ] {
        let answer = server.call(update(params.clone())).await;
        assert_eq!(answer["success"], true, "{answer}");
        assert_eq!(api.requests().last().unwrap().json(), json!({"title": "T", "pages": 5}), "{params}");
        let is_moved = params["input"].get("title").is_none();
        assert_eq!(answer["warnings"][0]["code"] == "ARGUMENT_REPAIRED", is_moved, "{answer}");
    }
    let on_top = json!({"operation": "update_book", "book_id": 7, "title": "T"});
    assert_eq!(server.call(on_top).await["success"], true);
    let before = api.requests().len();
    for (params, code) in [
        (json!({"book_id": 7, "title": "T", "input": {"title": "U"}}), "VALIDATION_INVALID_VALUE"),
        (json!({"book_id": 7, "title": 5}), "VALIDATION_INVALID_TYPE"),
        (json!({"book_id": 7, "title": "T", "input": "x"}), "VALIDATION_INVALID_TYPE"),
    ] {
        assert_eq!(server.error(update(params)).await["code"], code);
    }
    assert_eq!(api.requests().len(), before);
}

/// C4.5.3-2: an `input` that is no object is of the wrong type, null included.
#[tokio::test]
async fn input_is_an_object() {
    let (server, api) = TestServer::library().await;
    for (input, found) in [
        (json!("text"), "string"),
        (json!(5), "integer"),
        (json!([]), "array"),
        (json!(null), "null"),
        (json!(true), "boolean"),
    ] {
        let error = server.error(update(json!({"book_id": 7, "input": input}))).await;
        assert_eq!(error["code"], "VALIDATION_INVALID_TYPE");
        assert_eq!(
            (&error["details"]["param_name"], &error["details"]["actual_type"]),
            (&json!("input"), &json!(found))
        );
    }
    assert!(api.requests().is_empty());
}

/// C4.5.3-3 C4.5.3-4 X-errors-13: fields are checked by type and constraint, and unknown ones have their own code.
#[tokio::test]
async fn fields_are_checked() {
    let (server, api) = TestServer::library().await;
    for (input, code, param) in [
        (json!({"title": 5}), "VALIDATION_INVALID_TYPE", "input.title"),
        (json!({"page_count": 0}), "VALIDATION_INVALID_VALUE", "input.page_count"),
        (json!({"language": "de"}), "VALIDATION_INVALID_VALUE", "input.language"),
        (json!({"titel": "T"}), "VALIDATION_UNKNOWN_FIELD", "input.titel"),
    ] {
        let error = server.error(update(json!({"book_id": 7, "input": input}))).await;
        assert_eq!(
            (&error["code"], &error["details"]["problems"][0]["param"]),
            (&json!(code), &json!(param))
        );
    }
    let error = server.error(update(json!({"book_id": 7, "input": {"titel": "T"}}))).await;
    assert_eq!(
        error["message"],
        "Unknown field(s) in 'input' for operation 'update_book': titel. Valid fields: title, page_count, language, \
         metadata. Send 'title' instead of 'titel'"
    );
    assert_eq!(error["details"]["unknown_fields"], json!(["titel"]));
    let missing =
        server.error(json!({"operation": "update_hours", "params": {"input": {"opens": null}}})).await;
    assert_eq!(missing["code"], "VALIDATION_INVALID_TYPE", "null cannot remove a required field");
    let missing =
        server.error(json!({"operation": "update_hours", "params": {"input": {"closes": "6"}}})).await;
    assert_eq!(missing["details"]["param_name"], "input.opens");
    assert!(api.requests().is_empty());
}

/// C4.5.3-5: an identifier inside `input` is refused, and the answer says where it belongs.
#[tokio::test]
async fn identifiers_stay_outside() {
    let (server, api) = TestServer::library().await;
    let error = server.error(update(json!({"book_id": 7, "input": {"title": "T", "book_id": 8}}))).await;
    assert_eq!(error["code"], "VALIDATION_UNKNOWN_FIELD");
    assert!(
        error["message"].as_str().unwrap().ends_with("Put 'book_id' beside 'input', not inside it"),
        "{error}"
    );
    assert!(api.requests().is_empty());
}

/// An UPDATE without body fields takes no `input`; one whose only field is `input` takes the whole body (ruling W8).
#[tokio::test]
async fn other_forms_of_update() {
    let (server, api) = TestServer::library().await;
    server.data(json!({"operation": "touch_book", "params": {"book_id": 7}})).await;
    assert!(api.only_request().body.is_empty());
    let error = server.error(json!({"operation": "touch_book", "params": {"book_id": 7, "input": {}}})).await;
    assert_eq!(error["details"]["unknown_params"], json!(["input"]));
    let plan = json!({"floors": [1, {"any": null}]});
    server.data(json!({"operation": "update_layout", "params": {"input": plan}})).await;
    assert_eq!(api.requests()[1].json(), plan);
}

/// A field that is misnamed beside `input` is told where it belongs and what it is called.
#[tokio::test]
async fn misnamed_beside_input() {
    let (server, _api) = TestServer::library().await;
    let error = server
        .error(json!({"operation": "update_book", "params": {"book_id": 1, "titel": "x", "input": {}}}))
        .await;
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("Put 'title' inside 'input' instead of 'titel'"), "{message}");
}

/// Ruling W8: fields beside an `input` that is the whole body are moved into it where its schema names them; others are unknown.
#[tokio::test]
async fn fields_beside_a_whole_input() {
    let api = FakeApi::always(Answer::json(200, json!({}))).await;
    let text = adapter(
        "doc",
        &api.base_url(),
        "operations:
  update:
    - name: save_doc
      maps_to: PATCH /doc
      description: Saves it
      params:
        input: {type: object, in: body, schema: {type: object, anyOf: [{properties: {a: {type: string}}}, {properties: {b: {type: string}}}]}}
      body: {param: input}
",
    );
    let server = Setup::default().serve(&[text]);
    let save = |params: Value| json!({"operation": "save_doc", "params": params});
    let answer = server.call(save(json!({"a": "x", "input": {"b": "y"}}))).await;
    assert_eq!(answer["warnings"][0]["code"], "ARGUMENT_REPAIRED", "{answer}");
    server.data(save(json!({"a": "x"}))).await;
    let bodies: Vec<Value> = api.requests().iter().map(aqueduct_testkit::api::Recorded::json).collect();
    assert_eq!(bodies, [json!({"b": "y", "a": "x"}), json!({"a": "x"})]);
    assert_eq!(server.error(save(json!({"c": "x"}))).await["details"]["unknown_params"], json!(["c"]));
}
