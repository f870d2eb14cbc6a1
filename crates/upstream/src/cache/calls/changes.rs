//! What ends what is kept: changes, of this resource and of others, whole, failed and given up.
//!
//! Each test reads, changes and reads again; whether the last answer was kept is what it is about.

use super::{anyone, by, cacheable, put, read, with_rule};
use crate::cache::Reading;
use crate::test_support::{send, upstream};
use aqueduct_operations::category::Category;
use aqueduct_operations::target::Method;
use aqueduct_testkit::api::{self, FakeApi, Gate};
use aqueduct_testkit::operation::{get, operation, post, site, target};
use serde_json::json;

/// R10.5-3: a change ends what is kept of the same resource, of what lists it and of what is below it, for all callers, and
/// nothing else.
#[tokio::test]
async fn changes_invalidate() {
    let api = cacheable().await;
    let other = cacheable().await;
    let base = api.base_url();
    for (changed, is_kept) in [
        (put(&base, "/v1/books/1"), [false, false, false, true, true]),
        (put(&base, "/v1/books/1?force=1"), [false, false, false, true, true]),
        (put(&base, "/v1/books/"), [false, false, false, false, true]),
        (post("act", &base, "/v1/books/1/publish"), [false, false, true, true, true]),
        (post("make", &base, "/v1/books"), [false, false, false, false, true]),
        (
            operation("x", Category::Delete, target(site(&base), Method::Delete, "/v1/books/1")),
            [false, false, false, true, true],
        ),
        (
            operation("x", Category::Execute, target(site(&base), Method::Get, "/v1/books/1")),
            [false, false, false, true, true],
        ),
        (put(&base, "/v1/books/11"), [false, true, true, true, true]),
        (put(&base, "/v1/authors/1"), [true, true, true, true, false]),
        (put(&other.base_url(), "/v1/books/1"), [true, true, true, true, true]),
    ] {
        let upstream = upstream(&[]);
        let paths = ["/v1/books?page=2", "/v1/books/1", "/v1/books/1/pages/7", "/v1/books/2", "/v1/authors"];
        let reads = paths.map(|path| get("g", &base, path));
        for operation in &reads {
            read(&upstream, operation, &by("ann")).await;
            assert!(read(&upstream, operation, &by("ann")).await.from_cache);
        }
        // The switches are for reads.
        let unkept = Reading { fresh: true, ..with_rule(false, None) };
        send(&upstream, &changed, json!({}), &unkept).await.unwrap();
        for (operation, expected) in reads.iter().zip(is_kept) {
            let answer = read(&upstream, operation, &by("ann")).await;
            assert_eq!(answer.from_cache, expected, "{operation:?} after {changed:?}");
        }
    }
}

/// R10.5-3: also where the answer says that something else changed, on the same site; and also after a failure, which may
/// have changed something all the same.
#[tokio::test]
async fn changes_elsewhere_and_failed_changes() {
    let other = cacheable().await;
    let elsewhere = format!("{}/books/1", other.base_url());
    let api = FakeApi::start(move |request| match (request.method.as_str(), request.path()) {
        ("POST", "/make") => api::Answer::json(201, json!(1)).header("Location", "books/1"),
        ("POST", "/move") => api::Answer::json(200, json!(1)).header("Content-Location", "/books/1?x=1"),
        ("POST", "/far") => api::Answer::json(201, json!(1)).header("Location", &elsewhere),
        ("PUT", _) => api::Answer::json(500, json!(1)),
        _ => api::Answer::json(200, json!(1)).header("Cache-Control", "max-age=60"),
    })
    .await;
    let upstream = upstream(&[]);
    let book = get("g", &api.base_url(), "/books/1");
    let far = get("g", &other.base_url(), "/books/1");
    for (changed, is_kept) in [
        (post("make", &api.base_url(), "/make"), false),
        (post("make", &api.base_url(), "/move"), false),
        (post("make", &api.base_url(), "/far"), true),
        (put(&api.base_url(), "/books/1"), false),
    ] {
        read(&upstream, &book, &anyone()).await;
        read(&upstream, &far, &anyone()).await;
        let outcome = send(&upstream, &changed, json!({}), &anyone()).await;
        assert_eq!(outcome.is_err(), changed.name == "change");
        assert_eq!(read(&upstream, &book, &anyone()).await.from_cache, is_kept, "{changed:?}");
        assert!(read(&upstream, &far, &anyone()).await.from_cache);
    }
}

/// A read is under way while the same resource is changed: what it brings is not kept.
#[tokio::test]
async fn reads_from_before_a_change_are_not_kept() {
    let gate = Gate::default();
    let held = gate.clone();
    let api = FakeApi::start(move |request| {
        let answer = api::Answer::json(200, json!(request.index)).header("Cache-Control", "max-age=60");
        if request.index == 0 { api::Answer::behind(&held, answer) } else { answer }
    })
    .await;
    let upstream = upstream(&[]);
    let book = get("g", &api.base_url(), "/books/1");
    let change = async {
        api.wait_for_request_count(1).await;
        send(&upstream, &put(&api.base_url(), "/books/1"), json!({}), &anyone()).await.unwrap();
        // Whoever asks now does not join the read from before.
        assert_eq!(read(&upstream, &book, &anyone()).await.data.as_str(), "2");
        gate.open();
    };
    let reading = anyone();
    let (early, ()) = tokio::join!(read(&upstream, &book, &reading), change);
    assert_eq!(early.data.as_str(), "0");
    assert_eq!(read(&upstream, &book, &anyone()).await.data.as_str(), "2");
}

/// While a change is under way nothing from before it is given out. One that is given up may have been made: what was read
/// meanwhile is not kept.
#[tokio::test]
async fn abandoned_changes_invalidate() {
    let api = FakeApi::start(|request| match request.method.as_str() {
        "PUT" => api::Answer::hang(),
        _ => api::Answer::json(200, json!(1)).header("Cache-Control", "max-age=60"),
    })
    .await;
    let upstream = upstream(&[]);
    let book = get("g", &api.base_url(), "/books/1");
    let change = put(&api.base_url(), "/books/1");
    let reading = anyone();
    read(&upstream, &book, &reading).await;
    tokio::select! {
        _ = send(&upstream, &change, json!({}), &reading) => panic!("answered"),
        () = async {
            api.wait_for_request_count(2).await;
            assert!(!read(&upstream, &book, &anyone()).await.from_cache);
            assert!(read(&upstream, &book, &anyone()).await.from_cache);
        } => {}
    }
    assert!(!read(&upstream, &book, &anyone()).await.from_cache);
}
