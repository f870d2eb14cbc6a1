//! Responses of GET, cached as HTTP says (RFC 9111), and reads that are in flight, shared by those who ask for the same.
//!
//! What handlers give on a READ is in the same store, for the time that is declared for it (`handler_results`).
//! A key that names everything that could make a response differ, caller and credentials included, comes in; a cached response, or
//! the outcome of a read, goes out. Invariants: nothing crosses callers or credentials; no response is given out that was
//! read before the last change of the same source that went through here; nothing of the content is printed.

#[cfg(feature = "http-cache")]
mod freshness;
#[cfg(not(feature = "http-cache"))]
#[path = "cache/declared_time.rs"]
mod freshness;
mod handler_results;
mod key;
mod scope;
mod shared_reads;
mod store;

#[cfg(not(feature = "http-cache"))]
pub(crate) use freshness::DeclaredFreshness as Freshness;
#[cfg(feature = "http-cache")]
pub(crate) use freshness::Freshness;
pub use handler_results::HandlerResult;
pub(crate) use key::{CacheKey, CacheKeyInput};
pub(crate) use scope::CacheScope;
pub(crate) use store::CachedResponse;

use crate::error::UpstreamError;
use crate::response::UpstreamResponse;
use aqueduct_operations::response::CacheRule;
use http::header::HeaderMap;
use shared_reads::SharedReads;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use store::CacheStore;

const MIB: usize = 1024 * 1024;

/// What to do with a cached response.
pub(crate) enum FreshnessVerdict {
    /// Use it.
    Fresh,
    /// Ask the upstream, with these headers; none when it has no version to compare.
    Stale(HeaderMap),
}

/// Whether answers are cached at all, and how much of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CacheSettings {
    /// Responses are cached, and reads shared.
    pub enabled: bool,
    /// Bytes of all responses together; the least recently used ones go first.
    pub max_bytes: usize,
}

impl Default for CacheSettings {
    fn default() -> CacheSettings {
        CacheSettings { enabled: true, max_bytes: 64 * MIB }
    }
}

/// For whom something is read, and whether a response that was given before will do.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    /// Who asks; answers are never given to anyone else.
    pub caller: Option<Arc<str>>,
    /// The source that is called: a change through here ends what is cached of all of it.
    pub source: Option<Arc<str>>,
    /// What is declared about caching answers.
    pub rule: CacheRule,
    /// The upstream is asked by a request of our own, whatever is cached or in flight.
    pub fresh: bool,
}

impl ReadOptions {
    /// A reading that takes nothing from the cache and puts nothing there.
    pub fn fresh() -> ReadOptions {
        ReadOptions { fresh: true, ..ReadOptions::default() }
    }
}

/// The responses that are cached, and the reads that are in flight.
pub(crate) struct Cache {
    store: Mutex<CacheStore>,
    shared_reads: SharedReads,
}

impl Cache {
    pub(crate) fn new(settings: CacheSettings) -> Cache {
        Cache { store: Mutex::new(CacheStore::new(settings.max_bytes)), shared_reads: SharedReads::default() }
    }

    fn store(&self) -> MutexGuard<'_, CacheStore> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The cached response of a key, fresh or not.
    pub(crate) fn find(&self, key: &CacheKey) -> Option<Arc<CachedResponse>> {
        self.store().find(key)
    }

    /// How often the site has been changed through here.
    pub(crate) fn generation(&self, scope: &CacheScope) -> u64 {
        self.store().generation(scope)
    }

    /// Caches a response, unless the site has been changed since that generation.
    pub(crate) fn insert(&self, key: CacheKey, scope: &CacheScope, generation: u64, cached: CachedResponse) {
        self.store().insert(key, scope, generation, cached);
    }

    /// Removes what is cached under a key.
    pub(crate) fn remove(&self, key: &CacheKey) {
        self.store().remove(key);
    }

    /// Reads by joining a read of the same key that is in flight since the same generation, or by this one.
    pub(crate) async fn share(
        &self,
        key: CacheKey,
        generation: u64,
        read: impl Future<Output = Result<UpstreamResponse, UpstreamError>>,
    ) -> Result<UpstreamResponse, UpstreamError> {
        self.shared_reads.join(key, generation).outcome(read).await
    }

    /// Begins a change of a scope. Invalidates what these operations have read of it, or everything when none are given: now, and
    /// again when the change is over, however it ends.
    pub(crate) fn change<'a>(
        &'a self,
        scope: CacheScope,
        operations: Option<&'a [String]>,
    ) -> PendingChange<'a> {
        self.store().invalidate(&scope, operations);
        PendingChange { cache: self, scope, operations }
    }
}

// Responses may hold personal data.
impl fmt::Debug for Cache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Cache")
    }
}

/// A change in progress.
pub(crate) struct PendingChange<'a> {
    cache: &'a Cache,
    scope: CacheScope,
    operations: Option<&'a [String]>,
}

impl Drop for PendingChange<'_> {
    fn drop(&mut self) {
        self.cache.store().invalidate(&self.scope, self.operations);
    }
}

#[cfg(test)]
mod tests;
