//! How often a session does something in a minute, in memory: counted as the store counts it, in windows that open with the first
//! event.

use aqueduct_operations::call::SessionId;
use jiff::{SignedDuration, Timestamp};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

const WINDOW: SignedDuration = SignedDuration::from_secs(60);

/// Counts the events of each session.
#[derive(Debug)]
pub struct MinuteCounter {
    limit: u64,
    windows: Mutex<HashMap<SessionId, CountWindow>>,
}

#[derive(Debug)]
struct CountWindow {
    closes_at: Timestamp,
    events: u64,
}

impl MinuteCounter {
    /// So many events are within the limit.
    pub fn new(limit: u64) -> MinuteCounter {
        MinuteCounter { limit, windows: Mutex::default() }
    }

    /// Counts an event. Until when the session is over the limit, if this one is.
    pub fn count(&self, session: &SessionId, now: Timestamp) -> Option<Timestamp> {
        let mut windows = self.windows();
        windows.retain(|_, window| window.closes_at > now);
        let opened = || CountWindow { closes_at: now + WINDOW, events: 0 };
        let window = windows.entry(session.clone()).or_insert_with(opened);
        window.events += 1;
        (window.events > self.limit).then_some(window.closes_at)
    }

    /// Until when one more event would be over the limit, if it would.
    pub fn over_until(&self, session: &SessionId, now: Timestamp) -> Option<Timestamp> {
        let windows = self.windows();
        let window = windows.get(session).filter(|window| window.closes_at > now)?;
        (window.events >= self.limit).then_some(window.closes_at)
    }

    /// Forgets a session.
    pub fn forget(&self, session: &SessionId) {
        self.windows().remove(session);
    }

    /// A poisoned lock means a panic between two map operations; the map itself is whole.
    fn windows(&self) -> MutexGuard<'_, HashMap<SessionId, CountWindow>> {
        self.windows.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
