//! `cargo xtask bench`: what a user waits and pays for, measured on a release build. Not part of CI.
//!
//! In: nothing. Out: a table with the time from start to the first `tools/list` answer, the memory held then, and the
//! tokens of the tools, each beside its target, with the machine described.

mod adapter;
mod session;

use crate::repo;
use anyhow::{Context, Result, bail};
use session::Session;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// How often the start is measured.
const RUNS: usize = 20;

/// What is measured, what came out, and what is wanted.
struct Row {
    what: String,
    found: String,
    target: String,
    is_met: bool,
}

/// Builds, measures, prints.
pub fn run(root: &Path) -> Result<()> {
    let status = Command::new("cargo")
        .args(["build", "--release", "--package", "aqueduct"])
        .current_dir(root)
        .status()
        .context("cargo cannot be started")?;
    if !status.success() {
        bail!("the release build failed");
    }
    let server = root.join("target/release/aqueduct");
    let folder = std::env::temp_dir().join(format!("aqueduct-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let measured = measure(&server, &folder);
    std::fs::remove_dir_all(&folder)?;
    let rows = measured?;
    println!("{}\n", machine());
    for row in &rows {
        let verdict = if row.is_met { "met" } else { "MISSED" };
        println!("{:<52} {:>14}   target {:<10} {verdict}", row.what, row.found, row.target);
    }
    if rows.iter().any(|row| !row.is_met) {
        bail!("a target was missed");
    }
    Ok(())
}

fn measure(server: &Path, folder: &Path) -> Result<Vec<Row>> {
    let small = write(folder, "bench-adapter.md", &adapter::text(20))?;
    let large = write(folder, "large-adapter.md", &adapter::text(1000))?;
    let mut rows = Vec::new();
    for (file, operations, most) in [(&small, 20, 50.0), (&large, 1000, 1000.0)] {
        let (time, memory) = start(server, file)?;
        rows.push(Row {
            what: format!("start to first tools/list, {operations} operations"),
            found: format!("{time:.1} ms"),
            target: format!("< {most} ms"),
            is_met: time < most,
        });
        if operations == 20 {
            rows.push(Row {
                what: format!("resident memory then, {operations} operations"),
                found: format!("{memory:.1} MB"),
                target: "< 30 MB".to_owned(),
                is_met: memory < 30.0,
            });
        }
    }
    for (mode, most) in [("semantic", 900), ("single", 350)] {
        for (file, operations) in [(&small, 20), (&large, 1000)] {
            let mut session = Session::open(server, &[file, "--mode", mode])?;
            let tools = session.tools()?;
            session.close()?;
            let tokens = bpe_openai::o200k_base().count(tools.as_str());
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
fn start(server: &Path, file: &str) -> Result<(f64, f64)> {
    let mut times: Vec<Duration> = Vec::with_capacity(RUNS);
    let mut memory: f64 = 0.0;
    for _ in 0..RUNS {
        let mut session = Session::open(server, &[file])?;
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

/// Processor, cores, memory and system, as far as they can be read.
fn machine() -> String {
    let field = |file: &str, name: &str| {
        let text = repo::read(Path::new(file)).unwrap_or_default();
        let line = text.lines().find(|line| line.starts_with(name)).map(str::to_owned);
        line.and_then(|line| line.split_once(':').map(|(_, value)| value.trim().to_owned()))
    };
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    format!(
        "{}, {cores} cores, {} memory, {} {}, median of {RUNS} runs",
        field("/proc/cpuinfo", "model name").unwrap_or_else(|| "unknown processor".to_owned()),
        field("/proc/meminfo", "MemTotal").unwrap_or_else(|| "unknown".to_owned()),
        std::env::consts::OS,
        std::env::consts::ARCH,
    )
}
