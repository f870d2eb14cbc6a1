//! What metrics show of a source: how its requests fared, who waits, and how far its limits are used.

use aqueduct_operations::rate_limits::status::SourceLimitStatus;
use std::collections::BTreeMap;
use std::time::Duration;

/// The counts of one source in this process.
#[derive(Debug, Clone, Default)]
pub struct SourceTally {
    /// Requests that were let out.
    pub admitted: u64,
    /// Those of them that had to wait.
    pub waited: u64,
    /// How long they waited together.
    pub wait_time: Duration,
    /// Requests that were refused, by reason.
    pub refused: BTreeMap<&'static str, u64>,
    /// Pauses that somebody said yes to.
    pub continued: u64,
    /// Times that the API asked to wait.
    pub held: u64,
    /// Requests that wait now.
    pub waiting: usize,
    /// Limits and quotas, as far as this process knows.
    pub status: Option<SourceLimitStatus>,
}
