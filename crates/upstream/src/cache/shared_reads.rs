//! Reads that are under way. Those who ask for the same at the same time share one request and its outcome.
//!
//! A key and a future come in; the outcome of this future, or of another one for the same key, goes out. When the one who
//! sends goes away, another of those who wait sends again; nobody fails because somebody else hung up.

use super::CacheKey;
use crate::error::UpstreamError;
use crate::response::UpstreamResponse;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::OnceCell;

type SharedOutcome = Result<UpstreamResponse, UpstreamError>;
type SharedRead = Arc<OnceCell<SharedOutcome>>;
/// A change of the site begins a new generation: whoever asks after it does not join a read from before.
type SharedReadKey = (CacheKey, u64);

/// All reads that are under way.
#[derive(Default)]
pub(super) struct SharedReads(Mutex<HashMap<SharedReadKey, SharedRead>>);

impl SharedReads {
    /// A place in the read of this key.
    pub(super) fn join(&self, key: CacheKey, generation: u64) -> SharedReadWaiter<'_> {
        let key = (key, generation);
        let flight = Arc::clone(self.lock().entry(key).or_default());
        SharedReadWaiter { flights: self, key, flight: Some(flight) }
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
    flights: &'a SharedReads,
    key: SharedReadKey,
    /// There until the seat is left.
    flight: Option<SharedRead>,
}

impl SharedReadWaiter<'_> {
    /// Waits for the outcome; reads, when it falls to this one to do it.
    pub(super) async fn outcome(&self, read: impl Future<Output = SharedOutcome>) -> SharedOutcome {
        let Some(flight) = &self.flight else { return read.await };
        let read = || async {
            let outcome = read.await;
            self.close(flight);
            outcome
        };
        flight.get_or_init(read).await.clone()
    }

    /// Lets nobody join any more: what they would get is no longer new.
    fn close(&self, flight: &SharedRead) {
        let mut flights = self.flights.lock();
        if flights.get(&self.key).is_some_and(|known| Arc::ptr_eq(known, flight)) {
            flights.remove(&self.key);
        }
    }
}

impl Drop for SharedReadWaiter<'_> {
    fn drop(&mut self) {
        let mut flights = self.flights.lock();
        let Some(flight) = self.flight.take() else { return };
        let is_listed = flights.get(&self.key).is_some_and(|known| Arc::ptr_eq(known, &flight));
        drop(flight);
        // The last one to leave takes the flight off the list.
        if is_listed && flights.get(&self.key).is_some_and(|known| Arc::strong_count(known) == 1) {
            flights.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests;
