//! The sessions that are open, whose they are, and which of them makes room for another one.
//!
//! A client in; out, a place for its session and perhaps a session that has to go for it: the one that was idle for longest, never
//! one with a call in flight. One client has half of all places, whatever the others do.

use super::ids::RequestIds;
use crate::http::rate_limiter::ClientKey;
use rmcp::transport::streamable_http_server::session::SessionId;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

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
    /// When a request last went through the SDK, which ends sessions that it hears nothing of.
    heard_by_sdk: Instant,
    ids: Arc<RequestIds>,
    /// It speaks the protocol that has batches.
    takes_batches: bool,
}

/// There is no room for another session, for calls are in flight in all that could go.
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

    /// A place for a session of this client; gives the session that has to go for it, which has lost its own, and whose it was.
    pub fn admit(
        &self,
        id: &SessionId,
        client: ClientKey,
        now: Instant,
    ) -> Result<Option<(SessionId, ClientKey)>, TooManySessions> {
        let mut open = self.lock();
        let its_own = open.values().filter(|each| each.client == client).count();
        let evicted = if its_own >= self.most.div_ceil(2) {
            Some(longest_idle(&open, |each| each.client == client).ok_or(TooManySessions)?)
        } else if open.len() >= self.most {
            Some(longest_idle(&open, |_| true).ok_or(TooManySessions)?)
        } else {
            None
        };
        let evicted =
            evicted.and_then(|evicted| open.remove(&evicted).map(|session| (evicted, session.client)));
        let session =
            OpenSession { client, used: now, heard_by_sdk: now, ids: Arc::default(), takes_batches: false };
        open.insert(id.clone(), session);
        Ok(evicted)
    }

    /// The requests of a session, which is used now; nothing when it is not open.
    pub fn used(&self, id: &SessionId, now: Instant) -> Option<Arc<RequestIds>> {
        let mut open = self.lock();
        let session = open.get_mut(id)?;
        (session.used, session.heard_by_sdk) = (now, now);
        Some(Arc::clone(&session.ids))
    }

    /// The requests of a session, which is used now without the SDK; nothing when it is not open, or when the SDK has heard nothing
    /// of it for so long that it has to.
    pub fn used_directly(&self, id: &str, now: Instant, unheard: Duration) -> Option<Arc<RequestIds>> {
        let mut open = self.lock();
        let session = open.get_mut(id)?;
        if now.saturating_duration_since(session.heard_by_sdk) > unheard {
            return None;
        }
        session.used = now;
        Some(Arc::clone(&session.ids))
    }

    /// The sessions of callers by name that this is true of, with the name.
    pub fn of_callers(&self, is_meant: impl Fn(&str) -> bool) -> Vec<(SessionId, Arc<str>)> {
        let open = self.lock();
        let candidates = open.iter().filter_map(|(id, each)| match &each.client {
            ClientKey::Named(name) if is_meant(name) => Some((id.clone(), Arc::clone(name))),
            _ => None,
        });
        candidates.collect()
    }

    /// The session speaks the protocol that has batches.
    pub fn allow_batches(&self, id: &SessionId) {
        if let Some(session) = self.lock().get_mut(id) {
            session.takes_batches = true;
        }
    }

    /// True for a session that is open, and speaks that protocol.
    pub fn takes_batches(&self, id: &str) -> bool {
        self.lock().get(id).is_some_and(|session| session.takes_batches)
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
mod tests;
