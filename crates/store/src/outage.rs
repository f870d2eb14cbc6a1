//! Whether the store can be used: logged when that changes, and in the audit when it is over.
//!
//! Results of tasks in; the line that tells of an outage which has ended out.

use crate::audit::entry::{AuditEntry, event};
use crate::error::StoreError;
use jiff::Timestamp;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The outage that lasts, if one does.
#[derive(Debug, Default)]
pub(crate) struct OutageLog(Mutex<Option<OutageState>>);

#[derive(Debug)]
struct OutageState {
    since: Timestamp,
    failures: u64,
    first: String,
}

impl OutageLog {
    /// Takes what became of a task.
    pub(crate) fn note(&self, failure: Option<&StoreError>, now: Timestamp) -> Option<AuditEntry> {
        match failure {
            // A file or a setting is refused, and the store is there.
            Some(StoreError::Settings(_)) => None,
            Some(error) => {
                self.failed(error, now);
                None
            }
            None => self.ended(now),
        }
    }

    /// Whether the last thing that was asked of the store failed.
    pub(crate) fn is_lost(&self) -> bool {
        self.lock().is_some()
    }

    fn failed(&self, error: &StoreError, now: Timestamp) {
        let mut lost = self.lock();
        match &mut *lost {
            Some(lost) => {
                lost.failures += 1;
                tracing::debug!(target: "aqueduct::store", %error, cause = error.cause(), "the store fails");
            }
            None => {
                *lost = Some(OutageState { since: now, failures: 1, first: error.to_string() });
                tracing::warn!(target: "aqueduct::store", %error, cause = error.cause(), "the store fails");
            }
        }
    }

    fn ended(&self, now: Timestamp) -> Option<AuditEntry> {
        let OutageState { since, failures, first } = self.lock().take()?;
        tracing::info!(target: "aqueduct::store", "the store is back");
        let line = AuditEntry::new(event::STORE_LOST, "back");
        Some(line.because(format!("{first}: from {since} to {now}, {failures} requests failed")))
    }

    fn lock(&self) -> MutexGuard<'_, Option<OutageState>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
