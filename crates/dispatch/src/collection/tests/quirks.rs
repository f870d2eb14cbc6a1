//! APIs that page in their own way, and are read to their end all the same, or with a word about what is missing.
//!
//! Each test has an API of its own that behaves so.

use super::{ask, number, operations, things};
use crate::test_server::{Setup, TestServer, adapter};
use aqueduct_testkit::api::{Answer, FakeApi};
use aqueduct_testkit::paged_list;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

fn count(answer: &Value) -> usize {
    answer["items"].as_array().unwrap().len()
}

/// A cursor that is a page number means another place with another size: the size stays as it was.
#[tokio::test]
async fn cursors_that_count_pages() {
    let items = paged_list::items(60);
    let api = FakeApi::start(move |request| {
        let (page, size) = (number(request, "cursor").unwrap_or(0), number(request, "limit").unwrap_or(10));
        let next = ((page + 1) * size < 60).then(|| (page + 1).to_string());
        let part: Vec<&Value> = items.iter().skip(page * size).take(size).collect();
        Answer::json(200, json!({"data": part, "next_cursor": next}))
    })
    .await;
    let server = Setup::default().serve(&[things(&api, "/cursor")]);
    let one = server.data(ask(json!({"first": 10}))).await;
    let after = &one["pageInfo"]["endCursor"];
    assert_eq!(count(&server.data(ask(json!({"all": true, "after": after}))).await), 50);
    assert_eq!(count(&server.data(ask(json!({"first": 25, "after": after}))).await), 25);
}

/// A cursor that stays the same while the pages go on, as that of a scroll, is followed to the end.
#[tokio::test]
async fn cursors_that_stay_the_same() {
    let given = Arc::new(AtomicUsize::new(0));
    let items = paged_list::items(60);
    let api = FakeApi::start(move |request| {
        if number(request, "cursor").is_none() {
            given.store(0, Ordering::Relaxed);
        }
        let from = given.fetch_add(10, Ordering::Relaxed);
        let part: Vec<&Value> = items.iter().skip(from).take(10).collect();
        let next = if from + 10 < 60 { json!(7) } else { json!(null) };
        Answer::json(200, json!({"data": part, "next_cursor": next}))
    })
    .await;
    let server = Setup::default().serve(&[things(&api, "/cursor")]);
    let counted = server.data(ask(json!({"aggregate": {"n": {"count": true}}}))).await;
    assert_eq!((&counted["aggregations"]["n"], &counted["applied"]["complete"]), (&json!(60), &json!(true)));
    assert_eq!(count(&server.data(ask(json!({"all": true, "fields": ["id"]}))).await), 60);
}

/// An API that keeps to a size of its own, of which its author has said nothing, is jumped into nowhere.
#[tokio::test]
async fn sizes_of_their_own() {
    let items = Arc::new(paged_list::items(60));
    let api = FakeApi::start(move |request| {
        let page = number(request, "page").unwrap_or(1) - 1;
        Answer::json(200, json!({"items": items.iter().skip(page * 10).take(10).collect::<Vec<_>>()}))
    })
    .await;
    let unsaid = operations("/page", "").replace(", max_limit: 40", "");
    let server = Setup::default().serve(&[adapter("unsaid", &api.base_url(), &unsaid)]);
    for (params, first, last) in
        [(json!({"limit": 20, "offset": 40}), 41, 60), (json!({"page": 2, "page_size": 30}), 31, 60)]
    {
        let answer = server.data(ask(params.clone())).await;
        let ids: Vec<&Value> = answer["items"].as_array().unwrap().iter().map(|item| &item["id"]).collect();
        assert_eq!((ids.first(), ids.last()), (Some(&&json!(first)), Some(&&json!(last))), "{params}");
    }
}

