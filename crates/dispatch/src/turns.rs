//! Holds each source to its declared concurrency (core specification, section 9.3.1).
//!
//! Built on fair semaphores, so that waiting calls run in order of arrival. No lock is held while waiting.

use aqueduct_operations::category::Category;
use aqueduct_operations::concurrency::Concurrency;
use aqueduct_operations::operation::{Operation, RegistryEntry};
use aqueduct_operations::target::Target;
use aqueduct_upstream::Upstream;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Readers that may overlap under `read-concurrent`; a writer takes all places.
const READERS: u32 = 1024;

/// When the table of locks has grown to this size, those that nobody waits for are dropped.
const SWEEP_AT: usize = 1024;

/// The turns of every source.
#[derive(Debug, Default)]
pub struct ConcurrencyLimiter {
    locks: Mutex<HashMap<String, Weak<Semaphore>>>,
}

/// The right to run; given back when dropped.
#[derive(Debug)]
pub struct ConcurrencySlot {
    places: Vec<OwnedSemaphorePermit>,
}

impl ConcurrencyLimiter {
    /// Waits until a call may run.
    pub async fn wait(&self, entry: &RegistryEntry, values: &Map<String, Value>) -> ConcurrencySlot {
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
        ConcurrencySlot { places: self.acquire(key, places, wanted).await.into_iter().collect() }
    }

    /// Waits until a call may read a resource and write it back with nobody between, whatever the source allows.
    pub async fn wait_to_update(
        &self,
        entry: &RegistryEntry,
        values: &Map<String, Value>,
    ) -> ConcurrencySlot {
        let mut turn = self.wait(entry, values).await;
        let key = format!("update {} {}", entry.source.name, resource_of(&entry.operation, values));
        turn.places.extend(self.acquire(key, 1, 1).await);
        turn
    }

    /// Acquiring fails only on a closed semaphore, and these are never closed.
    async fn acquire(&self, key: String, places: u32, wanted: u32) -> Option<OwnedSemaphorePermit> {
        self.semaphore(key, places).acquire_many_owned(wanted).await.ok()
    }

    fn semaphore(&self, key: String, places: u32) -> Arc<Semaphore> {
        let mut locks = self.locks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(semaphore) = locks.get(&key).and_then(Weak::upgrade) {
            return semaphore;
        }
        if locks.len() >= SWEEP_AT {
            locks.retain(|_, weak| weak.strong_count() > 0);
        }
        let semaphore = Arc::new(Semaphore::new(places as usize));
        locks.insert(key, Arc::downgrade(&semaphore));
        semaphore
    }
}

/// The path with its values filled in: the same resource, whatever the method and however its value is spelt.
fn resource_of(operation: &Operation, values: &Map<String, Value>) -> String {
    match &operation.target {
        Target::Http(target) => Upstream::path_of(target, values).unwrap_or_else(|| operation.name.clone()),
        Target::Handler(_) | Target::BuiltIn(_) => operation.name.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::ConcurrencyLimiter;
    use aqueduct_operations::category::Category;
    use aqueduct_operations::concurrency::Concurrency;
    use aqueduct_operations::operation::RegistryEntry;
    use aqueduct_operations::source::Source;
    use aqueduct_operations::target::Method;
    use aqueduct_testkit::operation::{operation, site, target};
    use serde_json::{Map, Value, json};
    use std::sync::Arc;

    fn entry(concurrency: Concurrency) -> RegistryEntry {
        let target = target(site("http://localhost"), Method::Post, "/x/{id}");
        RegistryEntry {
            public_name: "create_x".to_owned(),
            operation: operation("create_x", Category::Create, target),
            source: Arc::new(Source { name: "x".to_owned(), concurrency, ..Source::built_in() }),
        }
    }

    /// A reload that changes the category must not make calls of the new one wait for ever behind calls of the old one.
    #[tokio::test]
    async fn a_change_of_category_locks_nobody_out() {
        let turns = ConcurrencyLimiter::default();
        let mut held = Vec::new();
        for concurrency in Concurrency::ALL {
            held.push(turns.wait(&entry(concurrency), &Map::new()).await);
        }
        assert_eq!(held.len(), 4);
    }

    /// C9.3.1-3: two spellings of one path value are one resource.
    #[test]
    fn one_resource_however_it_is_spelt() {
        let entry = entry(Concurrency::ResourceLocked);
        let of = |id: Value| super::resource_of(&entry.operation, &Map::from_iter([("id".to_owned(), id)]));
        assert_eq!(of(json!("a b")), of(json!("a%20b")));
        assert_eq!(of(json!(5)), of(json!("5")));
        assert_ne!(of(json!("a")), of(json!("b")));
    }

    /// Locks that nobody holds are forgotten, so that a million resources do not fill the memory.
    #[tokio::test]
    async fn the_table_of_locks_is_bounded() {
        let turns = ConcurrencyLimiter::default();
        let entry = entry(Concurrency::ResourceLocked);
        for id in 0..5_000 {
            let values: Map<String, Value> = Map::from_iter([("id".to_owned(), json!(id))]);
            drop(turns.wait(&entry, &values).await);
        }
        assert!(turns.locks.lock().unwrap().len() <= super::SWEEP_AT);
    }
}
