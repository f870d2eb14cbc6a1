//! Answers of GET, kept as HTTP says (RFC 9111), and reads that are under way, shared by those who ask for the same.
//!
//! What handlers give on a READ is in the same store, for the time that is declared for it (`handler_results`).
//! A key that names everything that could make an answer differ, caller and credentials included, comes in; a kept answer, or
//! the outcome of a read, goes out. Invariants: nothing crosses callers or credentials; no answer is given out that was
//! read before the last change of the same source that went through here; nothing of the content is printed.

mod freshness;
mod handler_results;
mod key;
mod scope;
mod shared_reads;
mod store;

pub(crate) use freshness::{Freshness, FreshnessVerdict};
pub use handler_results::HandlerResult;
pub(crate) use key::{CacheKey, CacheKeyInput};
pub(crate) use scope::CacheScope;
pub(crate) use store::CachedResponse;

use crate::error::UpstreamError;
use crate::response::UpstreamResponse;
use aqueduct_operations::response::CacheRule;
use shared_reads::SharedReads;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use store::CacheStore;

const MIB: usize = 1024 * 1024;

/// Whether answers are kept at all, and how much of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CacheSettings {
    /// Answers are kept, and reads shared.
    pub enabled: bool,
    /// Bytes of all answers together; the least recently used ones go first.
    pub max_bytes: usize,
}

impl Default for CacheSettings {
    fn default() -> CacheSettings {
        CacheSettings { enabled: true, max_bytes: 64 * MIB }
    }
}

/// For whom something is read, and whether an answer that was given before will do.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    /// Who asks; answers are never given to anyone else.
    pub caller: Option<Arc<str>>,
    /// The source that is called: a change through here ends what is kept of all of it.
    pub source: Option<Arc<str>>,
    /// What is declared about keeping answers.
    pub rule: CacheRule,
    /// The upstream is asked by a request of our own, whatever is kept or under way.
    pub fresh: bool,
}

impl ReadOptions {
    /// A reading that takes nothing from the cache and puts nothing there.
    pub fn fresh() -> ReadOptions {
        ReadOptions { fresh: true, ..ReadOptions::default() }
    }
}

/// The answers that are kept, and the reads that are under way.
pub(crate) struct Cache {
    shelf: Mutex<CacheStore>,
    flights: SharedReads,
}

impl Cache {
    pub(crate) fn new(settings: CacheSettings) -> Cache {
        Cache { shelf: Mutex::new(CacheStore::new(settings.max_bytes)), flights: SharedReads::default() }
    }

    fn shelf(&self) -> MutexGuard<'_, CacheStore> {
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is kept under a key, fresh or not.
    pub(crate) fn find(&self, key: &CacheKey) -> Option<Arc<CachedResponse>> {
        self.shelf().find(key)
    }

    /// How often the site has been changed through here.
    pub(crate) fn generation(&self, place: &CacheScope) -> u64 {
        self.shelf().generation(place)
    }

    /// Keeps an answer, unless the site has been changed since that generation.
    pub(crate) fn keep(&self, key: CacheKey, place: &CacheScope, generation: u64, kept: CachedResponse) {
        self.shelf().keep(key, place, generation, kept);
    }

    /// Keeps nothing under a key any more.
    pub(crate) fn forget(&self, key: &CacheKey) {
        self.shelf().forget(key);
    }

    /// Reads by joining a read of the same key that is under way since the same generation, or by this one.
    pub(crate) async fn share(
        &self,
        key: CacheKey,
        generation: u64,
        read: impl Future<Output = Result<UpstreamResponse, UpstreamError>>,
    ) -> Result<UpstreamResponse, UpstreamError> {
        self.flights.join(key, generation).outcome(read).await
    }

    /// Announces a change of a place, of which these operations tell, or all when nothing is said. What is kept of it goes
    /// now, and again when the change is over, however it ends.
    pub(crate) fn change<'a>(
        &'a self,
        place: CacheScope,
        told_by: Option<&'a [String]>,
    ) -> PendingChange<'a> {
        self.shelf().invalidate(&place, told_by);
        PendingChange { cache: self, place, told_by }
    }
}

// Answers may hold personal data.
impl fmt::Debug for Cache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Cache")
    }
}

/// A change that is under way.
pub(crate) struct PendingChange<'a> {
    cache: &'a Cache,
    place: CacheScope,
    told_by: Option<&'a [String]>,
}

impl Drop for PendingChange<'_> {
    fn drop(&mut self) {
        self.cache.shelf().invalidate(&self.place, self.told_by);
    }
}

#[cfg(test)]
mod tests;
