//! `cargo xtask dashboard`: every query of the Grafana dashboard, in a real Prometheus that reads a real server. Not part of CI.
//!
//! In: the dashboard in `docs`, and a release build (or the one that `AQUEDUCT_BIN` names). Out: how many queries gave data; an error
//! that names those which gave none. Prometheus is installed when it is missing, and runs on this machine as long as the task does.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::{prerequisites, real};

/// The dashboard.
const FILE: &str = "docs/grafana-dashboard.json";

/// Starts both, makes calls, and asks.
pub fn run(root: &Path) -> Result<()> {
    prerequisites::set_up_prometheus()?;
    let server = real::server(root)?;
    let mut command = Command::new("python3");
    command.arg(root.join("xtask/clients/dashboard.py"));
    command.arg("--aqueduct").arg(server).arg("--dashboard").arg(root.join(FILE));
    real::run(root, &mut command)
}
