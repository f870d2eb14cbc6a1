//! What the checks with real clients and real APIs use: the official Python SDK, the MCP Inspector's CLI, the official
//! conformance suite, servers that others wrote, and what drives a browser.
//!
//! In: Python and Node, which are installed when they are missing. Out: all of them inside `.tools/` of the checkout,
//! pinned, and their paths. Installing again does nothing until a pin changes. The checks themselves are
//! `xtask/clients/check_*.py`.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{prerequisites, repo};

const PYTHON_SDK: &[&str] = &["mcp==2.3.*"];
const INSPECTOR: &[&str] = &["@modelcontextprotocol/inspector@0.15.0"];
/// The suite twice, because only its preview knows the newest protocol, and the Node that both need.
const SUITE: &[&str] = &[
    "node@22.23.3",
    "release@npm:@modelcontextprotocol/conformance@0.1.16",
    "preview@npm:@modelcontextprotocol/conformance@0.2.0-alpha.12",
];
/// The APIs behind two of the adapters in `examples`, which name these versions too.
const JSON_SERVER: &[&str] = &["json-server@0.17.4"];
const KINTO: &[&str] = &["kinto==26.5.0"];
/// An API that gives back what it was sent, and a mock that holds requests to an OpenAPI document.
const HTTPBIN: &[&str] = &["httpbin==0.10.4", "gunicorn==27.0.0"];
const PRISM: &[&str] = &["@stoplight/prism-cli@5.14.2", "@readme/oas-examples@8.2.2"];
/// The reference MCP servers that come from npm; the others are those of `real servers`.
const MCP_SERVERS: &[&str] = &[
    "@modelcontextprotocol/server-everything@2026.8.31",
    "@modelcontextprotocol/server-filesystem@2026.8.31",
    "@modelcontextprotocol/server-memory@2026.8.31",
    "@modelcontextprotocol/server-sequential-thinking@2026.8.31",
];
/// What drives the browser, and what finds that a page cannot be used by everybody.
const BROWSER: &[&str] = &["playwright-core@1.65.1", "axe-core@4.14.0"];
/// Holds the pin that was installed; written last, so that a broken installation is repeated.
const STAMP: &str = "installed";

/// Where the clients and the APIs are.
#[derive(Debug)]
pub struct Clients {
    /// Interpreter that has the Python SDK.
    pub python: PathBuf,
    /// The Inspector; takes `--cli`.
    pub inspector: PathBuf,
    /// The folder that has the conformance suite in `node_modules`.
    pub suite: PathBuf,
    /// The program that serves a JSON file.
    pub json_server: PathBuf,
    /// The program that serves records with versions.
    pub kinto: PathBuf,
    /// The interpreter that has httpbin and a server for it.
    pub httpbin: PathBuf,
    /// The program that mocks an OpenAPI document.
    pub prism: PathBuf,
    /// The folder that has MCP servers in `node_modules`.
    pub mcp_servers: PathBuf,
    /// The folder that has what drives a browser in `node_modules`.
    pub browser: PathBuf,
}

impl Clients {
    /// The command that runs one check script against a built server.
    pub fn run(&self, root: &Path, script: &Path, aqueduct: &Path) -> Command {
        let mut command = Command::new(&self.python);
        command
            .arg(script)
            .arg("--aqueduct")
            .arg(aqueduct)
            .arg("--inspector")
            .arg(&self.inspector)
            .arg("--suite")
            .arg(&self.suite)
            .arg("--json-server")
            .arg(&self.json_server)
            .arg("--kinto")
            .arg(&self.kinto)
            .arg("--httpbin")
            .arg(&self.httpbin)
            .arg("--prism")
            .arg(&self.prism)
            .arg("--mcp-servers")
            .arg(&self.mcp_servers)
            .arg("--browser")
            .arg(&self.browser)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .current_dir(root);
        command
    }
}