/// Pages that look alike are no repetition where their items do too; one that comes again and again is.
#[tokio::test]
async fn pages_that_look_alike() {
    let alike = FakeApi::start(|request| {
        let offset = number(request, "offset").unwrap_or(0);
        Answer::json(200, json!(vec![0; 40.min(100_usize.saturating_sub(offset))]))
    })
    .await;
    let server = Setup::default().serve(&[things(&alike, "/offset")]);
    assert_eq!(count(&server.data(ask(json!({"all": true}))).await), 100);
    let same = Value::from(paged_list::items(40));
    let deaf = FakeApi::always(Answer::json(200, same)).await;
    let server = Setup::default().serve(&[things(&deaf, "/page")]);
    let all = server.call(ask(json!({"all": true}))).await;
    assert_eq!(
        (count(&all["data"]), &all["warnings"][0]["details"]["code"]),
        (40, &json!("PROTOCOL_INVALID_MAPPING"))
    );
    let counted = server.error(ask(json!({"aggregate": {"n": {"count": true}}}))).await;
    assert_eq!(counted["code"], "PROTOCOL_INVALID_MAPPING");
}

/// A cursor may begin like a path; a link in its place is followed.
#[tokio::test]
async fn cursors_and_links() {
    for (next, second) in [
        ("/MzA=", "/cursor?limit=40&cursor=%2FMzA%3D"),
        ("/other?x=1", "/other?x=1"),
        ("?x=2", "/cursor?x=2"),
    ] {
        let api = FakeApi::start(move |request| match request.target.as_str() {
            "/cursor?limit=40" => Answer::json(200, json!({"data": [1], "next_cursor": next})),
            _ => Answer::json(200, json!({"data": [2]})),
        })
        .await;
        let server = Setup::default().serve(&[things(&api, "/cursor")]);
        assert_eq!(server.data(ask(json!({"all": true}))).await["items"], json!([1, 2]), "{next}");
        assert_eq!(api.requests()[1].target, second);
    }
}

/// A cursor of the API that is too long to be passed on is told; `all` goes on by it.
#[tokio::test]
async fn cursors_without_end() {
    for (length, is_passed) in [(4_000, true), (5_000, false)] {
        let api = FakeApi::start(move |request| match request.target.contains("cursor=x") {
            false => Answer::json(200, json!({"data": [1], "next_cursor": "x".repeat(length)})),
            true => Answer::json(200, json!({"data": [2]})),
        })
        .await;
        let server: TestServer = Setup::default().serve(&[things(&api, "/cursor")]);
        let one = server.call(ask(json!({"first": 1}))).await;
        let page = &one["data"]["pageInfo"];
        assert_eq!(
            (&page["hasNextPage"], page["endCursor"].is_string()),
            (&json!(is_passed), is_passed),
            "{length}"
        );
        match is_passed {
            true => {
                let rest = server.data(ask(json!({"first": 1, "after": page["endCursor"]}))).await;
                assert_eq!(rest["items"], json!([2]));
            }
            false => assert_eq!(one["warnings"][0]["code"], "VALIDATION_INCOMPLETE_WARNING"),
        }
        assert_eq!(server.data(ask(json!({"all": true}))).await["items"], json!([1, 2]));
    }
}

/// A total that contradicts what was seen is not passed on.
#[tokio::test]
async fn totals_that_are_wrong() {
    let api = |total: u64| async move {
        let api = FakeApi::start(move |request| {
            let from = number(request, "offset").unwrap_or(0);
            Answer::json(200, json!({"items": paged_list::items(30).iter().skip(from).take(20).collect::<Vec<_>>(), "total": total, "more": from < 10}))
        })
        .await;
        let counted = operations("/offset", "")
            .replace("max_limit: 40", "max_limit: 20, total_path: total, has_more_path: more");
        (Setup::default().serve(&[adapter("counted", &api.base_url(), &counted)]), api)
    };
    let (server, _api) = api(0).await;
    assert_eq!(server.data(ask(json!({"first": 20}))).await["pageInfo"].get("totalCount"), None);
    let (server, _api) = api(1_000).await;
    assert_eq!(server.data(ask(json!({"first": 20}))).await["pageInfo"]["totalCount"], 1_000);
    assert_eq!(
        server.data(ask(json!({"all": true}))).await["pageInfo"]["totalCount"],
        30,
        "the end was seen"
    );
}
