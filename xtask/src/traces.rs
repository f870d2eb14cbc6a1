//! `cargo xtask traces`: calls whose stages arrive as spans in a real collector. Not part of CI.
//!
//! In: a build with the feature `otlp`, and Rotel, a collector that comes from PyPI. Out: how many spans arrived; an error when a stage
//! is missing, or when something private is among them.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::{clients, real, repo};

const COLLECTOR: &[&str] = &["rotel==0.0.1a15"];

/// Builds, starts both, makes calls, and looks at what arrived.
pub fn run(root: &Path) -> Result<()> {
    let python = root.join(".tools/rotel");
    clients::install_python(&python, COLLECTOR)?;
    let build = ["build", "--package", "aqueduct-cli", "--features", "otlp"];
    real::run(root, repo::cargo(root).args(build))?;
    let folder = "import os, rotel; print(os.path.dirname(rotel.__file__))";
    let asked = Command::new(python.join("bin/python")).args(["-c", folder]).output();
    let folder = asked.context("the collector cannot be found")?.stdout;
    let collector = Path::new(String::from_utf8_lossy(&folder).trim()).join("rotel-agent");
    let mut command = Command::new("python3");
    command.arg(root.join("xtask/clients/traces.py"));
    command.arg("--aqueduct").arg(root.join("target/debug/aqueduct")).arg("--collector").arg(collector);
    real::run(root, &mut command)
}
