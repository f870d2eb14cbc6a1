//! How often a session does something in a minute, in memory: in no minute more than the limit, wherever it begins. What is refused
//! is not counted.

use aqueduct_operations::call::SessionId;
use jiff::{SignedDuration, Timestamp};
use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

const WINDOW: SignedDuration = SignedDuration::from_secs(60);

/// Counts the events of each session.
#[derive(Debug)]
pub struct MinuteCounter {
    limit: usize,
    /// When each event that still counts stops counting, oldest first.
    counted: Mutex<HashMap<SessionId, VecDeque<Timestamp>>>,
}

impl MinuteCounter {
    /// So many events are within the limit.
    pub fn new(limit: u64) -> MinuteCounter {
        MinuteCounter { limit: usize::try_from(limit).unwrap_or(usize::MAX), counted: Mutex::default() }
    }

    /// Counts an event. Until when the session is over the limit, if this one is.
    pub fn count(&self, session: &SessionId, now: Timestamp) -> Option<Timestamp> {
        let mut counted = self.counted();
        counted.retain(|_, ends| {
            while ends.front().is_some_and(|end| *end <= now) {
                ends.pop_front();
            }
            !ends.is_empty()
        });
        let ends = counted.entry(session.clone()).or_default();
        if ends.len() >= self.limit {
            return Some(ends.front().copied().unwrap_or(now + WINDOW));
        }
        ends.push_back(now + WINDOW);
        None
    }

    /// Until when one more event would be over the limit, if it would.
    pub fn over_until(&self, session: &SessionId, now: Timestamp) -> Option<Timestamp> {
        let counted = self.counted();
        let mut ends = counted.get(session)?.iter().filter(|end| **end > now);
        let first = ends.next()?;
        (1 + ends.count() >= self.limit).then_some(*first)
    }

    /// Forgets a session.
    pub fn forget(&self, session: &SessionId) {
        self.counted().remove(session);
    }

    /// A poisoned lock means a panic between two map operations; the map itself is whole.
    fn counted(&self) -> MutexGuard<'_, HashMap<SessionId, VecDeque<Timestamp>>> {
        self.counted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
