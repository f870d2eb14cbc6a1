//! `cargo xtask soak executions`: random walks of executions, with stale writers and lost processes, on SQLite and on PostgreSQL. Not part
//! of CI, which runs short ones.
//!
//! In: how many events; 100,000 when nothing is said. Out: the result of the tests of `crates/store`; an error when a step was kept that
//! the table of states does not have.

use anyhow::{Context, Result};
use std::path::Path;

/// Events when nothing is said.
pub const EVENTS: &str = "100000";

/// Runs the walks at that size.
pub fn run(root: &Path, events: &str) -> Result<()> {
    events.parse::<usize>().context("how many events is a number")?;
    super::store_tests(root, "dev", "walks_with_crashes", |command| {
        command.env("AQUEDUCT_WALK_EVENTS", events);
    })
}