/// Installs what is not there already.
pub fn install(root: &Path) -> Result<Clients> {
    let tools = root.join(".tools");
    let (python, node, suite) = (tools.join("python"), tools.join("node"), tools.join("suite"));
    let (json_server, kinto) = (tools.join("json-server"), tools.join("kinto"));
    install_npm(&node, INSPECTOR)?;
    install_npm(&suite, SUITE)?;
    install_npm(&json_server, JSON_SERVER)?;
    install_python(&python, PYTHON_SDK)?;
    install_python(&kinto, KINTO)?;
    let (httpbin, prism) = (tools.join("httpbin"), tools.join("prism"));
    install_python(&httpbin, HTTPBIN)?;
    install_npm(&prism, PRISM)?;
    let mcp_servers = install_mcp_servers(root)?;
    let browser = tools.join("browser");
    install_npm(&browser, BROWSER)?;
    Ok(Clients {
        python: python.join("bin/python"),
        inspector: node.join("node_modules/.bin/mcp-inspector"),
        suite,
        json_server: json_server.join("node_modules/.bin/json-server"),
        kinto: kinto.join("bin/kinto"),
        httpbin: httpbin.join("bin/python"),
        prism: prism.join("node_modules/.bin/prism"),
        mcp_servers,
        browser,
    })
}

/// Installs the interpreter that has the Python SDK, and gives its path.
pub fn install_sdk(root: &Path) -> Result<PathBuf> {
    let python = root.join(".tools/python");
    install_python(&python, PYTHON_SDK)?;
    Ok(python.join("bin/python"))
}

/// Installs the MCP servers that come from npm, and gives their folder.
pub fn install_mcp_servers(root: &Path) -> Result<PathBuf> {
    let servers = root.join(".tools/mcp-servers");
    install_npm(&servers, MCP_SERVERS)?;
    Ok(servers)
}

/// The check scripts, sorted; or the one with this name.
pub fn scripts(root: &Path, name: Option<&str>) -> Result<Vec<PathBuf>> {
    let files = repo::files(root)?;
    let start = format!("xtask/clients/check_{}", name.map(|name| format!("{name}.")).unwrap_or_default());
    let is_script = |path: &str| path.starts_with(&start) && repo::has_extension(path, "py");
    let found: Vec<PathBuf> =
        files.iter().filter(|file| is_script(&file.path)).map(|file| root.join(&file.path)).collect();
    if found.is_empty() {
        bail!("there is no file {start}py");
    }
    Ok(found)
}

/// Makes an environment of Python with these packages in a folder, unless it is there.
pub fn install_python(dir: &Path, packages: &[&str]) -> Result<()> {
    let pin = packages.join(" ");
    if is_installed(dir, &pin) {
        return Ok(());
    }
    prerequisites::set_up()?;
    run(
        Command::new("python3").args(["-m", "venv", "--clear"]).arg(dir),
        "is the package python3-venv installed?",
    )?;
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    run(
        Command::new(dir.join("bin/python")).args(pip).args(packages),
        &format!("{pin} comes from PyPI: is the network there, and Python 3.10 or newer?"),
    )?;
    mark_installed(dir, &pin)
}

/// Installs these packages of npm in a folder, unless they are there.
pub fn install_npm(dir: &Path, packages: &[&str]) -> Result<()> {
    let pin = packages.join(" ");
    if is_installed(dir, &pin) {
        return Ok(());
    }
    prerequisites::set_up()?;
    std::fs::create_dir_all(dir)?;
    run(
        Command::new("npm")
            .args(["install", "--no-audit", "--no-fund", "--loglevel=error", "--prefix"])
            .arg(dir)
            .args(packages),
        &format!("{pin} comes from npm: is the network there, and Node 18 or newer?"),
    )?;
    mark_installed(dir, &pin)
}

fn is_installed(dir: &Path, pin: &str) -> bool {
    repo::read(&dir.join(STAMP)).is_ok_and(|stamp| stamp == pin)
}

fn mark_installed(dir: &Path, pin: &str) -> Result<()> {
    std::fs::write(dir.join(STAMP), pin).with_context(|| format!("cannot write to {}", dir.display()))
}

fn run(command: &mut Command, hint: &str) -> Result<()> {
    let status = command.status().with_context(|| hint.to_owned())?;
    if !status.success() {
        bail!("{} failed: {hint}", command.get_program().to_string_lossy());
    }
    Ok(())
}

#[cfg(test)]
mod tests;
