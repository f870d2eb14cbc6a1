//! A histogram of durations with fixed buckets.

use std::time::Duration;

/// The upper bounds of the buckets, in seconds.
pub const BUCKETS: [f64; 14] =
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0];

/// How many durations fell into each bucket.
#[derive(Debug, Default, Clone)]
pub struct Histogram {
    /// One count for each bucket; longer ones are in `count` only.
    pub buckets: [u64; BUCKETS.len()],
    /// All of them.
    pub count: u64,
    /// Their sum.
    pub sum: Duration,
}

impl Histogram {
    /// Counts one in.
    pub fn add(&mut self, took: Duration) {
        let seconds = took.as_secs_f64();
        if let Some(bucket) = BUCKETS.iter().position(|end| seconds <= *end) {
            self.buckets[bucket] += 1;
        }
        self.count += 1;
        self.sum += took;
    }
}
