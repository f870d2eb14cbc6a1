//! The ids of the requests of one session that have no answer yet.
//!
//! Ids in, ids out. The SDK finds the stream of an answer by the id of its request and forgets the first of two that are alike, so
//! one that is under way already goes by another name inside; on its answer stands the client's own again.

use rmcp::model::{JsonRpcMessage, RequestId, ServerJsonRpcMessage};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use uuid::Uuid;

/// How names that are given here begin. It never leaves the process, so no client can send one.
static MARK: LazyLock<String> = LazyLock::new(|| format!("{}:", Uuid::new_v4().simple()));

/// The requests of one session that are under way.
#[derive(Debug, Default)]
pub struct RequestIds {
    under_way: Mutex<RequestsInFlight>,
}

#[derive(Debug, Default)]
struct RequestsInFlight {
    /// The client's id with the names by which requests of this id go inside.
    names: HashMap<RequestId, Vec<RequestId>>,
    renamed: u64,
    /// When a request was last answered or given up.
    ended: Option<Instant>,
}

impl RequestIds {
    /// A request with this id is under way from now on; gives the name by which it goes inside.
    pub fn begin(&self, id: &RequestId) -> RequestId {
        let mut under_way = self.lock();
        let RequestsInFlight { names, renamed, .. } = &mut *under_way;
        let alike = names.entry(id.clone()).or_default();
        let name = if alike.contains(id) {
            *renamed += 1;
            let own = id.clone().into_json_value();
            RequestId::String(format!("{}{renamed}:{own}", *MARK).into())
        } else {
            id.clone()
        };
        alike.push(name.clone());
        name
    }

    /// The client gives up its requests with this id; gives the names by which they go inside.
    pub fn give_up(&self, id: &RequestId) -> Vec<RequestId> {
        let mut under_way = self.lock();
        under_way.ended = Some(Instant::now());
        under_way.names.remove(id).unwrap_or_else(|| vec![id.clone()])
    }

    /// True when nothing is under way.
    pub fn is_idle(&self) -> bool {
        self.lock().names.is_empty()
    }

    /// When a request was last answered or given up.
    pub fn last_end(&self) -> Option<Instant> {
        self.lock().ended
    }

    /// A message as its client may see it. An answer ends its request.
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
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The client's own id, when this is a name that was given here.
fn own_id(name: &RequestId) -> Option<RequestId> {
    let RequestId::String(text) = name else { return None };
    let (_, own) = text.strip_prefix(MARK.as_str())?.split_once(':')?;
    serde_json::from_str(own).ok()
}

#[cfg(test)]
mod tests {
    use super::RequestIds;
    use rmcp::model::{
        EmptyResult, ErrorData, JsonRpcMessage, RequestId, ServerJsonRpcMessage, ServerResult,
    };
    use std::collections::HashSet;
    use std::sync::Arc;

    fn answer(id: &RequestId) -> Arc<ServerJsonRpcMessage> {
        Arc::new(ServerJsonRpcMessage::response(ServerResult::EmptyResult(EmptyResult {}), id.clone()))
    }

    fn id_of(message: &ServerJsonRpcMessage) -> Option<RequestId> {
        match message {
            JsonRpcMessage::Response(response) => Some(response.id.clone()),
            JsonRpcMessage::Error(error) => error.id.clone(),
            _ => None,
        }
    }

    /// Requests of one id go by names of their own inside, and every answer has the client's id.
    #[test]
    fn requests_alike_are_told_apart() {
        for id in [RequestId::Number(7), RequestId::String("a \"b\": c".into()), RequestId::String("".into())]
        {
            let ids = RequestIds::default();
            let names: Vec<_> = (0..5).map(|_| ids.begin(&id)).collect();
            assert_eq!(names[0], id, "one alone keeps its id");
            assert_eq!(names.iter().collect::<HashSet<_>>().len(), 5);
            let mut last = Arc::new(ServerJsonRpcMessage::error(
                ErrorData::internal_error("x", None),
                Some(names[4].clone()),
            ));
            ids.outward(&mut last);
            assert_eq!(id_of(&last).as_ref(), Some(&id));
            for name in &names[..4] {
                assert!(!ids.is_idle());
                let mut message = answer(name);
                ids.outward(&mut message);
                assert_eq!(id_of(&message).as_ref(), Some(&id));
            }
            assert!(ids.is_idle());
            let mut replayed = answer(&names[2]);
            ids.outward(&mut replayed);
            assert_eq!(id_of(&replayed), Some(id), "whoever comes back for it later gets the same");
        }
    }

    /// Once the first is answered its id is free again, and is not confused with those that are still under way.
    #[test]
    fn ids_come_free() {
        let (ids, id) = (RequestIds::default(), RequestId::Number(1));
        let (first, second) = (ids.begin(&id), ids.begin(&id));
        ids.outward(&mut answer(&first));
        let third = ids.begin(&id);
        assert_eq!(third, id);
        assert_eq!(ids.give_up(&id), [second, third]);
        assert!(ids.is_idle());
        assert_eq!(ids.give_up(&RequestId::Number(9)), [RequestId::Number(9)]);
    }
}
