//! Which fields come when nothing is said, and what that means for the upstream: presets, names, what is asked for.
//!
//! Adapters with more and less declared in front of the shelf; items, and what was sent for them, out.

use super::{ask, ids};
use crate::test_server::{Setup, TestServer, adapter};
use aqueduct_testkit::api::{Answer, FakeApi};
use aqueduct_testkit::paged_list;
use serde_json::{Value, json};
use std::sync::Arc;

/// Reads of a list, a search and a single thing, each with these keys.
async fn reads(keys: &str) -> (TestServer, FakeApi) {
    let items = Arc::new(paged_list::items(1));
    let api = FakeApi::start(move |request| match request.path() {
        "/one" => Answer::json(200, items[0].clone()),
        _ => paged_list::answer(&items, request),
    })
    .await;
    let operation = |name: &str, path: &str| {
        format!("    - name: {name}\n      maps_to: GET {path}\n      description: Things\n{keys}")
    };
    let blocks = format!(
        "operations:\n  read:\n{}{}{}",
        operation("list_things", "/page"),
        operation("search_things", "/page"),
        operation("get_thing", "/one")
    );
    (Setup::default().serve(&[adapter("reads", &api.base_url(), &blocks)]), api)
}

/// The thing that each of the three gives.
async fn given(server: &TestServer, params: &Value) -> [Value; 3] {
    let call = |name: &str| server.data(json!({"operation": name, "params": params}));
    let list = call("list_things").await["items"][0].take();
    let search = call("search_things").await["items"][0].take();
    [list, search, call("get_thing").await]
}

/// X-fields-6 X-fields-8: nothing said: a list gives `standard`, a search `minimal`, a single thing everything; where that is
/// not declared, everything; an adapter's own default goes before all that.
#[tokio::test]
async fn defaults() {
    let everything = || paged_list::items(1)[0].clone();
    let (id, title) = (json!({"id": 1}), json!({"id": 1, "title": "Red number 1"}));
    let people = json!({"owner": {"login": "user0"}});
    for (presets, expected) in [
        ("presets: {minimal: [id], standard: [id, title]}", [title.clone(), id.clone(), everything()]),
        ("presets: {standard: [id, title]}", [title.clone(), everything(), everything()]),
        ("presets: {minimal: [id]}", [everything(), id.clone(), everything()]),
        (
            "presets: {minimal: [id], standard: [title], full: [id, title]}",
            [json!({"title": "Red number 1"}), id, title],
        ),
        (
            "default: people, presets: {minimal: [id], standard: [id, title], people: [owner.login]}",
            [people.clone(), people.clone(), people],
        ),
        (
            "default: full, presets: {minimal: [id], standard: [id]}",
            [everything(), everything(), everything()],
        ),
    ] {
        let (server, _api) = reads(&format!("      fields: {{{presets}}}\n")).await;
        assert_eq!(given(&server, &json!({})).await, expected, "{presets}");
    }
}

/// X-fields-4 X-fields-7: where nothing is declared, `minimal` is what a thing is known by, and `standard` and `full` are all of it.
#[tokio::test]
async fn presets_of_nobody() {
    let (server, _api) = reads("").await;
    let everything = paged_list::items(1)[0].clone();
    let known_by = json!({"id": 1, "title": "Red number 1"});
    for control in ["fields", "preset"] {
        for (preset, expected) in [("minimal", &known_by), ("standard", &everything), ("full", &everything)] {
            let given = given(&server, &json!({control: preset})).await;
            assert!(given.iter().all(|thing| thing == expected), "{control} {preset}: {given:?}");
        }
    }
    assert_eq!(given(&server, &json!({})).await, [everything.clone(), everything.clone(), everything]);
    let names = json!({"id": 1, "uid": 2, "uuid": 3, "key": 4, "slug": 5, "number": 6, "name": 7, "title": 8, "full_name": 9,
        "login": 10, "username": 11});
    let mut whole = names.clone();
    for other in ["body", "state", "owner", "created_at", "url", "description"] {
        whole[other] = json!({"id": 1, "name": "within"});
    }
    let api = FakeApi::always(Answer::json(200, json!([whole]))).await;
    let blocks = "operations:\n  read:\n    - {name: list_things, maps_to: GET /x, description: X}\n";
    let server = Setup::default().serve(&[adapter("bare", &api.base_url(), blocks)]);
    assert_eq!(server.data(ask(json!({"fields": "minimal"}))).await["items"], json!([names]));
}

/// A server with these keys on `list_things`, whose items have a declared type.
async fn typed(keys: &str) -> (TestServer, FakeApi) {
    let items = Arc::new(paged_list::items(60));
    let api = FakeApi::start(move |request| paged_list::answer(&items, request)).await;
    let types = "types:\n  Thing:\n    kind: object\n    fields: {id: {type: integer}, title: {type: string}, state: {type: \
                 string}, score: {type: integer}, owner: {type: object}, labels: {type: array}, created_at: {type: string}}\n";
    let keys = format!("      response: {{type: 'Thing[]'}}\n{keys}");
    let blocks = format!("{types}{}", super::operations("/page", &keys));
    (Setup::default().serve(&[adapter("typed", &api.base_url(), &blocks)]), api)
}

