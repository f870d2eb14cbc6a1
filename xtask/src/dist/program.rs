//! The static program: built with the C library inside, and held to it.
//!
//! A profile in, the path of the program out. It needs nothing of the machine that it runs on, not even to look up names:
//! `packaging/static/name_lookup.c` says why, docs/decisions/0070-packages.md what that means for users.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::{Release, target_folder};
pub use crate::repo::cargo;

/// Builds it. Only the last step differs from a usual build, so what was built before is used.
pub fn build(release: &Release<'_>, profile: &str) -> Result<PathBuf> {
    let object = release.folder.join("name_lookup.o");
    let source = release.root.join("packaging/static/name_lookup.c");
    run(Command::new("cc").args(["-O2", "-c"]).arg(source).arg("-o").arg(&object))?;
    let mut cargo = cargo(release.root);
    cargo.args(["rustc", "--locked", "-p", "aqueduct-cli", "--bin", "aqueduct", "--profile", profile, "--"]);
    cargo.args(["-C", "target-feature=+crt-static", "-C", "strip=symbols", "-C"]);
    cargo.arg(format!("link-arg={}", object.display()));
    run(&mut cargo)?;
    std::fs::remove_file(object)?;
    let folder = if profile == "dev" { "debug" } else { profile };
    let program = target_folder()?.join(folder).join("aqueduct");
    hold_static(&program)?;
    Ok(program)
}

/// What the system's loader finds to load: nothing.
fn hold_static(program: &Path) -> Result<()> {
    let output = Command::new("ldd").arg(program).output().context("ldd cannot be started")?;
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    if !["statically linked", "not a dynamic executable"].iter().any(|words| said.contains(words)) {
        bail!("the program is not static; ldd says: {}", said.trim());
    }
    Ok(())
}

/// Runs a command that has to succeed.
pub fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start {command:?}"))?;
    if !status.success() {
        bail!("this failed: {command:?}");
    }
    Ok(())
}

/// What a command that has to succeed prints.
pub fn output(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("cannot start {command:?}"))?;
    if !output.status.success() {
        bail!("this failed: {command:?}\n{}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
