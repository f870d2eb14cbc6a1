//! Holds each source to its declared concurrency (core specification, section 9.3.1).
//!
//! Waiting calls of one caller run in order of arrival, and callers take turns, so that one with many calls holds up no one else for
//! longer than one call of each. No lock is held while waiting.

use aqueduct_limiter::{FairLock, FairPlace};
use aqueduct_operations::call::CallOrigin;
use aqueduct_operations::category::Category;
use aqueduct_operations::concurrency::Concurrency;
use aqueduct_operations::operation::{Operation, RegistryEntry};
use aqueduct_operations::target::Target;
use aqueduct_upstream::Upstream;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Readers that may overlap under `read-concurrent`; a writer takes all places.
const READERS: u32 = 1024;

/// When the table of locks has grown to this size, those that no caller waits for are dropped.
const SWEEP_AT: usize = 1024;

/// The limiter of every source.
#[derive(Debug, Default)]
pub struct ConcurrencyLimiter {
    locks: Mutex<HashMap<String, Weak<FairLock>>>,
}

/// The right to run; given back when dropped.
#[derive(Debug)]
pub struct ConcurrencySlot {
    places: Vec<FairPlace>,
}

impl ConcurrencyLimiter {
    /// Waits until a call may run.
    pub async fn wait(
        &self,
        entry: &RegistryEntry,
        values: &Map<String, Value>,
        origin: &CallOrigin,
    ) -> ConcurrencySlot {
        let concurrency = entry.source.concurrency;
        // A reload may change the category while calls of the old one are still running, so it is part of the key: the
        // locks of two categories have different numbers of places.
        let source = format!("{} {}", concurrency.name(), entry.source.name);
        let (key, places, wanted) = match concurrency {
            Concurrency::FullyConcurrent => return ConcurrencySlot { places: Vec::new() },
            Concurrency::Serialized => (source, 1, 1),
            Concurrency::ReadConcurrent if entry.operation.category == Category::Read => (source, READERS, 1),
            Concurrency::ReadConcurrent => (source, READERS, READERS),
            Concurrency::ResourceLocked => {
                (format!("{source} {}", resource_of(&entry.operation, values)), 1, 1)
            }
        };
        let place = self.lock(key, places).acquire(line_of(origin), wanted).await;
        ConcurrencySlot { places: place.into_iter().collect() }
    }

    /// Waits until a call may read a resource and write it back with no one between, whatever the source allows.
    pub async fn wait_to_update(
        &self,
        entry: &RegistryEntry,
        values: &Map<String, Value>,
        origin: &CallOrigin,
    ) -> ConcurrencySlot {
        let mut slot = self.wait(entry, values, origin).await;
        let key = format!("update {} {}", entry.source.name, resource_of(&entry.operation, values));
        slot.places.extend(self.lock(key, 1).acquire(line_of(origin), 1).await);
        slot
    }

    /// How many calls wait.
    #[cfg(test)]
    pub fn waiting(&self) -> usize {
        let locks = self.locks.lock().unwrap_or_else(PoisonError::into_inner);
        locks.values().filter_map(Weak::upgrade).map(|lock| lock.waiting()).sum()
    }

    fn lock(&self, key: String, places: u32) -> Arc<FairLock> {
        let mut locks = self.locks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(lock) = locks.get(&key).and_then(Weak::upgrade) {
            return lock;
        }
        if locks.len() >= SWEEP_AT {
            locks.retain(|_, weak| weak.strong_count() > 0);
        }
        let lock = Arc::new(FairLock::new(places));
        locks.insert(key, Arc::downgrade(&lock));
        lock
    }
}

/// Whose turn it is: that of a caller with a token, by its name, or that of a session.
pub fn line_of(origin: &CallOrigin) -> &str {
    origin.caller.token().map_or(origin.session.as_str(), |name| &**name)
}

/// The path with its values filled in: the same resource, whatever the method and however its value is spelt.
fn resource_of(operation: &Operation, values: &Map<String, Value>) -> String {
    match &operation.target {
        Target::Http(target) => Upstream::path_of(target, values).unwrap_or_else(|| operation.name.clone()),
        Target::Handler(_) | Target::BuiltIn(_) => operation.name.clone(),
    }
}

#[cfg(test)]
mod tests;
