//! What operations return, and lists with their pages.
//!
//! The responses of one operation in; its output schema, kind of answer, declared type and paging out.

use super::{one, target};
use aqueduct_operations::category::Category;
use aqueduct_operations::native::OperationKind;
use aqueduct_operations::operation::Operation;
use aqueduct_operations::response::PagingStyle;
use aqueduct_operations::target::AnswerKind;
use serde_json::{Value, json};

fn answering(responses: Value) -> Operation {
    one("get", "/a", json!({"operationId": "get_a", "responses": responses}))
}

fn of_schema(schema: Value) -> Value {
    json!({"description": "fine", "content": {"application/json": {"schema": schema}}})
}

/// S-openapi-6: the schema of 200, then 201, then another success, `2XX`, `default`.
#[test]
fn the_response_that_counts() {
    let all = [("200", "A"), ("201", "B"), ("202", "C"), ("2XX", "D"), ("default", "E")];
    for skipped in 0..all.len() {
        let responses: serde_json::Map<String, Value> = all[skipped..]
            .iter()
            .rev()
            .chain(&[("404", "Z")])
            .map(|(code, name)| {
                (
                    (*code).to_owned(),
                    of_schema(json!({"type": "object", "required": [name], "properties": {*name: {}}})),
                )
            })
            .collect();
        let operation = answering(Value::Object(responses));
        let output = operation.declaration.output.unwrap();
        let (mut good, mut bad) = (serde_json::Map::new(), serde_json::Map::new());
        good.insert(all[skipped].1.to_owned(), json!(1));
        bad.insert("Z".to_owned(), json!(1));
        assert!(output.get().accepts(&Value::Object(good)), "{}", all[skipped].0);
        assert!(!output.get().accepts(&Value::Object(bad)));
    }
}

/// S-openapi-7: nothing is known of an answer without a schema.
#[test]
fn no_schema() {
    for responses in [
        json!({}),
        json!({"204": {"description": "done"}}),
        json!({"200": {"content": {"application/json": {}}}}),
        // What describes a text or a stream is no schema of JSON to hold the answer against.
        json!({"200": {"content": {"text/csv": {"schema": {"type": "object", "required": ["a"]}}}}}),
        json!({"200": {"content": {"text/event-stream": {"schema": {"type": "object", "required": ["a"]}}}}}),
        json!(null),
    ] {
        let operation = answering(responses.clone());
        assert!(operation.output.is_none(), "{responses}");
        assert!(!operation.returns.name.is_empty());
    }
}

/// S-openapi-17 S-openapi-9: what kind of answer to expect, by the declared content types.
#[test]
fn kinds_of_answers() {
    let of = |types: &[&str]| {
        let content: serde_json::Map<String, Value> =
            types.iter().map(|name| ((*name).to_owned(), json!({}))).collect();
        let operation = answering(json!({"200": {"content": content}}));
        (target(&operation).answer, OperationKind::of(&operation))
    };
    assert_eq!(of(&["application/json"]).0, AnswerKind::Json);
    assert_eq!(of(&["application/json", "application/hal+json"]).0, AnswerKind::Json);
    assert_eq!(of(&["application/json", "text/csv"]).0, AnswerKind::Any);
    assert_eq!(of(&["image/png"]).0, AnswerKind::Any);
    assert_eq!(of(&[]).0, AnswerKind::Any);
    assert_eq!(of(&["text/event-stream"]), (AnswerKind::Events, OperationKind::Subscription));
    assert_eq!(
        of(&["text/event-stream", "application/json"]).0,
        AnswerKind::Any,
        "JSON where there is a choice"
    );
    let run = one(
        "post",
        "/a",
        json!({"responses": {"200": {"content": {"text/event-stream; charset=utf-8": {}}}}}),
    );
    assert_eq!((run.category, target(&run).answer), (Category::Execute, AnswerKind::Events));
}

#[test]
fn returned_types() {
    for (schema, name, kind) in [
        (json!({"type": "string"}), "string", "scalar"),
        (json!({"type": "array", "items": {"type": "string"}}), "GetAResult", "object"),
        (json!({"type": "object", "properties": {"x": {}}}), "GetAResult", "object"),
        (
            json!({"type": "array", "items": {"type": "object", "properties": {"x": {}}}}),
            "GetAResult[]",
            "object",
        ),
    ] {
        let operation = answering(json!({"200": of_schema(schema.clone())}));
        assert_eq!((operation.returns.name.as_str(), operation.returns.kind), (name, kind), "{schema}");
        assert_eq!(operation.returns.description.as_deref(), Some("fine"));
    }
}

/// W15: an answer that the document calls an array is a collection; a declared Link header leads on, and the parameters
/// of the document stay.
#[test]
fn lists_and_pages() {
    let params = json!([
        {"name": "page", "in": "query", "schema": {"type": "integer"}},
        {"name": "per_page", "in": "query", "schema": {"type": "integer"}},
    ]);
    let mut response = of_schema(json!({"type": "array", "items": {"type": "object"}}));
    response["headers"] = json!({"Link": {"schema": {"type": "string"}}});
    let paged = one("get", "/a", json!({"parameters": params, "responses": {"200": response}}));
    assert!(paged.answers.collection);
    assert_eq!(paged.answers.paging.as_ref().unwrap().style, PagingStyle::LinkHeader);
    assert_eq!(super::names(&paged), ["page", "per_page"]);
    let plain = answering(json!({"200": of_schema(json!({"type": "array"}))}));
    assert!(plain.answers.collection && plain.answers.paging.is_none());
    let single = answering(
        json!({"200": of_schema(json!({"type": "object", "properties": {"tags": {"type": "array"}}}))}),
    );
    assert!(!single.answers.collection, "one thing with a list in it");
    let posted = one("post", "/a", json!({"responses": {"200": of_schema(json!({"type": "array"}))}}));
    assert!(!posted.answers.collection);
}

/// Cursors are only followed where request and answer name them alike.
#[test]
fn cursors() {
    let of = |param: &str, next: &str| {
        let schema =
            json!({"type": "object", "properties": {"pets": {"type": "array"}, next: {"type": "string"}}});
        one(
            "get",
            "/a",
            json!({
                "parameters": [{"name": param, "in": "query", "schema": {"type": "string"}}],
                "responses": {"200": of_schema(schema)},
            }),
        )
    };
    let paging = of("pageToken", "nextPageToken").declaration.answers.paging.unwrap();
    assert_eq!(paging.style, PagingStyle::Cursor);
    assert_eq!((paging.param.as_deref(), paging.size_param.as_deref()), (Some("pageToken"), None));
    assert_eq!(paging.items_path.unwrap().names(), ["pets"]);
    assert_eq!(paging.next_path.unwrap().names(), ["nextPageToken"]);
    for param in ["$top", "_limit", "page[size]", "perPage", "_page"] {
        assert!(of(param, "more").answers.collection, "{param}");
    }
    let unsure = of("offset", "total");
    assert!(unsure.answers.collection && unsure.answers.paging.is_none());
    assert!(!of("name", "nextPageToken").answers.collection);
}

/// An operation that gives events says so, and how many one call gives.
#[test]
fn events_are_told() {
    let responses = json!({"200": {"description": "What happens.", "content": {"text/event-stream": {}}}});
    let operation = one("get", "/events", json!({ "responses": responses }));
    assert_eq!(
        operation.returns.description.as_deref(),
        Some("What happens. Events as they come, up to 100: {events: [{event, data, id}], complete}")
    );
}
