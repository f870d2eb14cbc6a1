//! A clock that stands still until a test moves it.
//!
//! Copies share the time, so that a test keeps one and hands out the other.

use aqueduct_operations::clock::Clock;
use jiff::{SignedDuration, Timestamp};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A clock for tests; copies share the time.
#[derive(Debug, Clone)]
pub struct TestClock {
    now: Arc<Mutex<Timestamp>>,
}

impl TestClock {
    /// A clock that shows this moment.
    pub fn at(moment: Timestamp) -> TestClock {
        TestClock { now: Arc::new(Mutex::new(moment)) }
    }

    /// Moves the clock on.
    pub fn advance(&self, by: Duration) {
        let mut now = self.lock();
        let by = SignedDuration::try_from(by).unwrap_or(SignedDuration::MAX);
        *now = now.checked_add(by).unwrap_or(Timestamp::MAX);
    }

    /// Sets the clock.
    pub fn set(&self, moment: Timestamp) {
        *self.lock() = moment;
    }

    fn lock(&self) -> MutexGuard<'_, Timestamp> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for TestClock {
    /// Noon of the first of January 2026, UTC.
    fn default() -> TestClock {
        TestClock::at(Timestamp::from_second(1_767_268_800).unwrap_or(Timestamp::UNIX_EPOCH))
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        *self.lock()
    }
}

#[cfg(test)]
mod tests;
