//! Sessions over HTTP. A client that opened one has the session of its `Mcp-Session-Id`; one without, as the stateless
//! protocol has it, has the session of its token's owner, or else the single local one.
//!
//! An identifier works only for the token that opened it: what the client gets to see is bound to the token's owner.
//! When a session ends, everything that belongs to it is forgotten.

use super::rate_limiter::ClientKey;
use crate::mcp::session::{CallSender, SessionResolver};
use crate::metrics::Metrics;
use aqueduct_dispatch::Dispatcher;
use aqueduct_operations::call::{Caller, Scopes, SessionEnd, SessionId};
use aqueduct_operations::digest::Sha256;
use http::request::Parts;
use rmcp::model::Extensions;
use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use subtle::ConstantTimeEq;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// The header that carries a session's identifier.
pub const HEADER: &str = "mcp-session-id";

/// Makes names of sessions that tell nothing about what they were made of.
pub struct SessionNames {
    key: [u8; 32],
    /// The name of this machine, where sessions of callers outlive the process.
    machine: Option<String>,
}

impl SessionNames {
    /// Names of this process; those of callers are the same in others when this machine has a name.
    pub fn new(machine: Option<&str>) -> SessionNames {
        let mut key = [0; 32];
        key[..16].copy_from_slice(Uuid::new_v4().as_bytes());
        key[16..].copy_from_slice(Uuid::new_v4().as_bytes());
        SessionNames { key, machine: machine.map(str::to_owned) }
    }

    /// The session that the SDK knows by this identifier.
    pub fn of_session(&self, id: &str) -> SessionId {
        SessionId::new(format!("sess_{}", self.digest("session", &[id])))
    }

    /// The session of a caller that has opened none.
    pub fn of_caller(&self, caller: &Caller) -> SessionId {
        // No one gets a session by its name, so that one which can be worked out does no harm.
        let digest = match (caller.token(), &self.machine) {
            (Some(name), None) => self.digest("caller", &[name]),
            (None, None) => self.digest("local", &[]),
            (Some(name), Some(_)) => digest(&[], "caller", &[name]),
            (None, Some(machine)) => digest(&[], "local", &[machine]),
        };
        SessionId::new(format!("sess_{digest}"))
    }

    /// The identifier as this caller gets to see it.
    pub fn shown(&self, id: &str, caller: &Caller) -> String {
        match caller.token() {
            Some(name) => format!("{id}.{}", self.digest("owner", &[id, name])),
            None => id.to_owned(),
        }
    }

    /// The identifier behind one that was shown to this caller; none when it was shown to another.
    pub fn known(&self, shown: &str, caller: &Caller) -> Option<String> {
        let Some(name) = caller.token() else { return Some(shown.to_owned()) };
        let (id, seal) = shown.rsplit_once('.')?;
        let expected = self.digest("owner", &[id, name]);
        bool::from(expected.as_bytes().ct_eq(seal.as_bytes())).then(|| id.to_owned())
    }

    /// Half of a keyed hash: without the other half it cannot be continued by those who do not know the key.
    fn digest(&self, kind: &str, parts: &[&str]) -> String {
        digest(&self.key, kind, parts)
    }
}

fn digest(key: &[u8], kind: &str, parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    hash.update(key);
    for part in std::iter::once(&kind).chain(parts) {
        hash.update_part(part);
    }
    hash.finish().hex()[..32].to_owned()
}

// The key stays out of logs.
impl fmt::Debug for SessionNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionNames")
    }
}

/// What all handlers share.
#[derive(Debug)]
pub struct HandlerContext {
    /// Makes the names.
    pub names: SessionNames,
    /// Forgets what belongs to a session.
    pub dispatcher: Arc<Dispatcher>,
    /// Counts sessions.
    pub metrics: Arc<Metrics>,
    /// Which sessions are ended on purpose.
    pub session_ends: SessionEnds,
}

/// The sessions that are open, and which of them are ended on purpose: those that end without were dropped.
#[derive(Debug, Default)]
pub struct SessionEnds {
    open: Mutex<HashMap<SessionId, SessionEndGuard>>,
    closing: AtomicBool,
}

