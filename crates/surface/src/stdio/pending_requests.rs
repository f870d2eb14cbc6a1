//! Requests that have come in and not been answered.
//!
//! Ids in as requests come, are answered or cancelled; out, the name by which each goes inside, whether its response may go out, and
//! when none is left. A name is of one request alone: the response of one that was cancelled is not taken for that of a later one
//! with the same id.

use crate::mcp::inner_ids::{inner_id, own_id};
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
    requests: Mutex<Requests>,
    emptied: Notify,
}

#[derive(Debug, Default)]
struct Requests {
    by_id: HashMap<RequestId, PendingRequest>,
    /// Those that still run.
    running: usize,
    /// Requests before the first one that was cancelled go by their own ids; the others get numbers.
    renamed: Option<u64>,
}

#[derive(Debug)]
struct PendingRequest {
    name: RequestId,
    /// How it is cancelled, where it runs without the SDK.
    task: Option<AbortHandle>,
    /// Its response is there, and waits for a place in the queue.
    waits_for_place: bool,
}

impl PendingRequests {
    fn requests(&self) -> MutexGuard<'_, Requests> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a request, and gives the name by which it goes inside; unless one with its id is still to be answered, which the client
    /// would mix up with it, or too many are.
    pub(super) fn start(&self, id: &RequestId) -> Result<RequestId, RequestRefusal> {
        self.begin(id, true)
    }

    /// The same for a request whose id stands in messages besides its response, so that it keeps it.
    pub(super) fn start_by_own_id(&self, id: &RequestId) -> Result<RequestId, RequestRefusal> {
        self.begin(id, false)
    }

    fn begin(&self, id: &RequestId, may_be_renamed: bool) -> Result<RequestId, RequestRefusal> {
        let mut requests = self.requests();
        if requests.by_id.contains_key(id) {
            return Err(RequestRefusal::RepeatedId);
        }
        if requests.by_id.len() >= MOST_IN_FLIGHT {
            return Err(RequestRefusal::TooMany { most: MOST_IN_FLIGHT });
        }
        let name = match requests.renamed.as_mut().filter(|_| may_be_renamed) {
            Some(renamed) => {
                *renamed += 1;
                inner_id(*renamed, id)
            }
            None => id.clone(),
        };
        let pending = PendingRequest { name: name.clone(), task: None, waits_for_place: false };
        requests.by_id.insert(id.clone(), pending);
        requests.running += 1;
        Ok(name)
    }

    /// How many still run.
    pub(super) fn running(&self) -> usize {
        self.requests().running
    }

    /// Notes how a request is cancelled that runs without the SDK, unless it is over by now.
    pub(super) fn runs_here(&self, name: &RequestId, task: AbortHandle) {
        if let Some(pending) = self.requests().get_mut(name).filter(|pending| !pending.waits_for_place) {
            pending.task = Some(task);
        }
    }

    /// The request is not answered any more. Gives the name by which it went, if it was still to be.
    pub(super) fn cancel(&self, id: &RequestId) -> Option<RequestId> {
        let mut requests = self.requests();
        let pending = requests.by_id.remove(id)?;
        requests.renamed.get_or_insert(0);
        if let Some(task) = &pending.task {
            task.abort();
        }
        self.ended(&mut requests, &pending);
        Some(pending.name)
    }

    /// Ends all that runs without the SDK.
    pub(super) fn cancel_all(&self) {
        self.requests()
            .by_id
            .values()
            .filter_map(|pending| pending.task.as_ref())
            .for_each(AbortHandle::abort);
    }

    /// The request has its response, which waits for a place in the queue.
    pub(super) fn wait_for_place(&self, name: &RequestId) {
        let mut requests = self.requests();
        let Some(pending) = requests.get_mut(name) else { return };
        // What has run to its end is not ended any more.
        pending.task = None;
        if !std::mem::replace(&mut pending.waits_for_place, true) {
            self.count_down(&mut requests);
        }
    }

    /// The request is answered by what `send` does; nothing is done where it was cancelled, whatever has its id now.
    pub(super) fn answer<T>(&self, name: &RequestId, send: impl FnOnce() -> T) -> Option<T> {
        let own = own_id(name);
        let id = own.as_ref().unwrap_or(name);
        let mut requests = self.requests();
        requests.by_id.get(id).filter(|pending| pending.name == *name)?;
        let pending = requests.by_id.remove(id)?;
        let sent = send();
        self.ended(&mut requests, &pending);
        Some(sent)
    }

    fn ended(&self, requests: &mut Requests, pending: &PendingRequest) {
        if !pending.waits_for_place {
            self.count_down(requests);
        }
    }

    fn count_down(&self, requests: &mut Requests) {
        requests.running -= 1;
        if requests.running == 0 {
            self.emptied.notify_waiters();
        }
    }

    /// Waits until all have their responses, but no longer than this.
    pub(super) async fn wait_until_empty(&self, deadline: Instant) {
        loop {
            let emptied = self.emptied.notified();
            if self.requests().running == 0 {
                return;
            }
            if tokio::time::timeout_at(deadline, emptied).await.is_err() {
                tracing::warn!(target: "aqueduct::stdio", "calls in flight were cut off");
                return;
            }
        }
    }
}

impl Requests {
    /// The request of this name.
    fn get_mut(&mut self, name: &RequestId) -> Option<&mut PendingRequest> {
        let own = own_id(name);
        self.by_id.get_mut(own.as_ref().unwrap_or(name)).filter(|pending| pending.name == *name)
    }
}

#[cfg(test)]
mod tests;
