//! Requests that have come in and not been answered.
//!
//! Ids in as requests come, are answered or cancelled; out, whether a request may begin, and when none is left.

use crate::mcp::unreadable::RequestRefusal;
use rmcp::model::RequestId;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;
use tokio::task::AbortHandle;
use tokio::time::Instant;

/// Requests that may wait for their responses. Each takes some tens of kilobytes.
pub(super) const MOST_IN_FLIGHT: usize = 4096;

/// The requests, and how those are cancelled that run without the SDK.
#[derive(Debug, Default)]
pub(super) struct PendingRequests {
    ids: Mutex<HashMap<RequestId, Option<AbortHandle>>>,
    emptied: Notify,
}

impl PendingRequests {
    fn ids(&self) -> MutexGuard<'_, HashMap<RequestId, Option<AbortHandle>>> {
        self.ids.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a request, unless one with its id is still to be answered, which the SDK would mix up with it, or too many are.
    pub(super) fn start(&self, id: RequestId) -> Result<(), RequestRefusal> {
        let mut ids = self.ids();
        if ids.contains_key(&id) {
            return Err(RequestRefusal::RepeatedId);
        }
        if ids.len() >= MOST_IN_FLIGHT {
            return Err(RequestRefusal::TooMany { most: MOST_IN_FLIGHT });
        }
        ids.insert(id, None);
        Ok(())
    }

    /// Notes how a request is cancelled that runs without the SDK, unless it is over by now.
    pub(super) fn runs_here(&self, id: &RequestId, running: AbortHandle) {
        if let Some(pending) = self.ids().get_mut(id) {
            *pending = Some(running);
        }
    }

    /// The request is not answered any more.
    pub(super) fn cancel(&self, id: &RequestId) {
        if let Some(Some(running)) = self.ids().get(id) {
            running.abort();
        }
        self.done(id);
    }

    /// Ends all that runs without the SDK.
    pub(super) fn cancel_all(&self) {
        self.ids().values().flatten().for_each(AbortHandle::abort);
    }

    /// The request has its response.
    pub(super) fn done(&self, id: &RequestId) {
        let mut ids = self.ids();
        ids.remove(id);
        if ids.is_empty() {
            self.emptied.notify_waiters();
        }
    }

    /// Waits until all have their responses, but no longer than this.
    pub(super) async fn wait_until_empty(&self, deadline: Instant) {
        loop {
            let emptied = self.emptied.notified();
            if self.ids().is_empty() {
                return;
            }
            if tokio::time::timeout_at(deadline, emptied).await.is_err() {
                tracing::warn!(target: "aqueduct::stdio", "calls in flight were cut off");
                return;
            }
        }
    }
}
