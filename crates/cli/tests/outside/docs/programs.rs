//! The programs among the examples: what the pages show of them runs, and does what the pages say.

#[expect(dead_code, reason = "its main is for those who run the example")]
#[path = "../../../../../examples/grpc_source.rs"]
mod grpc_source;
#[expect(dead_code, reason = "its main is for those who run the example")]
#[path = "../../../../../examples/library.rs"]
mod library;

use super::{root, text_of, todo_api};
use crate::outside::harness::Place;
use aqueduct::{Boxed, Reply};
use aqueduct_testkit::api::{Answer, FakeApi};
use grpc_source::{Channel, Method};
use serde_json::{Map, Value, json};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

fn answer(reply: &Reply) -> Value {
    serde_json::from_str(&reply.to_json()).unwrap()
}

/// S-registry-4: a specification and its function, registered in one call, are called like anything else.
#[tokio::test]
async fn an_operation_with_its_function() {
    let aqueduct = library::with_an_operation(&root().join("examples/todo-adapter.md")).unwrap();
    let given = answer(&library::call_it(&aqueduct).await);
    assert_eq!(given, json!({"success": true, "data": {"title": "Emma", "copies": 3}}));
    let listed = answer(&aqueduct.call_operation("introspect", params(json!({"query": "operations"}))).await);
    let listed = listed["data"]["operations"].as_array().unwrap();
    assert!(listed.iter().any(|each| each["name"] == "todo__get_todo"), "{listed:?}");
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
    let missing = count("Ulysses").await;
    assert_eq!(missing["error"]["code"], "NOT_FOUND_RESOURCE");
    assert_eq!(missing["error"]["details"]["source"], "shop");
    let refused = count("Dracula").await;
    assert_eq!(refused["error"]["message"], "Dracula is being counted; ask again tomorrow");
    assert_eq!(count("").await["error"]["code"], "VALIDATION_INVALID_VALUE");
}

#[tokio::test]
async fn operations_of_a_directory() {
    let (aqueduct, skipped) = library::from_a_directory(&root().join("examples")).unwrap();
    assert_eq!(skipped, Vec::<String>::new());
    let given = answer(&library::call_it(&aqueduct).await);
    assert_eq!(given["data"]["copies"], 3, "{given}");
}

#[tokio::test]
async fn replies_confirmations_and_progress() {
    let (api, place) = (todo_api::start().await, Place::new());
    let text = text_of("examples/todo-adapter.md").replace("http://127.0.0.1:3000", &api.base_url());
    let aqueduct = library::with_an_operation(Path::new(&place.write("todo-adapter.md", text))).unwrap();
    let reply = library::call_it(&aqueduct).await;
    assert_eq!(library::copies(&reply), Ok(3));
    let unknown = aqueduct.call_operation("get_stok", Map::new()).await;
    assert!(library::copies(&unknown).unwrap_err().starts_with("NOT_FOUND_OPERATION: "));
    let kept = library::delete_a_todo(&aqueduct, |_| false).await.unwrap_err();
    assert_eq!(kept.to_string(), "the person said no");
    library::delete_a_todo(&aqueduct, |question| question.contains("confirm")).await.unwrap();
    let notes = Arc::new(library::Notes::default());
    let counted = library::registered_apart().unwrap();
    let patience = Duration::from_secs(60);
    let reply = library::with_patience(&counted, Arc::clone(&notes), patience).await.unwrap();
    assert_eq!(library::copies(&reply), Ok(3));
    assert!(notes.0.lock().unwrap().contains(&"Counting".to_owned()));
    let none = library::with_patience(&counted, notes, Duration::ZERO).await;
    assert!(none.is_none_or(|reply| reply.failure().is_none()), "too soon, or just in time");
}

#[tokio::test]
async fn streams_and_routes() {
    let aqueduct = library::with_an_operation(&root().join("examples/todo-adapter.md")).unwrap();
    assert!(library::over_streams(&aqueduct).await.unwrap().is_string());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let app = library::beside_routes(&aqueduct);
    let server = tokio::spawn(async move { aqueduct::axum::serve(listener, app).await });
    for (path, expected) in [("/healthz", "all is well"), ("/ai/healthz", "ok\n"), ("/ai/readyz", "ready\n")]
    {
        assert_eq!(http_get(address, path).await, expected, "{path}");
    }
    server.abort();
    let frames = "data: {\"n\": 1}\n\ndata: {\"n\": 2}\n\n";
    let events = Answer::bytes(200, frames).header("content-type", "text/event-stream");
    let api = FakeApi::always(events).await;
    let document = json!({
        "openapi": "3.0.3", "info": {"title": "Ticks", "version": "1.0.0"},
        "paths": {"/ticks": {"get": {"operationId": "listen", "responses":
            {"200": {"description": "ok", "content": {"text/event-stream": {}}}}}}},
    });
    let first = library::first_event(&document.to_string(), "listen", &api.base_url()).await.unwrap();
    assert_eq!(first, json!({"n": 1}));
}

async fn http_get(address: std::net::SocketAddr, path: &str) -> String {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).await.unwrap();
    text.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or(text)
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
    assert_eq!(
        get(json!(7)).await["data"],
        json!({"title": "Seven by /library.Books/GetBook", "shelf": "B4"})
    );
    assert_eq!(get(json!(8)).await["error"]["message"], "NOT_FOUND: no such book");
    assert_eq!(get(json!("seven")).await["error"]["code"], "VALIDATION_INVALID_TYPE");
}
