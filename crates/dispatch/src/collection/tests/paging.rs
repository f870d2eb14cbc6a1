//! Pages: which may be asked for, and how they are asked for upstream.
//!
//! Requests in every form of paging in, pages and what was asked upstream out.

use super::{PATHS, ask, ids, operations, serve, things};
use crate::test_server::{Setup, TestServer, adapter, data_of};
use aqueduct_operations::limits::Limits;
use aqueduct_testkit::api::{Answer, FakeApi};
use aqueduct_testkit::paged_list;
use serde_json::{Value, json};
use std::sync::Arc;

/// X-page-3 X-page-4 X-query-7: combinations that make no sense are refused, with what was sent and what to send.
#[tokio::test]
async fn conflicts() {
    let (server, api) = serve("/page", 10).await;
    for (params, message) in [
        (json!({"first": 1, "last": 1}), "Cannot use 'first' and 'last' together"),
        (json!({"after": "x"}), "Cannot use 'after' without 'first'"),
        (json!({"before": "x"}), "Cannot use 'before' without 'last'"),
        (json!({"first": 1, "before": "x"}), "Cannot use 'first' and 'before' together"),
        (json!({"last": 1, "after": "x"}), "Cannot use 'last' and 'after' together"),
        (json!({"first": 1, "limit": 1}), "Cannot use 'first' and 'limit' together"),
        (json!({"limit": 1, "page": 1}), "Cannot use 'limit' and 'page' together"),
        (json!({"first": 1, "page_size": 1}), "Cannot use 'first' and 'page_size' together"),
        (json!({"all": true, "first": 1}), "Cannot use 'all' and 'first' together"),
    ] {
        let error = server.error(ask(params.clone())).await;
        assert_eq!(error["code"], "VALIDATION_INVALID_TYPE", "{params}");
        assert!(error["message"].as_str().unwrap().starts_with(message), "{error}");
        let details = &error["details"];
        assert_eq!(details["param_name"], "pagination");
        assert_eq!(details["expected_type"], "valid pagination combination");
        assert_eq!(details["actual_type"], "conflicting parameters");
        let mut provided: Vec<&str> =
            details["provided"].as_array().unwrap().iter().map(|each| each.as_str().unwrap()).collect();
        provided.sort_unstable();
        let mut sent: Vec<&str> = params.as_object().unwrap().keys().map(String::as_str).collect();
        sent.sort_unstable();
        assert_eq!(provided, sent);
        assert!(details["hint"].is_string());
    }
    assert!(api.requests().is_empty());
}

/// X-page-16: bounds of the numbers, and their types.
#[tokio::test]
async fn bounds() {
    let (server, _api) = serve("/page", 10).await;
    for (name, least) in
        [("first", 0), ("last", 0), ("limit", 0), ("offset", 0), ("page", 1), ("page_size", 1)]
    {
        data_of(server.call(ask(json!({name: least}))).await);
        let below = server.error(ask(json!({name: least - 1}))).await;
        assert_eq!(below["code"], "VALIDATION_INVALID_VALUE", "{name}");
        let wrong = server.error(ask(json!({name: "many"}))).await;
        assert_eq!(wrong["code"], "VALIDATION_INVALID_TYPE", "{name}");
        let fraction = server.error(ask(json!({name: 1.5}))).await;
        assert_eq!(fraction["code"], "VALIDATION_INVALID_TYPE", "{name}");
    }
    for name in ["after", "before"] {
        let wrong = server.error(ask(json!({name: 5, "first": 1}))).await;
        assert_eq!(wrong["code"], "VALIDATION_INVALID_TYPE", "{name}");
    }
}

/// X-page-10 X-page-11 X-warn-5 X-warn-8 X-adapter-19 O4.4.4-4: the size is the adapter's, or 25; a larger one than its largest is clamped, with a
/// remark.
#[tokio::test]
async fn sizes() {
    for path in PATHS {
        let (server, _api) = serve(path, 100).await;
        assert_eq!(server.data(ask(json!({}))).await["items"].as_array().unwrap().len(), 25, "{path}");
    }
    let (server, _api) = serve("/page", 100).await;
    let clamped = server.call(ask(json!({"first": 99}))).await;
    assert_eq!(clamped["data"]["items"].as_array().unwrap().len(), 40);
    assert_eq!(
        clamped["warnings"],
        json!([{"code": "VALIDATION_TRUNCATED_WARNING", "message": "Response truncated to 40 items",
                "details": {"field": "first", "original_count": 99, "truncated_count": 40, "limit": 40}, "severity": "medium"}])
    );
    assert_eq!(server.call(ask(json!({"first": 40}))).await.get("warnings"), None);
    let little = server.call(ask(json!({"limit": 45}))).await;
    assert_eq!(little["warnings"][0]["severity"], "low", "less than half is lost");
    let api = FakeApi::start(move |request| paged_list::answer(&paged_list::items(30), request)).await;
    let own = operations("/page", "").replace("max_limit: 40", "default_limit: 4, max_limit: 6");
    let server = Setup::default().serve(&[adapter("own", &api.base_url(), &own)]);
    assert_eq!(server.data(ask(json!({}))).await["items"].as_array().unwrap().len(), 4);
    assert_eq!(server.data(ask(json!({"first": 10}))).await["items"].as_array().unwrap().len(), 6);
}

