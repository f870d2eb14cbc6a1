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

fn kept(bytes: usize) -> CachedResponse {
    let data = RawJson::of(&json!("x".repeat(bytes - OVERHEAD - 2)));
    CachedResponse {
        answer: UpstreamResponse::of_data(data),
        freshness: Freshness::lasting(Duration::from_secs(60), SystemTime::UNIX_EPOCH).unwrap(),
    }
}

fn place(site: &str) -> CacheScope {
    CacheScope::of(&Url::parse(&format!("https://{site}.example.com/x")).unwrap(), Some(&"shop".into()), "x")
}

fn key(number: usize) -> CacheKey {
    any_key(u8::try_from(number).unwrap())
}

#[test]
fn the_least_recently_used_goes_first() {
    let bytes = 2000;
    let mut shelf = CacheStore::new(bytes * LARGEST_SHARE);
    for number in 0..LARGEST_SHARE {
        shelf.keep(key(number), &place("x"), 0, kept(bytes));
    }
    assert!(shelf.find(&key(0)).is_some());
    shelf.keep(key(100), &place("x"), 0, kept(bytes));
    assert!(shelf.find(&key(1)).is_none(), "it was used longer ago than 0");
    assert!(shelf.find(&key(0)).is_some() && shelf.find(&key(2)).is_some());
    shelf.keep(key(3), &place("x"), 0, kept(bytes + 1));
    assert!(shelf.find(&key(3)).is_none(), "too large a part of the whole, and the old one is gone");
}

#[test]
fn answers_from_before_a_change_are_not_taken_in() {
    let mut shelf = CacheStore::new(1_000_000);
    let generation = shelf.generation(&place("a"));
    shelf.generation(&place("b"));
    shelf.invalidate(&place("b"), None);
    shelf.keep(key(1), &place("a"), generation, kept(2000));
    assert!(shelf.find(&key(1)).is_none());
    shelf.keep(key(1), &place("a"), generation + 1, kept(2000));
    assert!(shelf.find(&key(1)).is_some());
}

proptest! {
    /// Whatever is kept, found, forgotten and changed, the books are right and the limit holds.
    #[test]
    fn accounts_are_right(deeds in collection::vec((0..4u8, 0..20u8, 0..5usize, 1100..3000usize), 0..200)) {
        let sites = ["a", "b", "c", "d", "e"];
        let mut shelf = CacheStore::new(20_000);
        for (deed, number, path, bytes) in deeds {
            let (key, place) = (any_key(number), place(sites[path]));
            match deed {
                0 | 1 => {
                    let generation = shelf.generation(&place);
                    shelf.keep(key, &place, generation, kept(bytes));
                }
                2 => drop(shelf.find(&key)),
                _ if number == 0 => shelf.invalidate(&place, None),
                _ if number == 1 => shelf.invalidate(&place, Some(&[])),
                _ => shelf.forget(&key),
            }
            let sum: usize = shelf.entries.values().map(|entry| entry.bytes).sum();
            prop_assert_eq!(shelf.bytes, sum);
            prop_assert!(sum <= 20_000);
            prop_assert_eq!(shelf.by_use.len(), shelf.entries.len());
            let listed: usize = shelf.sites.values().map(|site| site.keys.len()).sum();
            prop_assert_eq!(listed, shelf.entries.len());
        }
    }
}
