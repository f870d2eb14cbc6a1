//! `cargo xtask real servers`, `real kill` and `soak servers`: the reference MCP servers behind a release build.
//!
//! In: nothing, or how many restarts. Out: the table of `xtask/clients/servers.py`, `kill.py` or `servers_soak.py`, and
//! failure when a result differs from a direct one, a process is left behind, a call hangs or memory grows.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::{run, server};
use crate::clients;

/// Restarts when nothing is said.
pub const RESTARTS: u64 = 100;

/// The reference MCP servers that come from PyPI.
const PYTHON_SERVERS: &[&str] =
    &["mcp-server-time==2026.10.19", "mcp-server-git==2026.10.19", "mcp-server-fetch==2026.10.24"];

/// Every tool of every server, directly and through the build.
pub fn compare(root: &Path) -> Result<()> {
    let python = root.join(".tools/mcp-servers-python");
    clients::install_python(&python, PYTHON_SERVERS)?;
    run(root, script(root, "servers.py")?.arg("--python").arg(python))
}

/// Ten servers through `npx`, and the build killed.
pub fn kill(root: &Path) -> Result<()> {
    run(root, &mut script(root, "kill.py")?)
}

/// Servers killed so many times under load.
pub fn soak(root: &Path, restarts: u64) -> Result<()> {
    run(root, script(root, "servers_soak.py")?.arg("--restarts").arg(restarts.to_string()))
}

fn script(root: &Path, name: &str) -> Result<Command> {
    let python = clients::install_sdk(root)?;
    let servers = clients::install_mcp_servers(root)?;
    let mut command = Command::new(python);
    command.arg(root.join("xtask/clients").join(name)).arg("--aqueduct").arg(server(root)?);
    command.arg("--npm").arg(servers);
    Ok(command)
}