/// X-comp-2: a computed field by which nothing is sorted, or filtered, is refused there, and taken elsewhere.
#[tokio::test]
async fn neither_sorted_nor_filtered() {
    let (server, api) = typed(
        "      computed:\n        - {name: unsorted, type: integer, sortable: false, value: {count: labels}}\n        \
         - {name: unfiltered, type: integer, filterable: false, value: {count: labels}}\n",
    )
    .await;
    for (params, param, usable) in [
        (json!({"sort": {"field": "_computed.unsorted"}}), "sort.field", "_computed.unfiltered"),
        (json!({"sort": "_computed.unsorted", "order": "desc"}), "sort.field", "_computed.unfiltered"),
        (json!({"filter": {"_computed.unfiltered": 1}}), "filter._computed.unfiltered", "_computed.unsorted"),
    ] {
        let error = server.error(ask(params.clone())).await;
        assert_eq!(error["code"], "VALIDATION_INVALID_VALUE", "{params}");
        let problem = &error["details"]["problems"][0];
        assert_eq!(
            (&problem["param"], &problem["expected"]),
            (&json!(param), &json!(format!("one of {usable}")))
        );
    }
    assert!(api.requests().is_empty());
    let sorted = json!({"sort": {"field": "_computed.unfiltered", "order": "desc"}, "filter": {"_computed.unsorted": {"gt": 0}},
        "fields": ["id"], "first": 3});
    assert_eq!(ids(&server.data(ask(sorted)).await), [3, 6, 9]);
}

/// X-query-5: the fields of an open query are those of the items, where these are known.
#[tokio::test]
async fn names_in_a_query() {
    let (server, api) = typed("").await;
    let error = server.error(ask(json!({"query": {"titel": "red", "state": "open"}}))).await;
    assert_eq!(error["code"], "VALIDATION_INVALID_VALUE", "{error}");
    let problems = error["details"]["problems"].as_array().unwrap();
    assert_eq!((problems.len(), &problems[0]["param"]), (1, &json!("query.titel")));
    assert!(error["message"].as_str().unwrap().contains("'title'"), "{error}");
    assert!(api.requests().is_empty());
    let found =
        server.data(ask(json!({"query": {"title": "red", "owner.login": "user3"}, "fields": ["id"]}))).await;
    assert_eq!(ids(&found), [4, 25, 46]);
}

/// An order that the upstream has no word for is not asked of it: without a parameter for the direction it sorts
/// upwards alone.
#[tokio::test]
async fn upwards_only() {
    let (server, api) = typed("      collection: {sort: {param: order_by, fields: {id: number}}}\n").await;
    let up = server.data(ask(json!({"sort": {"field": "id", "order": "asc"}, "first": 3}))).await;
    assert_eq!((ids(&up), &up["applied"]["sort"]), (vec![1, 2, 3], &json!("upstream")));
    let sent = api.requests();
    assert_eq!(sent[0].target, "/page?order_by=number&per_page=3");
    let down = server.data(ask(json!({"sort": {"field": "id", "order": "desc"}, "first": 3}))).await;
    assert_eq!((ids(&down), &down["applied"]["sort"]), (vec![60, 59, 58], &json!("here")));
    assert!(api.requests()[sent.len()..].iter().all(|request| !request.target.contains("order_by")));
}

/// The upstream is asked for the chosen fields, and for those that are looked into here; for all where anything
/// may be looked into.
#[tokio::test]
async fn asked_of_the_upstream() {
    let (server, api) = typed(
        "      fields: {param: only, presets: {people: [owner.login, title]}}\n      collection: {filter: {state: {param: \
         state}}}\n      computed:\n        - {name: path, type: string, value: {template: \"{owner.login}/{title}\"}}\n",
    )
    .await;
    let by_path = json!({"_computed.path": "user1/Blue number 2"});
    for (params, only) in [
        (json!({"fields": ["id", "owner.login", "owner.id"]}), Some("id,owner")),
        (json!({"fields": "people"}), Some("owner,title")),
        (json!({"fields": ["id"], "filter": {"score": {"gt": 50}, "id": {"lt": 40}}}), Some("id,score")),
        (json!({"fields": ["id"], "filter": {"state": "open"}}), Some("id")),
        (json!({"fields": ["id"], "filter": {"state": {"ne": "open"}}}), Some("id,state")),
        (json!({"fields": ["id"], "sort": {"field": "title"}}), Some("id,title")),
        (json!({"fields": ["id"], "aggregate": {"x": {"sum": "score"}}}), Some("id,score")),
        (json!({"fields": ["id", "_computed.path"]}), Some("id,owner,title")),
        (json!({"fields": ["id"], "filter": by_path}), Some("id,owner,title")),
        (json!({"fields": ["id"], "query": "red"}), None),
        (json!({"fields": ["id"], "query": {"title": "red"}}), None),
        (json!({"fields": "full"}), None),
        (json!({}), None),
    ] {
        let before = api.requests().len();
        server.data(ask(params.clone())).await;
        let target = api.requests()[before].target.replace("%2C", ",");
        let sent = target.split(['?', '&']).find_map(|pair| pair.strip_prefix("only="));
        assert_eq!(sent, only, "{params}: {target}");
    }
}

/// Computed fields come when a preset names them: one of the operation, and one that is the default.
#[tokio::test]
async fn computed_fields_of_presets() {
    let keys = "      computed: [{name: label, type: string, value: {template: 'no. {id}'}}]
      fields: {presets: {minimal: [id], labelled: [id, _computed.label]}}\n";
    let labelled = json!({"id": 1, "_computed": {"label": "no. 1"}});
    let (server, _api) = reads(keys).await;
    assert_eq!(given(&server, &json!({"fields": "labelled"})).await, [(); 3].map(|()| labelled.clone()));
    assert_eq!(given(&server, &json!({"fields": "minimal"})).await, [(); 3].map(|()| json!({"id": 1})));
    let (server, _api) = reads(&keys.replace("{presets", "{default: labelled, presets")).await;
    assert_eq!(given(&server, &json!({})).await, [(); 3].map(|()| labelled.clone()));
}
