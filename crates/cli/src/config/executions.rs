//! `[executions]`: how long and how much of them is kept, and when another instance takes over.

use aqueduct::ExecutionSettings;
use aqueduct_documents::node_cursor::NodeCursor;
use std::time::Duration;

/// What the file sets.
pub fn settings(root: &NodeCursor<'_>) -> ExecutionSettings {
    let usual = ExecutionSettings::default();
    let Some(block) = root.get("executions") else { return usual };
    let number = |key: &str, usual: u64| {
        block.whole(key).and_then(|number| u64::try_from(number).ok()).unwrap_or(usual)
    };
    let days = number("keep_days", usual.keep.as_secs() / 86_400);
    ExecutionSettings {
        lease: Duration::from_secs(number("lease_seconds", usual.lease.as_secs())),
        keep: Duration::from_secs(days.saturating_mul(86_400)),
        kept_per_caller: number("kept_per_caller", usual.kept_per_caller),
        active_per_caller: number("active_per_caller", usual.active_per_caller),
        max_result_size: number("max_result_size", usual.max_result_size),
    }
}