#[derive(Debug)]
struct SessionEndGuard {
    is_requested: bool,
    over: CancellationToken,
}

impl SessionEnds {
    /// This session is open; the token is for what runs in it.
    fn opened(&self, session: &SessionId, over: CancellationToken) {
        self.lock().insert(session.clone(), SessionEndGuard { is_requested: false, over });
    }

    /// What ends with this session; none when it is not open.
    pub fn over(&self, session: &SessionId) -> Option<CancellationToken> {
        self.lock().get(session).map(|end_guard| end_guard.over.clone())
    }

    /// The client asks for the end of this session, and of what still runs in it.
    pub fn request_end(&self, session: &SessionId) {
        if let Some(end_guard) = self.lock().get_mut(session) {
            end_guard.is_requested = true;
            end_guard.over.cancel();
        }
    }

    /// This server ends all sessions.
    pub fn end_all(&self) {
        self.closing.store(true, Ordering::Release);
    }

    fn end_of(&self, session: &SessionId) -> SessionEnd {
        let is_requested = self.lock().remove(session).is_some_and(|end_guard| end_guard.is_requested);
        if is_requested || self.closing.load(Ordering::Acquire) {
            SessionEnd::Graceful
        } else {
            SessionEnd::Abrupt
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<SessionId, SessionEndGuard>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One handler of the SDK: a session from its handshake to its end, or a single request without one.
#[derive(Debug)]
pub struct HttpHandler {
    context: Arc<HandlerContext>,
    has_opened: OnceLock<()>,
    /// The session that it has opened, and whose it is.
    session: OnceLock<(SessionId, Caller)>,
    over: CancellationToken,
}

impl HttpHandler {
    /// A handler that may or may not open a session.
    pub fn new(context: Arc<HandlerContext>) -> HttpHandler {
        let (has_opened, session) = (OnceLock::new(), OnceLock::new());
        HttpHandler { context, has_opened, session, over: CancellationToken::new() }
    }

    fn opened(&self, id: &str) -> SessionId {
        let session = self.context.names.of_session(id);
        self.context.session_ends.opened(&session, self.over.clone());
        session
    }
}

/// Who sent a request: the owner of its token, else the client at its address.
pub fn client(request: &Extensions) -> ClientKey {
    let Some(parts) = request.get::<Parts>() else { return ClientKey::Unknown };
    ClientKey::of(parts.extensions.get::<Caller>().and_then(Caller::token), &parts.extensions)
}

impl SessionResolver for HttpHandler {
    fn open(&self) {
        if self.has_opened.set(()).is_ok() {
            self.context.metrics.open_session();
        }
    }

    // The guard says of every request who sends it and what it may do; one that has not passed it is no one's.
    fn sender_of(&self, request: &Extensions) -> Option<CallSender> {
        let parts = request.get::<Parts>()?;
        let caller = parts.extensions.get::<Caller>()?.clone();
        let scopes = parts.extensions.get::<Scopes>()?.clone();
        let id = parts.headers.get(HEADER).and_then(|id| id.to_str().ok());
        let session = match id.filter(|_| self.has_opened.get().is_some()) {
            Some(id) => self.session.get_or_init(|| (self.opened(id), caller.clone())).0.clone(),
            None => self.context.names.of_caller(&caller),
        };
        Some(CallSender { session, caller, scopes })
    }

    fn over(&self) -> CancellationToken {
        self.over.clone()
    }
}

impl Drop for HttpHandler {
    fn drop(&mut self) {
        let end = self.session.get().map(|(session, caller)| {
            let end = self.context.session_ends.end_of(session);
            self.context.dispatcher.end_session(session, caller, end);
            end
        });
        if self.has_opened.get().is_some() {
            // One that never asked for anything was dropped, whatever became of it.
            self.context.metrics.close_session(end.unwrap_or(SessionEnd::Abrupt));
        }
    }
}

#[cfg(test)]
mod tests;