/// X-page-5 X-page-6 O4.4.3-5: flags always, cursors where there are items, a total where it is known.
#[tokio::test]
async fn page_info() {
    for path in PATHS {
        let (server, _api) = serve(path, 30).await;
        let first = server.data(ask(json!({"first": 10}))).await["pageInfo"].take();
        assert_eq!((&first["hasNextPage"], &first["hasPreviousPage"]), (&json!(true), &json!(false)));
        assert!(first["startCursor"].is_string() && first["endCursor"].is_string());
        assert_eq!(first.get("totalCount"), None, "nobody has counted");
        let (empty, _api) = serve(path, 0).await;
        for params in [json!({}), json!({"first": 3}), json!({"last": 3}), json!({"limit": 3})] {
            let page = empty.data(ask(params)).await;
            assert_eq!(page["items"], json!([]));
            assert_eq!(
                page["pageInfo"],
                json!({"hasNextPage": false, "hasPreviousPage": false, "totalCount": 0}),
                "{path}"
            );
        }
    }
    let api = FakeApi::always(Answer::json(200, json!({"items": [1, 2], "page": {"total": 9}}))).await;
    let counted = operations("/page", "").replace("max_limit: 40", "total_path: page.total");
    let server = Setup::default().serve(&[adapter("counted", &api.base_url(), &counted)]);
    let page = server.data(ask(json!({"first": 2}))).await;
    assert_eq!(page["pageInfo"]["totalCount"], 9);
    assert_eq!(api.requests().len(), 1, "a total says that there is more");
}

/// X-page-2: forwards and back again by cursors.
#[tokio::test]
async fn back_and_forth() {
    for path in PATHS {
        let (server, _api) = serve(path, 30).await;
        let one = server.data(ask(json!({"first": 4}))).await;
        let two = server.data(ask(json!({"first": 4, "after": one["pageInfo"]["endCursor"]}))).await;
        assert_eq!(ids(&two), [5, 6, 7, 8]);
        assert_eq!(two["pageInfo"]["hasPreviousPage"], true);
        let back = server.data(ask(json!({"last": 3, "before": two["pageInfo"]["startCursor"]}))).await;
        assert_eq!(ids(&back), [2, 3, 4], "{path}");
        assert_eq!(
            (&back["pageInfo"]["hasNextPage"], &back["pageInfo"]["hasPreviousPage"]),
            (&json!(true), &json!(true))
        );
        let on = server.data(ask(json!({"first": 2, "after": back["pageInfo"]["endCursor"]}))).await;
        assert_eq!(ids(&on), [5, 6], "a cursor of a page read backwards leads forwards too");
        let end = server.data(ask(json!({"last": 2}))).await;
        assert_eq!(ids(&end), [29, 30]);
    }
}

/// X-page-13: the size may change from page to page, and every item still comes once, in its order.
#[tokio::test]
async fn sizes_that_change() {
    for path in PATHS {
        let (server, _api) = serve(path, 100).await;
        let mut read = Vec::new();
        let mut params = json!({"first": 10});
        for next_size in [4, 25, 1, 40, 7, 40, 40] {
            let page = server.data(ask(params.clone())).await;
            assert_eq!(page["pageInfo"]["hasPreviousPage"], !read.is_empty(), "{path}");
            read.extend(ids(&page));
            params = json!({"first": next_size, "after": page["pageInfo"]["endCursor"]});
            if page["pageInfo"]["hasNextPage"] == false {
                break;
            }
        }
        assert_eq!(read, (1..=100).collect::<Vec<u64>>(), "{path}");
    }
}

