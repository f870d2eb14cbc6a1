//! The ids of the requests of one session that have no response yet.
//!
//! Ids in, ids out. The SDK finds the stream of a response by the id of its request and forgets the first of two that are alike, so
//! one that is in flight already goes by another name inside; on its response stands the client's own again.

use crate::mcp::inner_ids::{inner_id, own_id};
use rmcp::model::{JsonRpcMessage, RequestId, ServerJsonRpcMessage};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio_util::sync::CancellationToken;

/// The requests of one session that are in flight.
#[derive(Debug, Default)]
pub struct RequestIds {
    in_flight: Mutex<RequestsInFlight>,
}

#[derive(Debug, Default)]
struct RequestsInFlight {
    /// The client's id with the names by which requests of this id go inside.
    names: HashMap<RequestId, Vec<RequestId>>,
    renamed: u64,
    /// The calls that the SDK knows nothing of, by number: their ids, and what ends each.
    direct: HashMap<u64, (RequestId, CancellationToken)>,
    next_direct: u64,
    /// When a request was last answered or given up.
    ended: Option<Instant>,
}

impl RequestIds {
    /// A request with this id is in flight from now on; gives the name by which it goes inside.
    pub fn begin(&self, id: &RequestId) -> RequestId {
        let mut in_flight = self.lock();
        let RequestsInFlight { names, renamed, .. } = &mut *in_flight;
        let alike = names.entry(id.clone()).or_default();
        let name = if alike.contains(id) {
            *renamed += 1;
            inner_id(*renamed, id)
        } else {
            id.clone()
        };
        alike.push(name.clone());
        name
    }

    /// A call with this id that the SDK knows nothing of is in flight from now on.
    pub fn begin_direct(self: &Arc<Self>, id: &RequestId) -> DirectRequest {
        let given_up = CancellationToken::new();
        let mut in_flight = self.lock();
        let number = in_flight.next_direct;
        in_flight.next_direct += 1;
        in_flight.direct.insert(number, (id.clone(), given_up.clone()));
        DirectRequest { ids: Arc::clone(self), number, given_up }
    }

    /// The client gives up its requests with this id; gives the names by which the SDK knows them.
    pub fn give_up(&self, id: &RequestId) -> Vec<RequestId> {
        let mut in_flight = self.lock();
        in_flight.ended = Some(Instant::now());
        let direct = in_flight.direct.values().filter(|(direct, _)| direct == id);
        direct.for_each(|(_, given_up)| given_up.cancel());
        in_flight.names.remove(id).unwrap_or_else(|| vec![id.clone()])
    }

    /// True when nothing is in flight.
    pub fn is_idle(&self) -> bool {
        let in_flight = self.lock();
        in_flight.names.is_empty() && in_flight.direct.is_empty()
    }

    /// When a request was last answered or given up.
    pub fn last_end(&self) -> Option<Instant> {
        self.lock().ended
    }

    /// A message as its client may see it. A response ends its request.
    pub fn outward(&self, message: &mut Arc<ServerJsonRpcMessage>) {
        let name = match &**message {
            JsonRpcMessage::Response(response) => &response.id,
            JsonRpcMessage::Error(error) => match &error.id {
                Some(id) => id,
                None => return,
            },
            JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => return,
        };
        let own = own_id(name);
        self.end(own.as_ref().unwrap_or(name), name);
        let Some(own) = own else { return };
        match Arc::make_mut(message) {
            JsonRpcMessage::Response(response) => response.id = own,
            JsonRpcMessage::Error(error) => error.id = Some(own),
            JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => {}
        }
    }

    fn end(&self, id: &RequestId, name: &RequestId) {
        let RequestsInFlight { names, ended, .. } = &mut *self.lock();
        let Some(alike) = names.get_mut(id) else { return };
        *ended = Some(Instant::now());
        alike.retain(|each| each != name);
        if alike.is_empty() {
            names.remove(id);
        }
    }

    fn lock(&self) -> MutexGuard<'_, RequestsInFlight> {
        self.in_flight.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A call in flight that the SDK knows nothing of, until it is dropped.
#[derive(Debug)]
pub struct DirectRequest {
    ids: Arc<RequestIds>,
    number: u64,
    given_up: CancellationToken,
}

impl DirectRequest {
    /// Waits until its client gives it up.
    pub async fn given_up(&self) {
        self.given_up.cancelled().await;
    }
}

impl Drop for DirectRequest {
    fn drop(&mut self) {
        let mut in_flight = self.ids.lock();
        in_flight.ended = Some(Instant::now());
        in_flight.direct.remove(&self.number);
    }
}

#[cfg(test)]
mod tests;
