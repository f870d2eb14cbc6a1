//! What the author of an adapter says about pages: totals, whether there is more, and the number of the first one.
//!
//! Each test has an API that says it in its answers, and a `pagination` block that tells where.

use super::{ask, ids, number, operations};
use crate::test_server::{Setup, TestServer, adapter};
use aqueduct_testkit::api::{Answer, FakeApi};
use aqueduct_testkit::paged_list;
use serde_json::{Value, json};

/// A server whose `pagination` block has these keys in the place of its largest size.
fn declaring(api: &FakeApi, path: &str, keys: &str) -> TestServer {
    let blocks = operations(path, "").replace("max_limit: 40", keys);
    Setup::default().serve(&[adapter("declared", &api.base_url(), &blocks)])
}

/// The paths of the requests that an API got, with their queries.
fn targets(api: &FakeApi) -> Vec<String> {
    api.requests().iter().map(|request| request.target.clone()).collect()
}

/// X-page-5: the API's total is that of its items; of those that a filter made here leaves it says nothing.
#[tokio::test]
async fn totals_and_filters() {
    let items = paged_list::items(30);
    let api = FakeApi::start(move |request| {
        let from = (number(request, "page").unwrap_or(1) - 1) * 10;
        let part: Vec<&Value> = items.iter().skip(from).take(10).collect();
        Answer::json(200, json!({"items": part, "total": 30}))
    })
    .await;
    let server = declaring(&api, "/page", "max_limit: 10, total_path: total");
    let all = server.data(ask(json!({"first": 4}))).await;
    assert_eq!(all["pageInfo"]["totalCount"], 30);
    for control in [json!({"filter": {"state": "open"}}), json!({"query": "red"})] {
        let mut params = control.clone();
        params["first"] = 4.into();
        let some = server.data(ask(params.clone())).await;
        assert_eq!(ids(&some).len(), 4);
        assert_eq!(some["pageInfo"].get("totalCount"), None, "{control}: nobody has counted those");
        params = control.clone();
        params["all"] = true.into();
        let every = server.data(ask(params)).await;
        assert_eq!(every["pageInfo"]["totalCount"], ids(&every).len(), "{control}");
    }
}

/// Where an answer says whether there is more, it is believed: a full page may be the last one, and one that is
/// not full need not be.
#[tokio::test]
async fn pages_that_say_whether_there_is_more() {
    for path in ["/offset", "/page"] {
        let items = paged_list::items(80);
        let last = FakeApi::start(move |request| {
            let page: Vec<&Value> = items.iter().take(number(request, "limit").unwrap_or(40)).collect();
            Answer::json(200, json!({"items": page, "more": {"is_there": false}}))
        })
        .await;
        let server = declaring(&last, path, "max_limit: 40, has_more_path: more.is_there");
        let page = server.data(ask(json!({"first": 40}))).await;
        assert_eq!(
            (&page["pageInfo"]["hasNextPage"], &page["pageInfo"]["totalCount"]),
            (&json!(false), &json!(40))
        );
        assert_eq!(
            ids(&server.data(ask(json!({"all": true}))).await),
            (1..=40).collect::<Vec<u64>>(),
            "{path}"
        );
        assert_eq!(last.requests().len(), 2, "{path}: a page for each call");

        let items = paged_list::items(30);
        let short = FakeApi::start(move |request| {
            let page = number(request, "page").map(|page| (page - 1) * 10);
            let from = number(request, "offset").or(page).unwrap_or(0);
            let part: Vec<&Value> = items.iter().skip(from).take(10).collect();
            Answer::json(200, json!({"items": part, "more": {"is_there": from + 10 < 30}}))
        })
        .await;
        let server = declaring(&short, path, "max_limit: 40, has_more_path: more.is_there");
        assert_eq!(
            ids(&server.data(ask(json!({"all": true}))).await),
            (1..=30).collect::<Vec<u64>>(),
            "{path}"
        );
        assert_eq!(short.requests().len(), 3, "{path}: and no further one to see that it is empty");
    }
}

/// A cursor behind the last page is not followed where the answer says that there is no more.
#[tokio::test]
async fn cursors_behind_the_end() {
    for (more, expected) in
        [(json!(false), json!([1])), (json!(true), json!([1, 2])), (Value::Null, json!([1, 2]))]
    {
        let said = more.clone();
        let api = FakeApi::start(move |request| match request.target.contains("cursor=") {
            false => Answer::json(200, json!({"data": [1], "next_cursor": "on", "more": said})),
            true => Answer::json(200, json!({"data": [2], "next_cursor": null})),
        })
        .await;
        let server = declaring(&api, "/cursor", "max_limit: 40, has_more_path: more");
        let one = server.data(ask(json!({"first": 1}))).await;
        assert_eq!(one["pageInfo"]["hasNextPage"], more != json!(false), "{more}");
        assert_eq!(server.data(ask(json!({"all": true}))).await["items"], expected, "{more}");
    }
}

/// Pages that are counted from another number than one: the next ones, and those that are jumped to.
#[tokio::test]
async fn the_first_page_has_a_number() {
    for first_page in [0, 1, 5] {
        let items = paged_list::items(100);
        let api = FakeApi::start(move |request| {
            let page = number(request, "page").unwrap_or(first_page) - first_page;
            let size = number(request, "per_page").unwrap_or(10);
            let part: Vec<&Value> = items.iter().skip(page * size).take(size).collect();
            Answer::json(200, json!({"items": part}))
        })
        .await;
        let server = declaring(&api, "/page", &format!("max_limit: 40, first_page: {first_page}"));
        let all = server.data(ask(json!({"all": true}))).await;
        assert_eq!(ids(&all), (1..=100).collect::<Vec<u64>>(), "{first_page}");
        let page = |size: usize, number: usize| format!("/page?per_page={size}&page={}", first_page + number);
        assert_eq!(targets(&api), ["/page?per_page=40".to_owned(), page(40, 1), page(40, 2)]);
        let one = server.data(ask(json!({"first": 10}))).await;
        let two = server.data(ask(json!({"first": 10, "after": one["pageInfo"]["endCursor"]}))).await;
        assert_eq!(ids(&two), (11..=20).collect::<Vec<u64>>(), "{first_page}");
        for (window, first, jump) in [
            (json!({"limit": 10, "offset": 30}), 31, page(10, 3)),
            (json!({"page": 2, "page_size": 10}), 11, page(10, 1)),
            (json!({"limit": 10, "offset": 5}), 6, "/page?per_page=10".to_owned()),
            (json!({"limit": 10, "offset": 25}), 26, page(10, 2)),
        ] {
            let before = api.requests().len();
            let answer = server.data(ask(window.clone())).await;
            assert_eq!(ids(&answer), (first..first + 10).collect::<Vec<u64>>(), "{first_page} {window}");
            assert_eq!(targets(&api)[before], jump, "{window}");
        }
    }
}
