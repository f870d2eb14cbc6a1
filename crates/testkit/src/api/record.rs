//! What the fake API saw, and waiting for it to see something.
//!
//! Waits end when a condition holds, or fail the test after a generous deadline; nothing here sleeps.

use serde_json::Value;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Notify;

/// How long a wait lasts before the test fails.
const DEADLINE: Duration = Duration::from_secs(20);

/// One request, as it came.
#[derive(Debug, Clone, Default)]
pub struct Recorded {
    /// Which request it is, from 0.
    pub index: usize,
    /// When it had been read.
    pub at: Option<Instant>,
    /// The method.
    pub method: String,
    /// Path and query, raw.
    pub target: String,
    /// The headers in their order, names as sent.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl Recorded {
    /// The first header with this name, in any letter case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(each, _)| each.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// The path without the query.
    pub fn path(&self) -> &str {
        self.target.split_once('?').map_or(self.target.as_str(), |(path, _)| path)
    }

    /// The raw query, if there is one.
    pub fn query(&self) -> Option<&str> {
        self.target.split_once('?').map(|(_, query)| query)
    }

    /// The body as text.
    pub fn body_text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The body as JSON; null when it is none.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }
}

#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) requests: Vec<Recorded>,
    pub(super) opened: usize,
    pub(super) closed: usize,
}

/// Shared by the connections and the test.
#[derive(Debug, Clone, Default)]
pub(super) struct Records {
    seen: Arc<Mutex<Seen>>,
    changed: Arc<Notify>,
}

impl Records {
    fn lock(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn requests(&self) -> Vec<Recorded> {
        self.lock().requests.clone()
    }

    pub(super) fn connections(&self) -> usize {
        self.lock().opened
    }

    pub(super) fn opened(&self) {
        self.lock().opened += 1;
        self.changed.notify_waiters();
    }

    pub(super) fn closed(&self) {
        self.lock().closed += 1;
        self.changed.notify_waiters();
    }

    /// Keeps a request and gives it its number.
    pub(super) fn keep(&self, mut request: Recorded) -> Recorded {
        {
            let mut seen = self.lock();
            request.index = seen.requests.len();
            request.at = Some(Instant::now());
            seen.requests.push(request.clone());
        }
        self.changed.notify_waiters();
        request
    }

    /// Waits until a condition holds.
    pub(super) async fn wait_until(self, holds: impl Fn(&Seen) -> bool, what: &str) {
        let waiting = async {
            loop {
                // Registered before the look, so that no change between look and wait is missed.
                let mut changed = std::pin::pin!(self.changed.notified());
                changed.as_mut().enable();
                if holds(&self.lock()) {
                    return;
                }
                changed.await;
            }
        };
        if tokio::time::timeout(DEADLINE, waiting).await.is_err() {
            panic!("waited {} s for {what} in vain", DEADLINE.as_secs());
        }
    }
}
