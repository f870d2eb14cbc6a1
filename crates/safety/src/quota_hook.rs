//! Tells whoever listens that a quota has come to its pause.
//!
//! A paused quota in; nothing out but that telling failed, which is in the audit. No caller waits for it.

use crate::hooks::{HookFailure, WaitingListener};
use aqueduct_operations::rate_limits::metering::{PauseListener, PausedQuota};
use aqueduct_store::Store;
use aqueduct_store::audit::AuditEntry;
use aqueduct_store::audit::entry::event;
use std::sync::Arc;

/// A listener, and the store that has the audit.
#[derive(Debug)]
pub struct QuotaHook {
    /// Who is told.
    pub listener: Arc<dyn WaitingListener>,
    /// Where it is written that they were not.
    pub store: Store,
}

impl PauseListener for QuotaHook {
    fn on_pause(&self, pause: &PausedQuota) {
        let (told, store) = (self.listener.notify_of_quota(pause.clone()), self.store.clone());
        let line = AuditEntry {
            source: Some(pause.source.clone()),
            ..AuditEntry::new(event::HOOK_FAILED, "failure")
        };
        tokio::spawn(async move {
            if let Err(HookFailure(why)) = told.await {
                store.note_audit(line.because(why));
            }
        });
    }
}
