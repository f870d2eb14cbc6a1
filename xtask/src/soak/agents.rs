//! `cargo xtask soak agents`: random walks of agents, operators and lost processes, on SQLite and on PostgreSQL. Not part of CI, which runs
//! short ones.
//!
//! In: how many events; 100,000 when nothing is said. Out: what was seen on the way, and the result of the tests of `crates/safety`; an
//! error when a block was lost, or something went on that no one had allowed.

use crate::repo;
use anyhow::{Context, Result, bail};
use std::path::Path;

/// Events when nothing is said.
pub const EVENTS: &str = "100000";

/// Runs the walks at that size.
pub fn run(root: &Path, events: &str) -> Result<()> {
    events.parse::<usize>().context("how many events is a number")?;
    let mut command = repo::cargo(root);
    command.args(["test", "--package", "aqueduct-safety", "--lib", "walks_of_agents", "--", "--nocapture"]);
    command.env("AQUEDUCT_WALK_EVENTS", events);
    if !command.current_dir(root).status().context("cargo cannot be started")?.success() {
        bail!("the soak found something");
    }
    Ok(())
}
