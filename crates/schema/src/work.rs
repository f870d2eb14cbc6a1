//! How much work may be done for one call, and whether it is still wanted.
//!
//! Code that checks, searches or sorts counts its steps here and stops when it must: there are no more, or the caller
//! is gone. A step is what takes some ten nanoseconds: a keyword held against a value, a value compared, a few bytes read.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The number of steps by default.
pub const USUAL_STEPS: u64 = 50_000_000;

/// What is left to be done for one call. Clones of its `Stopper` end the work from elsewhere.
#[derive(Debug)]
pub struct Meter {
    limit: u64,
    spent: AtomicU64,
    stopped: Arc<AtomicBool>,
}

/// Ends the work of a meter.
#[derive(Debug, Clone)]
pub struct Stopper(Arc<AtomicBool>);

/// Why work was not finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WorkStop {
    /// It takes more steps than it may.
    #[error("the work takes more than {0} steps")]
    Spent(u64),
    /// No caller waits for it any more.
    #[error("the work was stopped")]
    Stopped,
    /// Schemas lead to each other through more levels than are followed.
    #[error("schemas lead to each other through more than {0} levels")]
    Deep(usize),
}

/// What work gives, or why it was not finished.
pub type WorkResult<T = ()> = Result<T, WorkStop>;

impl Default for Meter {
    fn default() -> Meter {
        Meter::new(USUAL_STEPS)
    }
}

impl Meter {
    /// A meter of so many steps.
    pub fn new(limit: u64) -> Meter {
        Meter { limit, spent: AtomicU64::new(0), stopped: Arc::default() }
    }

    /// A meter of no more than so many of the steps that are left, ended together with this one.
    #[must_use]
    pub fn part(&self, steps: u64) -> Meter {
        let left = self.limit.saturating_sub(self.spent());
        Meter { limit: left.min(steps), spent: AtomicU64::new(0), stopped: Arc::clone(&self.stopped) }
    }

    /// Counts steps. Where several threads count for one call a few may get lost: no step is worth a locked instruction.
    pub fn spend(&self, steps: u64) -> WorkResult {
        let spent = self.spent.load(Ordering::Relaxed).saturating_add(steps);
        self.spent.store(spent, Ordering::Relaxed);
        if spent > self.limit {
            return Err(WorkStop::Spent(self.limit));
        }
        if self.stopped.load(Ordering::Relaxed) { Err(WorkStop::Stopped) } else { Ok(()) }
    }

    /// Whether the work could be done so far.
    pub fn verdict(&self) -> WorkResult {
        self.spend(0)
    }

    /// Steps counted so far.
    pub fn spent(&self) -> u64 {
        self.spent.load(Ordering::Relaxed)
    }

    /// How many there are in all.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// What ends the work.
    pub fn stopper(&self) -> Stopper {
        Stopper(Arc::clone(&self.stopped))
    }
}

impl Stopper {
    /// Ends the work, soon.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests;
