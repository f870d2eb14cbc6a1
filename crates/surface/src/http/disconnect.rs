//! Ends calls whose client has closed the connection: no caller waits for their responses.
//!
//! A message in, a watch for the body of its response out. When that is dropped before its end, the call is cancelled as the
//! client could have done itself, unless the client comes back for the rest of its stream within a moment.

use super::guarded_body::BodyGuard;
use super::session_manager::HttpSessions;
use rmcp::transport::streamable_http_server::session::SessionManager;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long a client has to come back for the rest of a stream.
pub const RETURN_TIME: Duration = Duration::from_secs(2);

/// Who watches for clients that hang up.
pub struct DisconnectWatch {
    sessions: Arc<HttpSessions>,
    /// How often each session came back for the rest of a stream, while somebody waits for it.
    returns: Arc<Mutex<HashMap<String, StreamReturns>>>,
}

#[derive(Default)]
struct StreamReturns {
    count: u64,
    watchers: u64,
}

/// Cancels a call when it is dropped before the response is out.
pub struct CancelOnHangup {
    sessions: Arc<HttpSessions>,
    returns: Arc<Mutex<HashMap<String, StreamReturns>>>,
    session: String,
    request: Value,
    is_over: bool,
}

impl DisconnectWatch {
    /// For the sessions of this manager.
    pub fn new(sessions: Arc<HttpSessions>) -> DisconnectWatch {
        DisconnectWatch { sessions, returns: Arc::default() }
    }

    /// Watches over the call in this message of a session; nothing to do for other messages.
    pub fn watch(&self, session: &str, message: &[u8]) -> Option<CancelOnHangup> {
        #[derive(serde::Deserialize)]
        struct RequestHead {
            id: Value,
            method: String,
        }
        let RequestHead { id, method } = serde_json::from_slice(message).ok()?;
        (method == "tools/call").then(|| CancelOnHangup {
            sessions: Arc::clone(&self.sessions),
            returns: Arc::clone(&self.returns),
            session: session.to_owned(),
            request: id,
            is_over: false,
        })
    }

    /// The client of this session came back for the rest of a stream.
    pub fn returned(&self, session: &str) {
        if let Some(returns) = lock(&self.returns).get_mut(session) {
            returns.count += 1;
        }
    }
}

fn lock(returns: &Mutex<HashMap<String, StreamReturns>>) -> MutexGuard<'_, HashMap<String, StreamReturns>> {
    returns.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for CancelOnHangup {
    fn drop(&mut self) {
        let (false, Ok(runtime)) = (self.is_over, tokio::runtime::Handle::try_current()) else { return };
        let (sessions, returns) = (Arc::clone(&self.sessions), Arc::clone(&self.returns));
        let (session, request) = (std::mem::take(&mut self.session), self.request.take());
        let before = {
            let mut returns = lock(&returns);
            let known = returns.entry(session.clone()).or_default();
            known.watchers += 1;
            known.count
        };
        runtime.spawn(async move {
            tokio::time::sleep(RETURN_TIME).await;
            let returned = {
                let mut returns = lock(&returns);
                let known = returns.entry(session.clone()).or_default();
                known.watchers = known.watchers.saturating_sub(1);
                let returned = known.count != before;
                if known.watchers == 0 {
                    returns.remove(&session);
                }
                returned
            };
            if !returned {
                cancel(&sessions, session, request).await;
            }
        });
    }
}

async fn cancel(sessions: &HttpSessions, session: String, request: Value) {
    let params = json!({"requestId": request, "reason": "the connection was closed"});
    let message = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params});
    let Ok(message) = serde_json::from_value(message) else { return };
    if let Err(error) = sessions.accept_message(&session.into(), message).await {
        tracing::debug!(target: "aqueduct::http", %error, "the session of a closed connection had ended already");
    }
}

/// A body that has ended is no matter of a closed connection any more.
impl BodyGuard for CancelOnHangup {
    fn ended(&mut self) {
        self.is_over = true;
    }
}
