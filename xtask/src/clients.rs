//! What the real-client checks use: the official Python SDK, the MCP Inspector's CLI and the official conformance suite.
//!
//! In: `python3`, `node` and `npm` on the path. Out: all of them inside `.tools/` of the checkout, pinned, and their paths.
//! Installing again does nothing until a pin changes. The checks themselves are `xtask/clients/check_*.py`.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::repo;

const PYTHON_SDK: &str = "mcp==2.3.*";
const INSPECTOR: &[&str] = &["@modelcontextprotocol/inspector@0.15.0"];
/// The suite twice, because only its preview knows the newest protocol, and the Node that both need.
const SUITE: &[&str] = &[
    "node@22.23.3",
    "release@npm:@modelcontextprotocol/conformance@0.1.16",
    "preview@npm:@modelcontextprotocol/conformance@0.2.0-alpha.12",
];
/// Holds the pin that was installed; written last, so that a broken installation is repeated.
const STAMP: &str = "installed";

/// Where the clients are.
#[derive(Debug)]
pub struct Clients {
    /// Interpreter that has the Python SDK.
    pub python: PathBuf,
    /// The Inspector; takes `--cli`.
    pub inspector: PathBuf,
    /// The folder that has the conformance suite in `node_modules`.
    pub suite: PathBuf,
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
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .current_dir(root);
        command
    }
}

/// Installs what is not there already.
pub fn install(root: &Path) -> Result<Clients> {
    let tools = root.join(".tools");
    let (python, node, suite) = (tools.join("python"), tools.join("node"), tools.join("suite"));
    install_npm(&node, INSPECTOR)?;
    install_npm(&suite, SUITE)?;
    Ok(Clients {
        python: install_python_sdk(&python)?,
        inspector: node.join("node_modules/.bin/mcp-inspector"),
        suite,
    })
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

fn install_npm(dir: &Path, packages: &[&str]) -> Result<()> {
    let pin = packages.join(" ");
    if is_installed(dir, &pin) {
        return Ok(());
    }
    needs("node", "nodejs")?;
    needs("npm", "npm")?;
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

    use super::{Clients, needs, scripts};
    use crate::repo;

    #[test]
    fn a_missing_program_is_reported_with_its_package() {
        let error = needs("no-such-program-here", "nodejs").unwrap_err();
        assert_eq!(
            error.to_string(),
            "the real-client checks need 'no-such-program-here': install nodejs (Debian's names)"
        );
    }

    #[test]
    fn check_scripts_are_found_by_name() {
        let root = repo::root().unwrap();
        let all = scripts(root, None).unwrap();
        let one = scripts(root, Some("conformance")).unwrap();
        assert_eq!(one, [root.join("xtask/clients/check_conformance.py")]);
        assert!(all.len() > 1 && all.contains(&one[0]), "{all:?}");
        let error = scripts(root, Some("nothing")).unwrap_err();
        assert_eq!(error.to_string(), "there is no file xtask/clients/check_nothing.py");
    }

    #[test]
    fn a_check_script_is_told_where_everything_is() {
        let clients = Clients {
            python: PathBuf::from("py"),
            inspector: PathBuf::from("insp"),
            suite: PathBuf::from("suite"),
        };
        let command = clients.run(Path::new("."), Path::new("check.py"), Path::new("aqueduct"));
        let arguments: Vec<_> = command.get_args().collect();
        assert_eq!(command.get_program(), "py");
        assert_eq!(
            arguments,
            ["check.py", "--aqueduct", "aqueduct", "--inspector", "insp", "--suite", "suite"]
        );
    }
}
