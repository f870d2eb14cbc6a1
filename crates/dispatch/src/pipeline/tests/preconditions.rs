//! Updates whose API declares `If-Match` and `If-None-Match` itself: what a caller demands there holds for the merge too.
//!
//! An API that keeps to these headers stands behind, and hides from strangers whether something is there.

use crate::test_server::{Setup, TestServer, adapter};
use aqueduct_testkit::api::{Answer, FakeApi, Recorded};
use serde_json::{Value, json};

const OPERATIONS: &str = "operations:
  read:
    - {name: get_record, maps_to: 'GET /records/{id}', description: One, params: {id: {type: string, required: true}}}
    - {name: get_note, maps_to: 'GET /notes/{id}', description: One, params: {id: {type: string, required: true}}}
  update:
    - name: update_record
      maps_to: PUT /records/{id}
      description: Changes it
      params:
        id: {type: string, required: true}
        if_match: {type: string, in: header, mapTo: If-Match}
        if_none_match: {type: string, in: header, mapTo: If-None-Match}
        title: {type: string}
    - name: update_note
      maps_to: PUT /notes/{id}
      description: Changes it
      params:
        id: {type: string, required: true}
        title: {type: string}
";

async fn serve() -> (TestServer, FakeApi) {
    let api = FakeApi::start(|request: &Recorded| {
        let (folder, id) = request.path()[1..].split_once('/').unwrap();
        let is_there = id == "old" || id == "secret";
        if request.method == "GET" {
            return match id {
                "old" => Answer::json(200, json!({"title": "a", "rest": 1})).header("ETag", "\"7\""),
                "gone" => Answer::empty(410),
                // Who may not see anything is not told that nothing is there.
                _ => Answer::json(403, json!({"message": "not for you"})),
            };
        }
        let creates_only = request.header("if-none-match") == Some("*");
        let is_other = request.header("if-match").is_some_and(|version| version != "\"7\"");
        if folder == "records" && (creates_only && is_there || is_other) {
            return Answer::json(412, json!({"message": "no"}));
        }
        Answer::json(200, request.json())
    })
    .await;
    (Setup::default().serve(&[adapter("records", &api.base_url(), OPERATIONS)]), api)
}

fn update(operation: &str, id: &str, more: Value) -> Value {
    let mut request = json!({"operation": operation, "params": {"id": id, "input": {"title": "b"}}});
    for (name, value) in more.as_object().unwrap() {
        request["params"][name] = value.clone();
    }
    request
}

/// Rulings W8 and W14: the version in a declared `If-Match` is compared, and not replaced by the one that was read.
#[tokio::test]
async fn a_declared_version_counts() {
    let (server, api) = serve().await;
    let error = server.error(update("update_record", "old", json!({"if_match": "\"6\""}))).await;
    assert_eq!(error["code"], "CONFLICT_VERSION_MISMATCH", "{error}");
    assert_eq!(error["details"]["current_etag"], "\"7\"");
    assert!(api.requests().iter().all(|request| request.method == "GET"), "nothing is written");
    let written = server.data(update("update_record", "old", json!({"if_match": "\"7\""}))).await;
    assert_eq!((&written["title"], &written["rest"]), (&json!("b"), &json!(1)));
    assert_eq!(api.requests().last().unwrap().header("if-match"), Some("\"7\""));
    let shown = server.data(update("update_record", "old", json!({"dry_run": true}))).await;
    assert_eq!(shown["request"]["headers"]["if-match"], "\"7\"", "without one, the version that was read");
}

/// Who says `If-None-Match: *` creates: nothing is read, nothing is merged, and the API has the last word.
#[tokio::test]
async fn creation_needs_no_read() {
    let (server, api) = serve().await;
    server.data(update("update_record", "new", json!({"if_none_match": "*"}))).await;
    let sent = api.only_request();
    assert_eq!((sent.method.as_str(), sent.json()), ("PUT", json!({"title": "b"})));
    let error = server.error(update("update_record", "old", json!({"if_none_match": "*"}))).await;
    assert_eq!(error["code"], "CONFLICT_VERSION_MISMATCH", "{error}");
}

/// An API that hides whether something is there is told to create and nothing else, where it says that it can be told; what
/// may not be read is never written over.
#[tokio::test]
async fn what_may_not_be_read_is_not_written_over() {
    let (server, api) = serve().await;
    server.data(update("update_record", "new", json!({}))).await;
    let sent = api.requests();
    assert_eq!(sent.iter().map(|each| each.method.as_str()).collect::<Vec<_>>(), ["GET", "PUT"]);
    assert_eq!((sent[1].header("if-none-match"), sent[1].json()), (Some("*"), json!({"title": "b"})));
    for (operation, id) in [("update_record", "secret"), ("update_note", "new"), ("update_note", "secret")] {
        let error = server.error(update(operation, id, json!({}))).await;
        let message = error["message"].as_str().unwrap();
        assert_eq!(error["code"], "PERMISSION_DENIED", "{operation} {id} {error}");
        assert!(message.starts_with("Nothing was written") && message.contains("not for you"), "{message}");
    }
    let notes = api.requests().into_iter().filter(|each| each.path().starts_with("/notes"));
    assert!(notes.into_iter().all(|each| each.method == "GET"), "nobody said that it can be told to create");
    server.data(update("update_note", "gone", json!({}))).await;
}
