//! The sessions that are open, whose they are, and which of them makes room for another one.
//!
//! A client in; out, a place for its session and perhaps a session that has to go for it: the one that was idle for longest, never
//! one with a call under way. One client has half of all places, whatever the others do.

use super::ids::RequestIds;
use crate::http::rate::ClientKey;
use rmcp::transport::streamable_http_server::session::SessionId;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The open sessions.
#[derive(Debug)]
pub struct SessionTable {
    most: usize,
    open: Mutex<HashMap<SessionId, OpenSession>>,
}

#[derive(Debug)]
struct OpenSession {
    client: ClientKey,
    used: Instant,
    ids: Arc<RequestIds>,
}

/// There is no room for another session, for calls are under way in all that could go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "The server has as many open sessions as it allows, or this client has half of them, and calls are under way in all of these. End sessions by DELETE, or try again later."
)]
pub struct TooManySessions;

impl SessionTable {
    /// Room for this many.
    pub fn new(most: u64) -> SessionTable {
        SessionTable { most: usize::try_from(most).unwrap_or(usize::MAX), open: Mutex::default() }
    }

    /// A place for a session of this client; gives the session that has to go for it, which has lost its own.
    pub fn admit(
        &self,
        id: &SessionId,
        client: ClientKey,
        now: Instant,
    ) -> Result<Option<SessionId>, TooManySessions> {
        let mut open = self.lock();
        let its_own = open.values().filter(|each| each.client == client).count();
        let gone = if its_own >= self.most.div_ceil(2) {
            Some(longest_idle(&open, |each| each.client == client).ok_or(TooManySessions)?)
        } else if open.len() >= self.most {
            Some(longest_idle(&open, |_| true).ok_or(TooManySessions)?)
        } else {
            None
        };
        if let Some(gone) = &gone {
            open.remove(gone);
        }
        open.insert(id.clone(), OpenSession { client, used: now, ids: Arc::default() });
        Ok(gone)
    }

    /// The requests of a session, which is used now; nothing when it is not open.
    pub fn used(&self, id: &SessionId, now: Instant) -> Option<Arc<RequestIds>> {
        let mut open = self.lock();
        let session = open.get_mut(id)?;
        session.used = now;
        Some(Arc::clone(&session.ids))
    }

    /// The session has ended.
    pub fn close(&self, id: &SessionId) {
        self.lock().remove(id);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<SessionId, OpenSession>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn longest_idle(
    open: &HashMap<SessionId, OpenSession>,
    may_go: impl Fn(&OpenSession) -> bool,
) -> Option<SessionId> {
    let idle = open.iter().filter(|(_, each)| may_go(each) && each.ids.is_idle());
    // A call that took long was no idle time.
    idle.min_by_key(|(_, each)| each.ids.last_end().max(Some(each.used))).map(|(id, _)| id.clone())
}

#[cfg(test)]
mod tests {
    use super::{SessionTable, TooManySessions};
    use crate::http::rate::ClientKey;
    use rmcp::model::RequestId;
    use rmcp::transport::streamable_http_server::session::SessionId;
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    fn named(name: &str) -> ClientKey {
        ClientKey::Named(Arc::from(name))
    }

    fn id(name: &str) -> SessionId {
        SessionId::from(name)
    }

    #[test]
    fn the_longest_idle_goes_first() {
        let (table, start) = (SessionTable::new(4), Instant::now());
        let at = |seconds| start + Duration::from_secs(seconds);
        assert_eq!(table.admit(&id("a1"), named("ann"), at(0)), Ok(None));
        assert_eq!(table.admit(&id("a2"), named("ann"), at(1)), Ok(None));
        assert_eq!(table.admit(&id("b1"), named("bob"), at(2)), Ok(None));
        assert!(table.used(&id("a1"), at(3)).is_some());
        assert_eq!(
            table.admit(&id("a3"), named("ann"), at(4)),
            Ok(Some(id("a2"))),
            "ann has half: one of her own goes"
        );
        assert!(table.used(&id("a2"), at(5)).is_none());
        assert_eq!(table.admit(&id("b2"), named("bob"), at(6)), Ok(None));
        assert_eq!(
            table.admit(&id("c1"), named("eve"), at(7)),
            Ok(Some(id("b1"))),
            "all are taken: whose it is does not matter"
        );
        table.close(&id("a1"));
        assert_eq!(table.admit(&id("c2"), named("eve"), at(8)), Ok(None));
    }

    #[test]
    fn none_goes_with_a_call_under_way() {
        let (table, now) = (SessionTable::new(2), Instant::now());
        assert_eq!(table.admit(&id("a1"), named("ann"), now), Ok(None));
        let calls = table.used(&id("a1"), now).unwrap();
        calls.begin(&RequestId::Number(1));
        assert_eq!(table.admit(&id("a2"), named("ann"), now), Err(TooManySessions));
        assert!(table.used(&id("a2"), now).is_none());
        assert_eq!(table.admit(&id("b1"), named("bob"), now), Ok(None), "the other half is for others");
        calls.give_up(&RequestId::Number(1));
        assert_eq!(table.admit(&id("a2"), named("ann"), now), Ok(Some(id("a1"))));
        let (table, later) = (SessionTable::new(4), now + Duration::from_secs(3_600));
        for name in ["a1", "a2"] {
            table.admit(&id(name), named("ann"), now).unwrap();
        }
        let calls = table.used(&id("a1"), now).unwrap();
        calls.begin(&RequestId::Number(1));
        calls.give_up(&RequestId::Number(1));
        assert_eq!(
            table.admit(&id("a3"), named("ann"), later),
            Ok(Some(id("a2"))),
            "its call has just ended"
        );
    }
}
