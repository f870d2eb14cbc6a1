//! `cargo xtask soak redeem`, `kill`, `store` and the end of `limits`: several instances of the program on one store, on loopback. Not part of CI.
//!
//! In: which, and how much of it. Out: the figures of an example of `crates/cli`, which starts the instances; an error when it
//! found something. The program is built as this task is; for `limits`, which judges how many go out, for release.

use crate::repo;
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::Command;

/// Pairs when nothing is said.
pub const PAIRS: &str = "10000";
/// Kills when nothing is said.
pub const KILLS: &str = "1000";

/// Seconds when nothing is said.
pub const SECONDS: &str = "300";

/// Builds the program and the example as this task is built, and runs it.
pub fn run(root: &Path, what: &str, size: &str) -> Result<()> {
    run_built(root, what, size, !cfg!(debug_assertions))
}

/// The same, built for release.
pub fn run_release(root: &Path, what: &str, size: &str) -> Result<()> {
    run_built(root, what, size, true)
}

fn run_built(root: &Path, what: &str, size: &str, is_release: bool) -> Result<()> {
    size.parse::<usize>().context("how much of it is a number")?;
    let mut command = repo::cargo(root);
    // Both at once: one after the other would choose other features of what they share, and build it twice.
    command.args(["build", "--quiet", "--package", "aqueduct-cli", "--bin", "aqueduct"]);
    command.args(["--example", "store_soak"]);
    if is_release {
        command.arg("--release");
    }
    if !command.current_dir(root).status().context("cargo cannot be started")?.success() {
        bail!("the program and the example cannot be built");
    }
    // This program is in the folder of its profile.
    let own = std::env::current_exe()?;
    let target = own.parent().and_then(Path::parent).context("this program is in a target folder")?;
    let profile = if is_release { "release" } else { "debug" };
    let example = target.join(profile).join("examples").join("store_soak");
    if !Command::new(example).args([what, size]).status().context("the example cannot be started")?.success()
    {
        bail!("the soak found something");
    }
    Ok(())
}