/// R10.4-2 X-adapter-24: the upstream is asked in its own words: its size, its cursor, its offset, its page, its link.
#[tokio::test]
async fn asked_upstream() {
    for (path, expected) in [
        ("/link", ["/link?per_page=5", "/link?per_page=5&page=2"]),
        ("/cursor", ["/cursor?limit=5", "/cursor?limit=5&cursor=1005"]),
        ("/offset", ["/offset?limit=5", "/offset?limit=5&offset=5"]),
        ("/page", ["/page?per_page=5", "/page?per_page=5&page=2"]),
    ] {
        let (server, api) = serve(path, 9).await;
        let one = server.data(ask(json!({"first": 5}))).await;
        server.data(ask(json!({"first": 5, "after": one["pageInfo"]["endCursor"]}))).await;
        let sent: Vec<String> = api.requests().iter().map(|request| request.target.clone()).collect();
        assert_eq!(sent.first().unwrap(), expected[0]);
        assert!(sent.contains(&expected[1].to_owned()), "{sent:?}");
    }
}

/// An upstream that pages by links is followed without an adapter that says so; one that says nothing is cut here.
#[tokio::test]
async fn undeclared_paging() {
    let items = Arc::new(paged_list::items(25));
    let api = FakeApi::start(move |request| paged_list::answer(&items, request)).await;
    let plain = |path: &str| {
        format!(
            "operations:\n  read:\n    - {{name: list_things, maps_to: GET {path}, description: Lists}}\n"
        )
    };
    let server = Setup::default().serve(&[adapter("plain", &api.base_url(), &plain("/link"))]);
    let all = server.data(ask(json!({"all": true}))).await;
    assert_eq!(all["items"].as_array().unwrap().len(), 25);
    let body = Value::from(paged_list::items(60));
    let whole = FakeApi::always(Answer::json(200, json!({"data": body}))).await;
    let server = Setup::default().serve(&[adapter("plain", &whole.base_url(), &plain("/x"))]);
    let one = server.data(ask(json!({"first": 50}))).await;
    let two = server.data(ask(json!({"first": 50, "after": one["pageInfo"]["endCursor"]}))).await;
    assert_eq!((one["items"].as_array().unwrap().len(), two["items"].as_array().unwrap().len()), (50, 10));
    assert_eq!(two["items"][9]["id"], 60);
}

/// The end of a long collection is out of reach, and a call looks through no more than it may.
#[tokio::test]
async fn how_far_a_call_goes() {
    let items = Arc::new(paged_list::items(300));
    let api = FakeApi::start(move |request| paged_list::answer(&items, request)).await;
    let limits = Limits { max_gathered_items: 100, ..Limits::default() };
    let server: TestServer = Setup::limits(limits).serve(&[things(&api, "/offset")]);
    let error = server.error(ask(json!({"last": 1}))).await;
    assert!(error["message"].as_str().unwrap().contains("'first' with 'after'"), "{error}");
    let rare = server.call(ask(json!({"first": 5, "filter": {"id": 250}}))).await;
    assert_eq!(rare["data"]["items"], json!([]));
    assert_eq!(rare["data"]["applied"], json!({"filter": "here", "items_seen": 100, "complete": false}));
    assert_eq!(rare["warnings"][0]["code"], "VALIDATION_TRUNCATED_WARNING");
    let mut page = rare["data"]["pageInfo"].clone();
    assert_eq!(page["hasNextPage"], true);
    let mut found = Vec::new();
    while page["hasNextPage"] == true {
        let on = json!({"first": 5, "filter": {"id": 250}, "after": page["endCursor"]});
        let answer = server.data(ask(on)).await;
        found.extend(answer["items"].as_array().unwrap().clone());
        page = answer["pageInfo"].clone();
    }
    assert_eq!(found.len(), 1, "going on finds it");
    let some = server.call(ask(json!({"aggregate": {"n": {"count": true}}}))).await;
    assert_eq!(some["data"]["applied"], json!({"aggregate": "here", "items_seen": 100, "complete": false}));
    assert_eq!(some["warnings"][0]["code"], "VALIDATION_INCOMPLETE_WARNING");
}

/// An order made here of more items than one call may look through: the answer says that there are more, and gives no total.
#[tokio::test]
async fn orders_without_an_end() {
    let items = Arc::new(paged_list::items(300));
    let api = FakeApi::start(move |request| paged_list::answer(&items, request)).await;
    let limits = Limits { max_gathered_items: 100, ..Limits::default() };
    let server: TestServer = Setup::limits(limits).serve(&[things(&api, "/page")]);
    let sorted = |window: Value| {
        let mut params = window;
        params["sort"] = json!({"field": "id", "order": "desc"});
        ask(params)
    };
    let last = server.call(sorted(json!({"limit": 10, "offset": 90}))).await;
    assert_eq!(ids(&last["data"]), (1..=10).rev().collect::<Vec<u64>>(), "the last of those that were seen");
    let page = &last["data"]["pageInfo"];
    assert_eq!((&page["hasNextPage"], &page["hasPreviousPage"]), (&json!(true), &json!(true)));
    assert_eq!(page.get("totalCount"), None);
    assert_eq!(last["data"]["applied"], json!({"sort": "here", "items_seen": 100, "complete": false}));
    assert_eq!(last["warnings"][0]["code"], "VALIDATION_INCOMPLETE_WARNING");
    let mut window = json!({"first": 40});
    for given in [40, 40, 20] {
        let page = server.data(sorted(window)).await;
        assert_eq!((ids(&page).len(), &page["pageInfo"]["hasNextPage"]), (given, &json!(true)));
        window = json!({"first": 40, "after": page["pageInfo"]["endCursor"]});
    }
}

