//! What ends what is kept: changes, of this resource and of others, whole, failed and given up.
//!
//! Each test reads, changes and reads again; whether the last answer was kept is what it is about.

use super::{anyone, by, cacheable, put, read, with_rule};
use crate::cache::ReadOptions;
use crate::test_support::{send, upstream};
use aqueduct_operations::category::Category;
use aqueduct_operations::target::Method;
use aqueduct_testkit::api::{self, FakeApi, Gate};
use aqueduct_testkit::operation::{get, operation, post, site, target};
use serde_json::json;

/// R10.5-3: a change ends what is kept of its whole source, for all callers, on whichever of its sites; nothing of others.
#[tokio::test]
async fn changes_invalidate() {
    let (api, other) = (cacheable().await, cacheable().await);
    let base = api.base_url();
    let of = |source: &str, caller: &str| ReadOptions { source: Some(source.into()), ..by(caller) };
    let delete = operation("x", Category::Delete, target(site(&base), Method::Delete, "/v1/books/1"));
    let run = operation("x", Category::Execute, target(site(&base), Method::Get, "/v1/books/1"));
    for (changed, source, is_kept) in [
        (put(&base, "/v1/books/1"), "shop", [false, false, false]),
        (put(&base, "/v1/authors/1"), "shop", [false, false, false]),
        (post("make", &base, "/v1/books"), "shop", [false, false, false]),
        (delete, "shop", [false, false, false]),
        (run, "shop", [false, false, false]),
        // Another source on the same site may tell of the same things; on another site it does not.
        (put(&base, "/v1/books/1"), "mirror", [false, false, true]),
        (put(&other.base_url(), "/v1/books/1"), "shop", [false, false, false]),
        (put(&other.base_url(), "/v1/books/1"), "mirror", [true, true, false]),
    ] {
        let upstream = upstream(&[]);
        let reads = [
            get("g", &base, "/v1/books?page=2"),
            get("g", &base, "/v1/authors"),
            get("g", &other.base_url(), "/v1/prices"),
        ];
        for operation in &reads {
            read(&upstream, operation, &of("shop", "ann")).await;
            assert!(read(&upstream, operation, &of("shop", "ann")).await.from_cache);
        }
        // The switches are for reads.
        let unkept = ReadOptions { fresh: true, source: Some(source.into()), ..with_rule(false, None) };
        send(&upstream, &changed, json!({}), &unkept).await.unwrap();
        for (operation, expected) in reads.iter().zip(is_kept) {
            let answer = read(&upstream, operation, &of("shop", "ann")).await;
            assert_eq!(answer.from_cache, expected, "{operation:?} after {changed:?} of {source}");
        }
    }
}

/// R10.5-3: also after a failure, which may have changed something all the same.
#[tokio::test]
async fn failed_changes_invalidate() {
    let api = FakeApi::start(|request| match request.method.as_str() {
        "PUT" => api::Answer::json(500, json!(1)),
        _ => api::Answer::json(200, json!(1)).header("Cache-Control", "max-age=60"),
    })
    .await;
    let upstream = upstream(&[]);
    let book = get("g", &api.base_url(), "/books/1");
    read(&upstream, &book, &anyone()).await;
    assert!(send(&upstream, &put(&api.base_url(), "/books/1"), json!({}), &anyone()).await.is_err());
    assert!(!read(&upstream, &book, &anyone()).await.from_cache);
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
        // The caller now does not join the read from before.
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

/// A change that says which operations tell of it ends what is kept of those alone, and of other sources on its site; and
/// what was under way is not kept.
#[tokio::test]
async fn a_change_may_concern_some_operations() {
    let api = cacheable().await;
    let base = api.base_url();
    let of = |source: &str| ReadOptions { source: Some(source.into()), ..by("ann") };
    for (told_by, is_kept) in [
        (None, [false, false, false]),
        (Some(vec!["books".to_owned()]), [false, true, false]),
        (Some(Vec::new()), [true, true, false]),
    ] {
        let upstream = upstream(&[]);
        let reads = [
            (get("books", &base, "/books"), "shop"),
            (get("authors", &base, "/books"), "shop"),
            (get("authors", &base, "/authors"), "mirror"),
        ];
        for (operation, source) in &reads {
            read(&upstream, operation, &of(source)).await;
            assert!(read(&upstream, operation, &of(source)).await.from_cache);
        }
        let mut change = put(&base, "/books/1");
        change.invalidates = told_by.clone();
        send(&upstream, &change, json!({}), &of("shop")).await.unwrap();
        for ((operation, source), expected) in reads.iter().zip(is_kept) {
            let answer = read(&upstream, operation, &of(source)).await;
            assert_eq!(answer.from_cache, expected, "{} of {source} after {told_by:?}", operation.name);
        }
    }
}
