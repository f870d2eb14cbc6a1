//! The cached responses: found by key, thrown away by source, and by age of use when there are too many bytes.
//!
//! Invariants: never more bytes than allowed; a response that was asked for before a change of its site is not taken in
//! after it.

use super::{CacheKey, CacheScope, Freshness};
use crate::response::UpstreamResponse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// Bytes that an entry takes besides what it holds.
const OVERHEAD: usize = 1024;
/// A response larger than this part of the whole would push out too many others.
const LARGEST_SHARE: usize = 16;

/// A cached response.
pub(crate) struct CachedResponse {
    pub(crate) response: UpstreamResponse,
    pub(crate) freshness: Freshness,
}

impl CachedResponse {
    fn bytes(&self) -> usize {
        let headers: usize = self.response.headers.iter().map(|(name, value)| name.len() + value.len()).sum();
        self.response.data.as_str().len() + 2 * headers + OVERHEAD
    }
}

struct CacheEntry {
    cached: Arc<CachedResponse>,
    scope: CacheScope,
    bytes: usize,
    used: u64,
}

/// What is known of one site.
#[derive(Default)]
struct CachedSite {
    /// How often it was changed.
    generation: u64,
    /// What is cached of it.
    keys: BTreeSet<CacheKey>,
}

/// The cached responses.
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
        Some(Arc::clone(&entry.cached))
    }

    /// How often the site was changed. Who asks is about to read it, so from now on it belongs to its source.
    pub(super) fn generation(&mut self, scope: &CacheScope) -> u64 {
        if let Some(source) = &scope.source {
            let sites = self.of_source.entry(Arc::clone(source)).or_default();
            if !sites.contains(&scope.site) {
                sites.insert(Arc::clone(&scope.site));
            }
        }
        self.sites.get(&scope.site).map_or(0, |site| site.generation)
    }

    pub(super) fn insert(
        &mut self,
        key: CacheKey,
        scope: &CacheScope,
        generation: u64,
        cached: CachedResponse,
    ) {
        if self.generation(scope) != generation {
            return;
        }
        self.remove(&key);
        let bytes = cached.bytes();
        if bytes > self.max_bytes / LARGEST_SHARE {
            return;
        }
        self.uses += 1;
        self.bytes += bytes;
        self.by_use.insert(self.uses, key);
        self.sites.entry(Arc::clone(&scope.site)).or_default().keys.insert(key);
        let entry = CacheEntry { cached: Arc::new(cached), scope: scope.clone(), bytes, used: self.uses };
        self.entries.insert(key, entry);
        while self.bytes > self.max_bytes {
            let Some((_, oldest)) = self.by_use.pop_first() else { return };
            self.remove(&oldest);
        }
    }

    pub(super) fn remove(&mut self, key: &CacheKey) {
        let Some(entry) = self.entries.remove(key) else { return };
        self.bytes -= entry.bytes;
        self.by_use.remove(&entry.used);
        if let Some(site) = self.sites.get_mut(&entry.scope.site) {
            site.keys.remove(key);
        }
    }

    /// Removes what a change of this scope affects: all of its source, or what these operations have read of it. Begins a new
    /// generation. What other sources have read of the site is removed in any case.
    pub(super) fn invalidate(&mut self, scope: &CacheScope, operations: Option<&[String]>) {
        let of_source = scope.source.as_ref().and_then(|source| self.of_source.get(source));
        let mut changed: BTreeSet<Arc<str>> = of_source.cloned().unwrap_or_default();
        changed.insert(Arc::clone(&scope.site));
        for name in changed {
            let site = self.sites.entry(name).or_default();
            site.generation += 1;
            let invalidated: Vec<CacheKey> = match operations {
                None => std::mem::take(&mut site.keys).into_iter().collect(),
                Some(names) => {
                    let is_unaffected = |key: &CacheKey| {
                        self.entries.get(key).is_some_and(|entry| {
                            scope.source.is_some()
                                && entry.scope.source == scope.source
                                && !names.iter().any(|name| *name == *entry.scope.operation)
                        })
                    };
                    site.keys.iter().filter(|key| !is_unaffected(key)).copied().collect()
                }
            };
            invalidated.iter().for_each(|key| self.remove(key));
        }
    }
}

#[cfg(test)]
mod tests;
