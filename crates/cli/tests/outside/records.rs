//! A document whose API keeps to preconditions, hides what is not there and links its pages in the body, as Kinto and
//! others do: what a caller demands holds, what is new is created, and lists go on.

use super::harness::Place;
use aqueduct_testkit::api::{Answer, FakeApi, Recorded};
use serde_json::{Value, json};

fn document(base_url: &str) -> Value {
    let record = json!({"type": "object", "properties": {"data": {"type": "object"}}});
    let of =
        |schema: &Value| json!({"description": "ok", "content": {"application/json": {"schema": schema}}});
    let header = |name: &str| json!({"name": name, "in": "header", "schema": {"type": "string"}});
    let list =
        json!({"type": "object", "properties": {"data": {"type": "array", "items": {"type": "object"}}}});
    json!({
        "openapi": "3.0.3", "info": {"title": "Records", "version": "1"}, "servers": [{"url": base_url}],
        "paths": {
            "/records": {"get": {
                "operationId": "get_records",
                "parameters": [{"name": "_limit", "in": "query", "schema": {"type": "integer"}}],
                "responses": {"200": of(&list)},
            }},
            "/records/{id}": {
                "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
                "get": {"operationId": "get_record", "responses": {"200": of(&record)}},
                "put": {
                    "operationId": "update_record", "parameters": [header("If-Match"), header("If-None-Match")],
                    "requestBody": of(&record), "responses": {"200": of(&record)},
                },
            },
        },
    })
}

fn answer(request: &Recorded) -> Answer {
    if request.path() == "/records" {
        let is_last = request.query().is_some_and(|query| query.contains("page=2"));
        let from = if is_last { 3 } else { 0 };
        let items: Vec<Value> = (from..from + 3).map(|id| json!({"id": id})).collect();
        let next = if is_last { Value::Null } else { json!("/records?page=2") };
        return Answer::json(200, json!({"data": items, "next": next}));
    }
    let is_there = request.path() == "/records/old";
    let refused = || Answer::json(412, json!({"message": "changed"}));
    match request.method.as_str() {
        "GET" if is_there => {
            Answer::json(200, json!({"data": {"title": "a", "rest": 1}})).header("ETag", "\"7\"")
        }
        "GET" => Answer::json(403, json!({"message": "not for you"})),
        _ if is_there && request.header("if-none-match") == Some("*") => refused(),
        _ if request.header("if-match").is_some_and(|version| version != "\"7\"") => refused(),
        _ => Answer::json(200, request.json()),
    }
}

/// Rulings W8 and W15, from outside: no stale version is overwritten, nothing that exists is replaced unread, and a list
/// that is linked in its body is whole.
#[tokio::test]
async fn preconditions_and_linked_pages() {
    let api = FakeApi::start(answer).await;
    let place = Place::new();
    let file = place.write("records.json", document(&api.base_url()).to_string());
    let update = async |id: &str, more: &[&str]| {
        let id = format!("id={id}");
        let fixed = ["call", &file, "update_record", &id, "input:={\"data\":{\"title\":\"b\"}}"];
        place.run(&[&fixed, more, &["--trust", "certified"]].concat(), &[], "").await.json()
    };
    let stale = update("old", &["if_match=\"6\""]).await;
    assert_eq!(stale["error"]["code"], "CONFLICT_VERSION_MISMATCH", "{stale}");
    let fresh = update("old", &["if_match=\"7\""]).await;
    assert_eq!(fresh["data"]["data"], json!({"title": "b", "rest": 1}), "{fresh}");
    let created = update("new", &[]).await;
    assert_eq!(created["data"]["data"], json!({"title": "b"}), "{created}");
    let puts: Vec<Recorded> = api.requests().into_iter().filter(|each| each.method == "PUT").collect();
    assert_eq!(puts.len(), 2, "the stale one was not sent");
    assert_eq!((puts[1].path(), puts[1].header("if-none-match")), ("/records/new", Some("*")));
    let all = place.run(&["call", &file, "get_records", "all:=true"], &[], "").await.json();
    assert_eq!(all["data"]["pageInfo"]["totalCount"], 6, "{all}");
}
