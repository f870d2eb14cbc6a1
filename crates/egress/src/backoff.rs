//! How long to wait before something is tried again: doubling from a first wait to a longest one, with jitter, so that what
//! failed together is not tried again together.
//!
//! Invariant: no wait is longer than the longest, and none is shorter than half of what it could be.

use backon::{BackoffBuilder, ExponentialBuilder};
use std::time::Duration;

/// The first wait and the longest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backoff {
    /// The longest that the first wait can be.
    pub first: Duration,
    /// The longest wait.
    pub longest: Duration,
}

impl Backoff {
    /// So many waits, for `backon::Retryable`.
    pub fn retries(self, count: u32) -> ExponentialBuilder {
        self.builder().with_max_times(usize::try_from(count).unwrap_or(usize::MAX))
    }

    /// Waits without end.
    pub fn waits(self) -> impl Iterator<Item = Duration> + Send {
        self.builder().without_max_times().build()
    }

    /// Jitter adds up to as much again, so that it begins with the halves.
    fn builder(self) -> ExponentialBuilder {
        let (first, longest) = (self.first.min(self.longest) / 2, self.longest / 2);
        ExponentialBuilder::new().with_min_delay(first).with_max_delay(longest).with_jitter()
    }
}

#[cfg(test)]
mod tests;
