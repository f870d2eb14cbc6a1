//! What the tasks need beyond Rust and a C compiler, installed when it is missing.
//!
//! In: the table of tools, and what this machine has. Out: nothing, when all is there or could be installed with the
//! system's package manager; else an error with the one command that the person has to run. A new tool is a new row of
//! `TOOLS`.

mod managers;

use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use managers::{MANAGERS, Manager};

/// A program that the tasks need.
#[derive(Debug, PartialEq, Eq)]
pub struct Tool {
    /// What it is, as a person says it.
    name: &'static str,
    /// Succeeds when it is there and new enough.
    probe: &'static [&'static str],
    /// Its packages, in the order of `MANAGERS`.
    packages: [&'static [&'static str]; MANAGERS.len()],
}

/// The server's programs are in a folder of their own, which is not searched for commands. Any version that is there will do for
/// the tests if it is new enough.
const POSTGRES: &str = r#"
for folder in "$(pg_config --bindir)" /usr/lib/postgresql/*/bin; do
    version=$("$folder/postgres" --version | sed 's/[^0-9]*\([0-9]*\).*/\1/')
    [ "${version:-0}" -ge 13 ] && [ -x "$folder/initdb" ] && [ -x "$folder/psql" ] && exit 0
done
exit 1"#;

/// The browser goes by several names, and on a Mac is no command.
const CHROMIUM: &str = "command -v chromium || command -v chromium-browser || command -v google-chrome || \
                        test -x /Applications/Chromium.app/Contents/MacOS/Chromium";

/// Python runs the checks with real clients and some APIs; Node runs other clients, and MCP servers; the store is tested on PostgreSQL,
/// and the operator's page in Chromium.
const TOOLS: &[Tool] = &[
    Tool {
        name: "Python 3.10 or newer",
        probe: &["python3", "-c", "import sys; sys.exit(sys.version_info < (3, 10))"],
        packages: [&["python3"], &["python3"], &["python"], &["python3"], &["python"]],
    },
    Tool {
        name: "Python's venv",
        probe: &["python3", "-c", "import ensurepip, venv"],
        packages: [&["python3-venv"], &["python3"], &["python"], &["python3"], &["python"]],
    },
    Tool {
        name: "Node 18 or newer",
        probe: &["node", "-e", "process.exit(parseInt(process.versions.node) < 18 ? 1 : 0)"],
        packages: [&["nodejs"], &["nodejs"], &["nodejs"], &["nodejs"], &["node"]],
    },
    Tool {
        name: "npm",
        probe: &["npm", "--version"],
        packages: [&["npm"], &["nodejs-npm"], &["npm"], &["npm"], &["node"]],
    },
    Tool {
        name: "PostgreSQL 13 or newer",
        probe: &["sh", "-c", POSTGRES],
        packages: [
            &["postgresql"],
            &["postgresql-server"],
            &["postgresql"],
            &["postgresql", "postgresql-client"],
            &["postgresql"],
        ],
    },
    Tool {
        name: "Chromium",
        probe: &["sh", "-c", CHROMIUM],
        packages: [&["chromium"], &["chromium"], &["chromium"], &["chromium"], &["chromium"]],
    },
];

/// Reads metrics, for the dashboard alone.
const PROMETHEUS: &[Tool] = &[Tool {
    name: "Prometheus",
    probe: &["prometheus", "--version"],
    packages: [
        &["prometheus"],
        &["golang-github-prometheus"],
        &["prometheus"],
        &["prometheus"],
        &["prometheus"],
    ],
}];

/// Parts of the Rust toolchain: how each is looked for, and its name.
const COMPONENTS: &[(&[&str], &str)] =
    &[(&["cargo", "fmt", "--version"], "rustfmt"), (&["cargo", "clippy", "--version"], "clippy")];

/// What can be done about missing tools.
#[derive(Debug, PartialEq, Eq)]
enum Plan {
    /// Nothing is missing.
    Nothing,
    /// These commands install them.
    Run(Vec<Vec<String>>),
    /// The person has to; this is what to say.
    Tell(String),
}

/// What may be done on a machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rights {
    /// The user is root.
    Root,
    /// `sudo` asks for no password.
    Sudo,
    /// Neither.
    None,
}

