//! The kept answers: found by key, thrown away by source, and by age of use when there are too many bytes.
//!
//! Invariants: never more bytes than allowed; an answer that was asked for before a change of its site is not taken in
//! after it.

use super::{CacheKey, CacheScope, Freshness};
use crate::answer::UpstreamResponse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// Bytes that an entry takes besides what it holds.
const OVERHEAD: usize = 1024;
/// An answer larger than this part of the whole would push out too many others.
const LARGEST_SHARE: usize = 16;

/// A kept answer.
pub(crate) struct CachedResponse {
    pub(crate) answer: UpstreamResponse,
    pub(crate) freshness: Freshness,
}

impl CachedResponse {
    fn bytes(&self) -> usize {
        let headers: usize = self.answer.headers.iter().map(|(name, value)| name.len() + value.len()).sum();
        self.answer.data.as_str().len() + 2 * headers + OVERHEAD
    }
}

struct CacheEntry {
    kept: Arc<CachedResponse>,
    place: CacheScope,
    bytes: usize,
    used: u64,
}

/// What is known of one site.
#[derive(Default)]
struct CachedSite {
    /// How often it was changed.
    generation: u64,
    /// What is kept of it.
    keys: BTreeSet<CacheKey>,
}

/// The kept answers.
pub(super) struct CacheStore {
    max_bytes: usize,
    bytes: usize,
    entries: HashMap<CacheKey, CacheEntry>,
    /// Keys by the time of their last use.
    by_use: BTreeMap<u64, CacheKey>,
    uses: u64,
    sites: HashMap<Arc<str>, CachedSite>,
    /// The sites that were read for each source.
    of_source: HashMap<Arc<str>, BTreeSet<Arc<str>>>,
}

impl CacheStore {
    pub(super) fn new(max_bytes: usize) -> CacheStore {
        CacheStore {
            max_bytes,
            bytes: 0,
            entries: HashMap::new(),
            by_use: BTreeMap::new(),
            uses: 0,
            sites: HashMap::new(),
            of_source: HashMap::new(),
        }
    }

    pub(super) fn find(&mut self, key: &CacheKey) -> Option<Arc<CachedResponse>> {
        let entry = self.entries.get_mut(key)?;
        self.uses += 1;
        self.by_use.remove(&entry.used);
        self.by_use.insert(self.uses, *key);
        entry.used = self.uses;
        Some(Arc::clone(&entry.kept))
    }

    /// How often the site was changed. Who asks is about to read it, so from now on it belongs to its source.
    pub(super) fn generation(&mut self, place: &CacheScope) -> u64 {
        if let Some(source) = &place.source {
            let sites = self.of_source.entry(Arc::clone(source)).or_default();
            if !sites.contains(&place.site) {
                sites.insert(Arc::clone(&place.site));
            }
        }
        self.sites.get(&place.site).map_or(0, |site| site.generation)
    }

    pub(super) fn keep(&mut self, key: CacheKey, place: &CacheScope, generation: u64, kept: CachedResponse) {
        if self.generation(place) != generation {
            return;
        }
        self.forget(&key);
        let bytes = kept.bytes();
        if bytes > self.max_bytes / LARGEST_SHARE {
            return;
        }
        self.uses += 1;
        self.bytes += bytes;
        self.by_use.insert(self.uses, key);
        self.sites.entry(Arc::clone(&place.site)).or_default().keys.insert(key);
        let entry = CacheEntry { kept: Arc::new(kept), place: place.clone(), bytes, used: self.uses };
        self.entries.insert(key, entry);
        while self.bytes > self.max_bytes {
            let Some((_, oldest)) = self.by_use.pop_first() else { return };
            self.forget(&oldest);
        }
    }

    pub(super) fn forget(&mut self, key: &CacheKey) {
        let Some(entry) = self.entries.remove(key) else { return };
        self.bytes -= entry.bytes;
        self.by_use.remove(&entry.used);
        if let Some(site) = self.sites.get_mut(&entry.place.site) {
            site.keys.remove(key);
        }
    }

    /// Throws away what a change of this place concerns, which is all of its source or what these operations tell of it, and
    /// begins a new generation. What other sources tell of the site goes in any case.
    pub(super) fn invalidate(&mut self, place: &CacheScope, told_by: Option<&[String]>) {
        let of_source = place.source.as_ref().and_then(|source| self.of_source.get(source));
        let mut changed: BTreeSet<Arc<str>> = of_source.cloned().unwrap_or_default();
        changed.insert(Arc::clone(&place.site));
        for name in changed {
            let site = self.sites.entry(name).or_default();
            site.generation += 1;
            let concerned: Vec<CacheKey> = match told_by {
                None => std::mem::take(&mut site.keys).into_iter().collect(),
                Some(names) => {
                    let is_spared = |key: &CacheKey| {
                        self.entries.get(key).is_some_and(|entry| {
                            place.source.is_some()
                                && entry.place.source == place.source
                                && !names.iter().any(|name| *name == *entry.place.operation)
                        })
                    };
                    site.keys.iter().filter(|key| !is_spared(key)).copied().collect()
                }
            };
            concerned.iter().for_each(|key| self.forget(key));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CacheStore, CachedResponse, LARGEST_SHARE, OVERHEAD};
    use crate::answer::UpstreamResponse;
    use crate::cache::key::tests::any_key;
    use crate::cache::{CacheKey, CacheScope, Freshness};
    use aqueduct_operations::raw_json::RawJson;
    use http::HeaderMap;
    use proptest::{collection, prop_assert, prop_assert_eq, proptest};
    use serde_json::json;
    use std::time::{Duration, SystemTime};
    use url::Url;

    fn kept(bytes: usize) -> CachedResponse {
        let data = RawJson::of(&json!("x".repeat(bytes - OVERHEAD - 2)));
        let ttl = Some(Duration::from_secs(60));
        let none = HeaderMap::new();
        CachedResponse {
            answer: UpstreamResponse {
                status: 200,
                headers: Vec::new(),
                content_type: String::new(),
                data,
                numbers_as_text: 0,
                from_cache: false,
                next: None,
            },
            freshness: Freshness::of(&none, 200, &none, ttl, SystemTime::UNIX_EPOCH).unwrap(),
        }
    }

    fn place(site: &str) -> CacheScope {
        CacheScope::of(
            &Url::parse(&format!("https://{site}.example.com/x")).unwrap(),
            Some(&"shop".into()),
            "x",
        )
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
}
