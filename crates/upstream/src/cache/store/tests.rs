//! Tests of `store`.

use super::{CacheStore, CachedResponse, LARGEST_SHARE, OVERHEAD};
use crate::cache::key::tests::any_key;
use crate::cache::{CacheKey, CacheScope, Freshness};
use crate::response::UpstreamResponse;
use aqueduct_operations::raw_json::RawJson;
use proptest::{collection, prop_assert, prop_assert_eq, proptest};
use serde_json::json;
use std::time::{Duration, SystemTime};
use url::Url;

fn cached(bytes: usize) -> CachedResponse {
    let data = RawJson::of(&json!("x".repeat(bytes - OVERHEAD - 2)));
    CachedResponse {
        response: UpstreamResponse::of_data(data),
        freshness: Freshness::lasting(Duration::from_secs(60), SystemTime::UNIX_EPOCH).unwrap(),
    }
}

fn scope(site: &str) -> CacheScope {
    CacheScope::of(&Url::parse(&format!("https://{site}.example.com/x")).unwrap(), Some(&"shop".into()), "x")
}

fn key(number: usize) -> CacheKey {
    any_key(u8::try_from(number).unwrap())
}

#[test]
fn the_least_recently_used_goes_first() {
    let bytes = 2000;
    let mut store = CacheStore::new(bytes * LARGEST_SHARE);
    for number in 0..LARGEST_SHARE {
        store.insert(key(number), &scope("x"), 0, cached(bytes));
    }
    assert!(store.find(&key(0)).is_some());
    store.insert(key(100), &scope("x"), 0, cached(bytes));
    assert!(store.find(&key(1)).is_none(), "it was used longer ago than 0");
    assert!(store.find(&key(0)).is_some() && store.find(&key(2)).is_some());
    store.insert(key(3), &scope("x"), 0, cached(bytes + 1));
    assert!(store.find(&key(3)).is_none(), "too large a part of the whole, and the old one is gone");
}

#[test]
fn answers_from_before_a_change_are_not_taken_in() {
    let mut store = CacheStore::new(1_000_000);
    let generation = store.generation(&scope("a"));
    store.generation(&scope("b"));
    store.invalidate(&scope("b"), None);
    store.insert(key(1), &scope("a"), generation, cached(2000));
    assert!(store.find(&key(1)).is_none());
    store.insert(key(1), &scope("a"), generation + 1, cached(2000));
    assert!(store.find(&key(1)).is_some());
}

proptest! {
    /// Whatever is kept, found, forgotten and changed, the books are right and the limit holds.
    #[test]
    fn accounts_are_right(deeds in collection::vec((0..4u8, 0..20u8, 0..5usize, 1100..3000usize), 0..200)) {
        let sites = ["a", "b", "c", "d", "e"];
        let mut store = CacheStore::new(20_000);
        for (deed, number, path, bytes) in deeds {
            let (key, scope) = (any_key(number), scope(sites[path]));
            match deed {
                0 | 1 => {
                    let generation = store.generation(&scope);
                    store.insert(key, &scope, generation, cached(bytes));
                }
                2 => drop(store.find(&key)),
                _ if number == 0 => store.invalidate(&scope, None),
                _ if number == 1 => store.invalidate(&scope, Some(&[])),
                _ => store.remove(&key),
            }
            let sum: usize = store.entries.values().map(|entry| entry.bytes).sum();
            prop_assert_eq!(store.bytes, sum);
            prop_assert!(sum <= 20_000);
            prop_assert_eq!(store.by_use.len(), store.entries.len());
            let listed: usize = store.sites.values().map(|site| site.keys.len()).sum();
            prop_assert_eq!(listed, store.entries.len());
        }
    }
}
