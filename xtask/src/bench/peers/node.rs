//! The server that openapi-mcp-generator generates for a document.
//!
//! The folder that it is installed in, with what its servers depend on, and a document in; the program to start out.

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Generates and compiles the server, once for each folder.
pub fn build(installed: &Path, document: &Path, folder: &Path) -> Result<PathBuf> {
    let project = folder.join("generated");
    let built = project.join("build/index.js");
    if built.exists() {
        return Ok(built);
    }
    let programs = installed.join("node_modules/.bin");
    let generator = programs.join("openapi-mcp-generator");
    if !generator.exists() {
        bail!("not installed");
    }
    run(Command::new(generator).arg("--input").arg(document).arg("--output").arg(&project).arg("--force"))?;
    // Where programs of Node look for what they depend on.
    std::os::unix::fs::symlink(installed.join("node_modules"), project.join("node_modules"))?;
    // The types of ten thousand operations take minutes to check, and change nothing in what comes out.
    run(Command::new(programs.join("tsc")).arg("--noCheck").current_dir(&project))?;
    Ok(built)
}

fn run(command: &mut Command) -> Result<()> {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let status = quiet.status().with_context(|| format!("{command:?} cannot be started"))?;
    if !status.success() {
        bail!("{command:?} ended with {status}");
    }
    Ok(())
}
