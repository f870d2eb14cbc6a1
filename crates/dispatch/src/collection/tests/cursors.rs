//! Cursors belong to one request: a client that sends one with another is told, and what it was given for goes on.
//!
//! Cursors in, sent where they came from and elsewhere; pages, or why there is none, out.

use super::{ask, operations, serve, things};
use crate::test_server::{Setup, TestServer, adapter, data_of, error_of};
use aqueduct_operations::call::{Call, CallOrigin, Caller, Scopes, SessionId};
use aqueduct_testkit::api::FakeApi;
use aqueduct_testkit::paged_list;
use serde_json::{Value, json};
use std::sync::Arc;

/// X-page-14: a cursor of another filter, sort, query or caller is refused, and one that was changed too.
#[tokio::test]
async fn foreign_cursors() {
    let (server, _api) = serve("/offset", 50).await;
    let open = json!({"first": 2, "filter": {"state": "open"}, "sort": {"field": "id"}});
    let cursor = server.data(ask(open.clone())).await["pageInfo"]["endCursor"].take();
    let mut same = open.clone();
    same["after"] = cursor.clone();
    data_of(server.call(ask(same.clone())).await);
    for (key, value) in
        [("filter", json!({"state": "closed"})), ("sort", json!({"field": "score"})), ("query", json!("x"))]
    {
        let mut other = same.clone();
        other[key] = value;
        let error = server.error(ask(other)).await;
        assert_eq!(
            (&error["code"], &error["details"]["reason"]),
            (&json!("VALIDATION_INVALID_VALUE"), &json!("other_request"))
        );
    }
    let Value::Object(arguments) = ask(same.clone()) else { panic!() };
    let call = Call {
        arguments,
        origin: CallOrigin::new(SessionId::new("session-1"), Caller::named("ann"), Scopes::unrestricted()),
    };
    let reply = server.dispatcher.call(call).await;
    let foreign = error_of(serde_json::from_str(&reply.to_json()).unwrap());
    assert_eq!(foreign["details"]["reason"], "other_request", "another caller");
    let text = cursor.as_str().unwrap();
    for changed in [format!("{text}A"), text[1..].to_owned(), "x".to_owned(), String::new()] {
        let mut other = same.clone();
        other["after"] = changed.into();
        assert_eq!(server.error(ask(other)).await["details"]["reason"], "invalid");
    }
}

/// Asserts that a cursor given for one request goes on there, and is refused by another.
async fn belongs_to(server: &TestServer, own: Value, other: Value) {
    let cursor = server.data(own.clone()).await["pageInfo"]["endCursor"].take();
    let with_cursor = |mut request: Value| {
        request["params"]["after"] = cursor.clone();
        request
    };
    server.data(with_cursor(own)).await;
    let error = server.error(with_cursor(other.clone())).await;
    assert_eq!(
        (&error["code"], &error["details"]["reason"], &error["details"]["param_name"]),
        (&json!("VALIDATION_INVALID_VALUE"), &json!("other_request"), &json!("after")),
        "{other}"
    );
}

/// X-page-14: a cursor of another parameter's value, operation, source or flat order is refused, whatever the way of paging.
#[tokio::test]
async fn bound_to_everything() {
    for path in super::PATHS {
        let items = Arc::new(paged_list::items(50));
        let api = FakeApi::start(move |request| paged_list::answer(&items, request)).await;
        let with_kind = operations(path, "      params: {kind: {type: string}}\n");
        let block = with_kind.split_once("    - name: list_things").unwrap().1;
        let both = format!("{with_kind}    - name: list_more{block}");
        let sources = ["one", "two"].map(|name| adapter(name, &api.base_url(), &both));
        let server = Setup::default().serve(&sources);
        let call = |operation: &str, params: Value| json!({"operation": operation, "params": params});
        let own = call("one__list_things", json!({"first": 2, "kind": "a"}));
        for other in [
            call("one__list_things", json!({"first": 2, "kind": "b"})),
            call("one__list_things", json!({"first": 2})),
            call("one__list_more", json!({"first": 2, "kind": "a"})),
            call("two__list_things", json!({"first": 2, "kind": "a"})),
        ] {
            belongs_to(&server, own.clone(), other).await;
        }
        let flat = |order: &str| call("one__list_things", json!({"first": 2, "sort": "id", "order": order}));
        belongs_to(&server, flat("asc"), flat("desc")).await;
    }
}

/// X-page-15: with the same key a cursor goes on in another process.
#[tokio::test]
async fn cursors_outlive_the_process() {
    let items = Arc::new(paged_list::items(30));
    let api = FakeApi::start(move |request| paged_list::answer(&items, request)).await;
    let start = |key: u8| {
        let mut setup = Setup::default();
        setup.settings.cursor_key = Some(crate::cursor::CursorKey::new([key; 32]).unwrap());
        setup.serve(&[things(&api, "/cursor")])
    };
    let one = start(1).data(ask(json!({"first": 4}))).await;
    let on = ask(json!({"first": 1, "after": one["pageInfo"]["endCursor"]}));
    assert_eq!(start(1).data(on.clone()).await["items"][0]["id"], 5);
    assert_eq!(start(2).error(on).await["details"]["reason"], "invalid");
}