/// Sees to it that every tool is there.
pub fn set_up() -> Result<()> {
    components()?;
    see_to(TOOLS)
}

/// Sees to it that Prometheus is there.
pub fn set_up_prometheus() -> Result<()> {
    see_to(PROMETHEUS)
}

fn see_to(tools: &'static [Tool]) -> Result<()> {
    let missing = missing(tools);
    let manager = MANAGERS.iter().position(|manager| succeeds(&[manager.program, "--version"]));
    match plan(&missing, manager, rights) {
        Plan::Nothing => return Ok(()),
        Plan::Tell(what) => bail!("{what}"),
        Plan::Run(commands) => commands.iter().try_for_each(|words| run(words))?,
    }
    // A system may have only an old version of something.
    match self::missing(tools).as_slice() {
        [] => Ok(()),
        still => bail!("{} is not what this system's packages have; install it and try again", names(still)),
    }
}

fn missing(tools: &'static [Tool]) -> Vec<&'static Tool> {
    tools.iter().filter(|tool| !succeeds(tool.probe)).collect()
}

/// What to do about the tools that are missing. The rights are looked at only if they matter.
fn plan(missing: &[&Tool], manager: Option<usize>, rights: impl Fn() -> Rights) -> Plan {
    if missing.is_empty() {
        return Plan::Nothing;
    }
    let Some(index) = manager else {
        return Plan::Tell(format!("install {}, and try again", names(missing)));
    };
    let manager = &MANAGERS[index];
    let mut packages: Vec<&str> = Vec::new();
    for package in missing.iter().flat_map(|tool| tool.packages[index]) {
        if !packages.contains(package) {
            packages.push(package);
        }
    }
    let rights = if manager.needs_root { rights() } else { Rights::Root };
    let commands = commands(manager, &packages, rights);
    match rights {
        Rights::None => {
            let lines: Vec<String> = commands.iter().map(|words| words.join(" ")).collect();
            Plan::Tell(format!(
                "{} is missing; run this, and try again: {}",
                names(missing),
                lines.join(" && ")
            ))
        }
        Rights::Root | Rights::Sudo => Plan::Run(commands),
    }
}

/// The commands that install packages, as the user may or as the person types them.
fn commands(manager: &Manager, packages: &[&str], rights: Rights) -> Vec<Vec<String>> {
    let before: &[&str] = match rights {
        Rights::Root => &[],
        Rights::Sudo => &["sudo", "-n"],
        Rights::None => &["sudo"],
    };
    let words = |command: &[&str], packages: &[&str]| {
        let all = before.iter().chain(command).chain(packages);
        all.map(|word| (*word).to_owned()).collect::<Vec<String>>()
    };
    let refresh = manager.refresh.iter().map(|command| words(command, &[]));
    refresh.chain([words(manager.install, packages)]).collect()
}

fn names(tools: &[&Tool]) -> String {
    tools.iter().map(|tool| tool.name).collect::<Vec<_>>().join(", ")
}

fn rights() -> Rights {
    let id = Command::new("id").arg("-u").stderr(Stdio::null()).output();
    if id.is_ok_and(|output| output.stdout.trim_ascii() == b"0") {
        return Rights::Root;
    }
    if succeeds(&["sudo", "-n", "true"]) { Rights::Sudo } else { Rights::None }
}

/// The parts of the toolchain, which rustup adds for its user.
fn components() -> Result<()> {
    for (probe, name) in COMPONENTS {
        if !succeeds(probe) {
            run(&["rustup", "component", "add", name])?;
        }
    }
    Ok(())
}

fn succeeds(words: &[&str]) -> bool {
    let [program, arguments @ ..] = words else { return false };
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn run<S: AsRef<str>>(words: &[S]) -> Result<()> {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    let line = words.join(" ");
    println!("{line}");
    let [program, arguments @ ..] = words.as_slice() else { return Ok(()) };
    let status = Command::new(program).args(arguments).env("DEBIAN_FRONTEND", "noninteractive").status();
    if !status.with_context(|| format!("this could not be started: {line}"))?.success() {
        bail!("this failed; run it by hand, and try again: {line}");
    }
    Ok(())
}

#[cfg(test)]
mod tests;
