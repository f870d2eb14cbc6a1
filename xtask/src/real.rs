//! `cargo xtask real NAME`: a release build against the real things, judged by what others wrote. Not part of CI.
//!
//! In: the name. Out: figures with their targets, and failure when one is missed. Everything is installed into `.tools` once,
//! and runs on this machine alone. `AQUEDUCT_BIN` names another build to look into.

pub mod servers;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// The build that is looked into: the one that `AQUEDUCT_BIN` names, else a release build of this checkout.
pub fn server(root: &Path) -> Result<PathBuf> {
    if let Some(named) = std::env::var_os("AQUEDUCT_BIN") {
        println!("looking into {}", named.display());
        return Ok(PathBuf::from(named));
    }
    run(root, Command::new("cargo").args(["build", "--release", "--package", "aqueduct"]))?;
    Ok(root.join("target/release/aqueduct"))
}

/// Runs a command in the checkout; it must end well.
pub fn run(root: &Path, command: &mut Command) -> Result<()> {
    let status = command
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .current_dir(root)
        .status()
        .with_context(|| format!("{} cannot be started", command.get_program().to_string_lossy()))?;
    if !status.success() {
        bail!("{} failed, or a target was missed", command.get_program().to_string_lossy());
    }
    Ok(())
}
