//! What every task of a store needs besides its transaction: the clock, the key of the audit, the limits.

use crate::audit::key::AuditKey;
use crate::error::StoreError;
use crate::migrations::Migrated;
use crate::settings::StoreLimits;
use crate::tally::StoreCounter;
use aqueduct_operations::clock::Clock;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use tokio::sync::watch;

/// What a store was opened with.
#[derive(Debug)]
pub(crate) struct Context {
    pub clock: Arc<dyn Clock>,
    pub limits: StoreLimits,
    /// Known from the start, or from the first time that the state directory is read.
    pub key: OnceLock<AuditKey>,
    /// What was done to the tables when the store was first reached.
    pub migrated: OnceLock<Migrated>,
    /// Counts changes that somebody may wait for.
    pub changes: watch::Sender<u64>,
    /// What is counted for metrics.
    pub counter: StoreCounter,
    /// A seal was put on that this machine has not remembered yet.
    pub has_new_seal: AtomicBool,
}

impl Context {
    pub(crate) fn key(&self) -> Result<&AuditKey, StoreError> {
        self.key.get().ok_or(StoreError::KeyMissing)
    }

    /// Wakes those of this process who wait for a change.
    pub(crate) fn notify_change(&self) {
        self.changes.send_modify(|count| *count += 1);
    }
}