/// An upstream whose pages lead in circles, or on for ever, ends too.
#[tokio::test]
async fn circles_end() {
    let api = FakeApi::always(Answer::json(200, json!({"data": [1], "next_cursor": "same"}))).await;
    let server = Setup::default().serve(&[things(&api, "/cursor")]);
    let all = server.data(ask(json!({"all": true}))).await;
    assert_eq!(all["items"], json!([1, 1]), "the same page by the same way is no page");
    let empty = FakeApi::start(|request| {
        let number: u64 =
            request.query().and_then(|query| query.rsplit('=').next()?.parse().ok()).unwrap_or(0);
        Answer::json(200, json!({"data": [], "next_cursor": (number + 1).to_string()}))
    })
    .await;
    let server = Setup::default().serve(&[things(&empty, "/cursor")]);
    let all = server.data(ask(json!({"all": true}))).await;
    assert_eq!(all["items"], json!([]));
    assert!(empty.requests().len() <= 1_000);
}

/// An upstream that gives less than was asked for is read to its end all the same, unless its author has said how much it
/// gives.
#[tokio::test]
async fn pages_smaller_than_asked_for() {
    for path in ["/offset", "/page"] {
        let items = Arc::new(paged_list::items(90));
        let api = FakeApi::start(move |request| paged_list::answer(&items, request)).await;
        let unsaid = operations(path, "").replace(", max_limit: 40", "");
        let server = Setup::default().serve(&[adapter("unsaid", &api.base_url(), &unsaid)]);
        let counted = server.data(ask(json!({"aggregate": {"n": {"count": true}}}))).await;
        assert_eq!(counted["aggregations"]["n"], 90, "{path}");
        assert_eq!(counted["applied"]["complete"], true);
        let all = server.data(ask(json!({"all": true, "fields": ["id"]}))).await;
        assert_eq!(all["items"].as_array().unwrap().len(), 90);
    }
}

/// A long way is walked in long steps.
#[tokio::test]
async fn long_steps() {
    for path in ["/link", "/cursor"] {
        let (server, api) = serve(path, 500).await;
        let far = server.data(ask(json!({"limit": 1, "offset": 450}))).await;
        assert_eq!(far["items"][0]["id"], 451);
        assert!(api.requests().len() <= 13, "{}", api.requests().len());
    }
}

/// A header of its own that leads on, as some APIs have, is followed too.
#[tokio::test]
async fn next_page_header() {
    let api = FakeApi::start(|request| match request.query() {
        None => Answer::json(200, json!([1])).header("Next-Page", "/x?more=1"),
        Some(_) => Answer::json(200, json!([2])),
    })
    .await;
    let blocks = "operations:\n  read:\n    - {name: list_things, maps_to: GET /x, description: X}\n";
    let server = Setup::default().serve(&[adapter("own", &api.base_url(), blocks)]);
    assert_eq!(server.data(ask(json!({"all": true}))).await["items"], json!([1, 2]));
}

/// Who says how many items the API is to give gets as many, from one page; `first` goes before it.
#[tokio::test]
async fn the_page_size_of_the_api() {
    let api = FakeApi::start(|request| {
        let count = request.query().and_then(|query| query.strip_prefix("maxResults=")).unwrap_or("30");
        Answer::json(200, Value::from(paged_list::items(count.parse().unwrap())))
    })
    .await;
    let own = "operations:\n  read:\n    - name: list_things\n      maps_to: GET /things\n      \
               description: Lists things\n      response: {type: array}\n      \
               params: {max_results: {type: integer, in: query, mapTo: maxResults}}\n";
    let server = Setup::default().serve(&[adapter("shelf", &api.base_url(), own)]);
    assert_eq!(ids(&server.data(ask(json!({}))).await).len(), 25);
    assert_eq!(ids(&server.data(ask(json!({"max_results": 60}))).await).len(), 60);
    assert_eq!(ids(&server.data(ask(json!({"max_results": 60, "first": 5}))).await).len(), 5);
    let most = server.call(ask(json!({"max_results": 500}))).await;
    assert_eq!(most["warnings"][0]["details"]["field"], "max_results", "{most}");
}
