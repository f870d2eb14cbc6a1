//! What operators set about executions: how long and how much of them is kept, and when another instance takes over.

use std::time::Duration;

/// The section `executions` of the configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExecutionSettings {
    /// How long an instance that is not heard of keeps the executions that it follows.
    pub lease: Duration,
    /// How long ended executions are kept.
    pub keep: Duration,
    /// Ended executions of one caller that are kept.
    pub kept_per_caller: u64,
    /// Executions of one caller that go on at the same time.
    pub active_per_caller: u64,
    /// Bytes of a result that is kept.
    pub max_result_size: u64,
}

impl Default for ExecutionSettings {
    fn default() -> ExecutionSettings {
        ExecutionSettings {
            lease: Duration::from_secs(30),
            keep: Duration::from_secs(7 * 86_400),
            kept_per_caller: 500,
            active_per_caller: 100,
            max_result_size: 1024 * 1024,
        }
    }
}
