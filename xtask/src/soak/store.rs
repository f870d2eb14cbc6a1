//! `cargo xtask soak redeem`, `kill`, `store` and the end of `limits`: several instances of the program on one store, on loopback. Not part of CI.
//!
//! In: which, and how much of it. Out: the figures of an example of `crates/cli`, which starts the instances; an error when it
//! found something. The program is built as this task is.

use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::Command;

/// Pairs when nothing is said.
pub const PAIRS: &str = "10000";
/// Kills when nothing is said.
pub const KILLS: &str = "1000";

/// Seconds when nothing is said.
pub const SECONDS: &str = "300";

/// Builds the program and the example, and runs it.
pub fn run(root: &Path, what: &str, size: &str) -> Result<()> {
    size.parse::<usize>().context("how much of it is a number")?;
    let program = super::build(root)?;
    let mut command = Command::new("cargo");
    command.args(["build", "--quiet", "--package", "aqueduct-cli", "--example", "store_soak"]);
    if !cfg!(debug_assertions) {
        command.arg("--release");
    }
    if !command.current_dir(root).status().context("cargo cannot be started")?.success() {
        bail!("the example cannot be built");
    }
    let example = program.with_file_name("examples").join("store_soak");
    if !Command::new(example).args([what, size]).status().context("the example cannot be started")?.success()
    {
        bail!("the soak found something");
    }
    Ok(())
}
