//! `cargo xtask soak limits`: four processes on SQLite and three instances on PostgreSQL against one limit. Not part of CI.
//!
//! In: how many calls; 10,000 when nothing is said, against a limit of a tenth of them. Out: the figures of the tests of
//! `crates/store`, which count by the second, then those of the whole program by the minute, which takes twenty minutes after the
//! build, both built for release. An error when more went out in a window than the limit has; by the minute also when fewer than 95 % of it
//! did while callers waited and no one was killed. By the second that is only printed: units come back a round of the store after the window.

use anyhow::{Context, Result};
use std::path::Path;

/// Calls when nothing is said.
pub const CALLS: &str = "10000";

/// Runs the tests at that size, one after the other.
pub fn run(root: &Path, calls: &str) -> Result<()> {
    calls.parse::<usize>().context("how many calls is a number")?;
    super::store_tests(root, "release", "limit_processes", |command| {
        command.args(["--test-threads", "1"]).env("AQUEDUCT_LIMIT_CALLS", calls);
    })?;
    super::store::run_release(root, "limits", calls)
}
