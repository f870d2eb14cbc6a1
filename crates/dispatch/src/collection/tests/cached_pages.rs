//! Lists of tools and functions whose pages are cached: the second time nothing runs, whatever is asked of the items.
//!
//! One list of every kind in; answers, and how often its handler ran for them, out.

use super::targets::{KINDS, Kind, list_source};
use super::{ask, ids};
use crate::test_server::{Setup, TestServer};
use aqueduct_operations::response::CacheRule;
use aqueduct_testkit::clock::TestClock;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

fn serve_cached(kind: Kind) -> (TestServer, Arc<AtomicUsize>) {
    let (mut loaded, runs) = list_source(kind, 60);
    loaded.source.cache = CacheRule { enabled: true, ttl: Some(Duration::from_secs(60)) };
    (Setup::default().serve_loaded(vec![loaded], TestClock::default()), runs)
}

/// R10.5-1: each page is cached by itself, and every question about the same pages is answered from them.
#[tokio::test]
async fn page_by_page() {
    for kind in KINDS {
        let (server, runs) = serve_cached(kind);
        let all = server.data(ask(json!({"all": true, "fields": ["id"]}))).await;
        let pages = runs.load(Ordering::Relaxed);
        for question in [
            json!({"all": true, "fields": ["id"]}),
            json!({"sort": "-id", "first": 5}),
            json!({"filter": {"state": "open"}, "all": true}),
            json!({"aggregate": {"n": {"count": true}}}),
        ] {
            server.data(ask(question.clone())).await;
            assert_eq!(runs.load(Ordering::Relaxed), pages, "{kind:?} {question}");
        }
        assert_eq!(ids(&all).len(), 60);
        server.clock.advance(Duration::from_secs(61));
        server.data(ask(json!({"all": true, "fields": ["id"]}))).await;
        assert_eq!(runs.load(Ordering::Relaxed), 2 * pages, "{kind:?}: every page is too old");
    }
}

/// A cursor goes on behind the last item without another run, where the page of it is cached.
#[tokio::test]
async fn cursors_on_cached_pages() {
    let (server, runs) = serve_cached(Kind::Text);
    let page = server.data(ask(json!({"first": 17}))).await;
    let next = json!({"first": 17, "after": page["pageInfo"]["endCursor"]});
    assert_eq!(ids(&server.data(ask(next)).await), (18..=34).collect::<Vec<_>>());
    assert_eq!(runs.load(Ordering::Relaxed), 1);
}

/// The budget cuts what is given, not what is cached.
#[tokio::test]
async fn budgets_on_cached_pages() {
    for kind in KINDS {
        let (server, runs) = serve_cached(kind);
        let cut = server.data(ask(json!({"all": true, "budget": 500}))).await;
        assert!(ids(&cut).len() < 60, "{kind:?}");
        let again = server.data(ask(json!({"all": true, "budget": 500}))).await;
        assert_eq!(ids(&again), ids(&cut), "{kind:?}");
        let whole = server.data(ask(json!({"all": true, "fields": ["id"]}))).await;
        assert_eq!(ids(&whole).len(), 60, "{kind:?}");
        let ran = runs.swap(0, Ordering::Relaxed);
        server.data(ask(json!({"all": true, "fields": ["id"]}))).await;
        assert_eq!(runs.load(Ordering::Relaxed), 0, "{kind:?} after {ran} runs");
    }
}
