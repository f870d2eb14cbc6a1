//! The programs among the examples: what the pages show of them runs, and does what the pages say.

#[expect(dead_code, reason = "its main is for those who run the example")]
#[path = "../../../../../examples/grpc_source.rs"]
mod grpc_source;
#[expect(dead_code, reason = "its main is for those who run the example")]
#[path = "../../../../../examples/library.rs"]
mod library;

use super::{root, text_of};
use aqueduct::{Boxed, Reply};
use grpc_source::{Channel, Method};
use serde_json::{Map, Value, json};
use std::sync::Arc;

fn answer(reply: &Reply) -> Value {
    serde_json::from_str(&reply.to_json()).unwrap()
}

/// S-registry-4: a specification and its function, registered in one call, are called like anything else.
#[tokio::test]
async fn an_operation_with_its_function() {
    let aqueduct = library::with_an_operation().unwrap();
    let given = answer(&library::call_it(&aqueduct).await);
    assert_eq!(given, json!({"success": true, "data": {"title": "Emma", "copies": 3}}));
    let books = answer(&aqueduct.call_operation("bookshop__get_book", params(json!({"book_id": 10}))).await);
    assert_eq!(books["data"]["title"], "Moby-Dick");
}

fn params(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

/// S-registry-5 S-registry-6: a handler finds its specification by `<namespace>.<name>`.
#[tokio::test]
async fn an_operation_registered_apart() {
    let aqueduct = library::registered_apart().unwrap();
    let count = async |title: &str| {
        answer(&aqueduct.call_operation("get_stock", params(json!({"title": title}))).await)
    };
    assert_eq!(count("Emma").await["data"]["copies"], 3);
    let refused = count("Dracula").await;
    assert_eq!(refused["error"]["message"], "Dracula is being counted; ask again tomorrow");
    assert_eq!(count("").await["error"]["code"], "VALIDATION_INVALID_VALUE");
}

#[tokio::test]
async fn operations_of_a_directory() {
    let aqueduct = library::from_a_directory(&root().join("examples")).unwrap();
    let given = answer(&library::call_it(&aqueduct).await);
    assert_eq!(given["data"]["copies"], 3, "{given}");
}

#[tokio::test]
async fn schemas_documents_and_servers() {
    let (problems, fitted) = library::with_a_schema();
    assert_eq!(problems, ["copies: integer"]);
    assert_eq!(fitted, json!({"title": "Emma", "copies": 3}));
    let names = library::from_a_document(&text_of("examples/todo-openapi.yaml")).unwrap();
    assert_eq!(names.len(), 7, "{names:?}");
    let tools = library::of_another_server(&root().join("examples/weather-server.sh")).await.unwrap();
    assert_eq!(tools, ["getWeather", "list-stations", "reportStorm"]);
}

#[derive(Debug)]
struct Shelf;

impl Channel for Shelf {
    fn call<'a>(&'a self, path: &'a str, message: Value) -> Boxed<'a, Result<Value, String>> {
        Box::pin(async move {
            match message["id"].as_i64() {
                Some(7) => Ok(json!({"title": format!("Seven by {path}"), "shelf": "B4"})),
                _ => Err("NOT_FOUND: no such book".to_owned()),
            }
        })
    }
}

/// S-extend-1 S-extend-2 S-extend-4 S-extend-9: services of gRPC are a source, through the public surface alone.
#[tokio::test]
async fn a_source_kind_of_ones_own() {
    let methods = [Method {
        path: "/library.Books/GetBook".to_owned(),
        only_reads: true,
        takes: json!({"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}),
        gives: json!({"type": "object", "properties": {"title": {"type": "string"}}}),
    }];
    let aqueduct = grpc_source::served("library", &methods, Arc::new(Shelf)).unwrap();
    let get = async |id: Value| answer(&aqueduct.call_operation("get_book", params(json!({"id": id}))).await);
    assert_eq!(get(json!(7)).await["data"], json!({"title": "Seven by /library.Books/GetBook"}));
    assert_eq!(get(json!(8)).await["error"]["message"], "NOT_FOUND: no such book");
    assert_eq!(get(json!("seven")).await["error"]["code"], "VALIDATION_INVALID_TYPE");
}
