//! The MCP clients that the real-client checks use: the official Python SDK and the MCP Inspector's CLI.
//!
//! In: `python3`, `node` and `npm` on the path. Out: both clients inside `.tools/` of the checkout, pinned, and their paths.
//! Installing again does nothing until a pin changes. The checks themselves are `xtask/clients/check_*.py`.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::repo;

const PYTHON_SDK: &str = "mcp==2.3.*";
const INSPECTOR: &str = "@modelcontextprotocol/inspector@0.15.0";
/// Holds the pin that was installed; written last, so that a broken installation is repeated.
const STAMP: &str = "installed";

/// Where the clients are.
#[derive(Debug)]
pub struct Clients {
    /// Interpreter that has the Python SDK.
    pub python: PathBuf,
    /// The Inspector; takes `--cli`.
    pub inspector: PathBuf,
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
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .current_dir(root);
        command
    }
}

/// Installs both clients, unless they are there already.
pub fn install(root: &Path) -> Result<Clients> {
    let tools = root.join(".tools");
    Ok(Clients {
        python: install_python_sdk(&tools.join("python"))?,
        inspector: install_inspector(&tools.join("node"))?,
    })
}

/// The check scripts, sorted.
pub fn scripts(root: &Path) -> Result<Vec<PathBuf>> {
    let files = repo::files(root)?;
    let is_script = |path: &str| path.starts_with("xtask/clients/check_") && repo::has_extension(path, "py");
    Ok(files.iter().filter(|file| is_script(&file.path)).map(|file| root.join(&file.path)).collect())
}

fn install_python_sdk(dir: &Path) -> Result<PathBuf> {
    let python = dir.join("bin/python");
    if is_installed(dir, PYTHON_SDK) {
        return Ok(python);
    }
    needs("python3", "python3 and python3-venv")?;
    run(
        Command::new("python3").args(["-m", "venv", "--clear"]).arg(dir),
        "is the package python3-venv installed?",
    )?;
    run(
        Command::new(&python).args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            PYTHON_SDK,
        ]),
        "the Python SDK comes from PyPI: is the network there, and Python 3.10 or newer?",
    )?;
    mark_installed(dir, PYTHON_SDK)?;
    Ok(python)
}

fn install_inspector(dir: &Path) -> Result<PathBuf> {
    let inspector = dir.join("node_modules/.bin/mcp-inspector");
    if is_installed(dir, INSPECTOR) {
        return Ok(inspector);
    }
    needs("node", "nodejs")?;
    needs("npm", "npm")?;
    std::fs::create_dir_all(dir)?;
    run(
        Command::new("npm")
            .args(["install", "--no-audit", "--no-fund", "--loglevel=error", "--prefix"])
            .arg(dir)
            .arg(INSPECTOR),
        "the Inspector comes from npm: is the network there, and Node 18 or newer?",
    )?;
    mark_installed(dir, INSPECTOR)?;
    Ok(inspector)
}

fn is_installed(dir: &Path, pin: &str) -> bool {
    repo::read(&dir.join(STAMP)).is_ok_and(|stamp| stamp == pin)
}

fn mark_installed(dir: &Path, pin: &str) -> Result<()> {
    std::fs::write(dir.join(STAMP), pin).with_context(|| format!("cannot write to {}", dir.display()))
}

/// Fails, naming the package to install, when a program is not on the path.
fn needs(program: &str, packages: &str) -> Result<()> {
    match Command::new(program).arg("--version").output() {
        Ok(output) if output.status.success() => Ok(()),
        _ => bail!("the real-client checks need '{program}': install {packages} (Debian's names)"),
    }
}

fn run(command: &mut Command, hint: &str) -> Result<()> {
    let status = command.status().with_context(|| hint.to_owned())?;
    if !status.success() {
        bail!("{} failed: {hint}", command.get_program().to_string_lossy());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::{Clients, needs};

    #[test]
    fn a_missing_program_is_reported_with_its_package() {
        let error = needs("no-such-program-here", "nodejs").unwrap_err();
        assert_eq!(
            error.to_string(),
            "the real-client checks need 'no-such-program-here': install nodejs (Debian's names)"
        );
    }

    #[test]
    fn a_check_script_is_told_where_server_and_inspector_are() {
        let clients = Clients { python: PathBuf::from("py"), inspector: PathBuf::from("insp") };
        let command = clients.run(Path::new("."), Path::new("check.py"), Path::new("aqueduct"));
        let arguments: Vec<_> = command.get_args().collect();
        assert_eq!(command.get_program(), "py");
        assert_eq!(arguments, ["check.py", "--aqueduct", "aqueduct", "--inspector", "insp"]);
    }
}
