//! Reads that are in flight. Those who ask for the same at the same time share one request and its outcome.
//!
//! A key and a future come in; the outcome of this future, or of another one for the same key, goes out. When the one who
//! sends goes away, another of those who wait sends again; no caller fails because another one hung up.

use super::CacheKey;
use crate::error::UpstreamError;
use crate::response::UpstreamResponse;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::OnceCell;

type SharedOutcome = Result<UpstreamResponse, UpstreamError>;
type SharedRead = Arc<OnceCell<SharedOutcome>>;
/// A change of the site begins a new generation: the caller after it does not join a read from before.
type SharedReadKey = (CacheKey, u64);

/// All reads that are in flight.
#[derive(Default)]
pub(super) struct SharedReads(Mutex<HashMap<SharedReadKey, SharedRead>>);

impl SharedReads {
    /// Joins the read of this key.
    pub(super) fn join(&self, key: CacheKey, generation: u64) -> SharedReadWaiter<'_> {
        let key = (key, generation);
        let in_flight = Arc::clone(self.lock().entry(key).or_default());
        SharedReadWaiter { shared_reads: self, key, in_flight: Some(in_flight) }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<SharedReadKey, SharedRead>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[cfg(test)]
    pub(super) fn count(&self) -> usize {
        self.lock().len()
    }
}

/// One of those who wait for a read.
pub(super) struct SharedReadWaiter<'a> {
    shared_reads: &'a SharedReads,
    key: SharedReadKey,
    /// Some until this is dropped.
    in_flight: Option<SharedRead>,
}

impl SharedReadWaiter<'_> {
    /// Waits for the outcome; reads, when it falls to this one to do it.
    pub(super) async fn outcome(&self, read: impl Future<Output = SharedOutcome>) -> SharedOutcome {
        let Some(in_flight) = &self.in_flight else { return read.await };
        let read = || async {
            let outcome = read.await;
            self.close(in_flight);
            outcome
        };
        in_flight.get_or_init(read).await.clone()
    }

    /// No caller joins any more: the outcome is no longer new.
    fn close(&self, in_flight: &SharedRead) {
        let mut shared_reads = self.shared_reads.lock();
        if shared_reads.get(&self.key).is_some_and(|known| Arc::ptr_eq(known, in_flight)) {
            shared_reads.remove(&self.key);
        }
    }
}

impl Drop for SharedReadWaiter<'_> {
    fn drop(&mut self) {
        let mut shared_reads = self.shared_reads.lock();
        let Some(in_flight) = self.in_flight.take() else { return };
        let is_listed = shared_reads.get(&self.key).is_some_and(|known| Arc::ptr_eq(known, &in_flight));
        drop(in_flight);
        // The last waiter removes the read.
        if is_listed && shared_reads.get(&self.key).is_some_and(|known| Arc::strong_count(known) == 1) {
            shared_reads.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests;
