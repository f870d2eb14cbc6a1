//! `cargo xtask fuzz [SECONDS] [TARGET]`: what reads foreign bytes, under libFuzzer. Not part of CI.
//!
//! In: the targets of `fuzz/fuzz_targets`, seeds of `fuzz/seeds` and files of this checkout. Out: runs and coverage of each
//! target; a crash, a hang or memory without bounds fails the task, and leaves the input under `fuzz/artifacts`. Each
//! target gets its share of the time. The compiler is told to allow the instrumentation, which only nightly ones do by themselves.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context, Result, bail};

/// An hour over all targets.
pub const SECONDS: &str = "3600";

const CARGO_FUZZ: &str = "0.13.2";

/// Files of this checkout that are good beginnings for a target.
const SEEDS: &[(&str, &str, &str)] = &[
    ("adapter_file", "examples", "-adapter.md"),
    ("openapi_document", "examples", "-openapi.yaml"),
    ("servers_file", "examples", "-servers.json"),
    ("operation_file", "examples", ".operation.yaml"),
];

/// Runs every target, or the one with this name, for so many seconds in all.
pub fn run(root: &Path, seconds: &str, only: Option<&str>) -> Result<()> {
    let seconds: u64 = seconds.parse().context("the time is a number of seconds")?;
    let targets = targets(root, only)?;
    let cargo_fuzz = install(root)?;
    build(root, &cargo_fuzz)?;
    let each = (seconds / targets.len() as u64).max(1);
    let mut failed = Vec::new();
    println!("{:<18} {:>12} {:>10}  {each} s each", "target", "runs", "coverage");
    for target in &targets {
        let corpus = seed(root, target)?;
        let output = fuzz(root, target, &corpus, each)?;
        let log = String::from_utf8_lossy(&output.stderr);
        println!("{target:<18} {:>12} {:>10}", last_after(&log, "Done "), last_after(&log, "cov: "));
        if !output.status.success() {
            let tail: Vec<&str> = log.lines().rev().take(30).collect();
            println!("{}", tail.into_iter().rev().collect::<Vec<_>>().join("\n"));
            failed.push(target.as_str());
        }
    }
    if !failed.is_empty() {
        bail!("found something in {}; the inputs are under fuzz/artifacts", failed.join(", "));
    }
    Ok(())
}

fn targets(root: &Path, only: Option<&str>) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(root.join("fuzz/fuzz_targets"))? {
        let name = entry?.file_name().to_string_lossy().trim_end_matches(".rs").to_owned();
        if only.is_none_or(|only| only == name) {
            names.push(name);
        }
    }
    names.sort();
    if names.is_empty() {
        bail!("there is no such target under fuzz/fuzz_targets");
    }
    Ok(names)
}

/// Puts seeds beside what earlier runs found.
fn seed(root: &Path, target: &str) -> Result<PathBuf> {
    let corpus = root.join("fuzz/corpus").join(target);
    std::fs::create_dir_all(&corpus)?;
    let from_checkout = SEEDS.iter().filter(|(of, ..)| *of == target).map(|(_, folder, end)| (*folder, *end));
    let own = format!("fuzz/seeds/{target}");
    for (folder, end) in from_checkout.chain([(own.as_str(), "")]) {
        let Ok(entries) = std::fs::read_dir(root.join(folder)) else { continue };
        for entry in entries {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if name.ends_with(end) && path.is_file() {
                std::fs::copy(&path, corpus.join(name))?;
            }
        }
    }
    Ok(corpus)
}

fn fuzz(root: &Path, target: &str, corpus: &Path, seconds: u64) -> Result<Output> {
    let artifacts = root.join("fuzz/artifacts").join(target);
    std::fs::create_dir_all(&artifacts)?;
    let program = root.join("fuzz/target").join(platform()).join("debug").join(target);
    Command::new(program)
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-artifact_prefix={}/", artifacts.display()))
        .args(["-timeout=10", "-rss_limit_mb=2048", "-max_len=16384", "-print_final_stats=1"])
        .arg(corpus)
        .output()
        .with_context(|| format!("{target} cannot be started"))
}

/// What the targets are built for: this machine, whichever of the two that releases are made for it is.
fn platform() -> String {
    format!("{}-unknown-linux-gnu", std::env::consts::ARCH)
}

fn build(root: &Path, cargo_fuzz: &Path) -> Result<()> {
    let mut command = Command::new(cargo_fuzz);
    // No unsafe code of ours: the sanitizer for memory would only make it slower. For a release, cargo-fuzz makes one unit of each
    // crate, and code that nothing calls too: that alone takes an hour. The profile is in `fuzz/Cargo.toml`.
    command
        .args(["fuzz", "build", "--dev", "--strip-dead-code", "--sanitizer", "none", "--target", &platform()])
        .current_dir(root)
        .env("RUSTC_BOOTSTRAP", "1");
    succeed(&mut command)
}

fn install(root: &Path) -> Result<PathBuf> {
    let folder = root.join(".tools/cargo-fuzz");
    let program = folder.join("bin/cargo-fuzz");
    let version = Command::new(&program).args(["fuzz", "--version"]).output();
    if version.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains(CARGO_FUZZ)) {
        return Ok(program);
    }
    let words = ["install", "cargo-fuzz", "--locked", "--version", CARGO_FUZZ, "--root"];
    succeed(Command::new("cargo").args(words).arg(&folder))?;
    Ok(program)
}

fn succeed(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("{command:?} cannot be started"))?;
    if !status.success() {
        bail!("{command:?} failed");
    }
    Ok(())
}

/// The word after the last of these marks.
fn last_after<'a>(log: &'a str, mark: &str) -> &'a str {
    log.rsplit_once(mark).and_then(|(_, rest)| rest.split_whitespace().next()).unwrap_or("-")
}

#[cfg(test)]
mod tests;
