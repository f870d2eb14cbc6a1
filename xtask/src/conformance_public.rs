//! `cargo xtask conformance-public DIR`: what the specification's own test runner says of this server.
//!
//! A checkout of the specification's repository in, with its packages installed. The sample is judged in every mode on level 2, and
//! the evidence of each run is given to that runner. Nothing of the checkout is kept.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

const MODES: [&str; 3] = ["semantic", "single", "all"];

/// Judges the sample, and lets the public runner read the evidence.
pub fn run(root: &Path, checkout: &Path) -> Result<()> {
    let runner = checkout.join("scripts/run-conformance-tests.mjs");
    if !runner.is_file() {
        bail!("'{}' is no checkout of the specification: it has no test runner", checkout.display());
    }
    let build = ["build", "--quiet", "-p", "aqueduct-cli"];
    step("build", Command::new("cargo").args(build).current_dir(root))?;
    let aqueduct = std::env::current_exe()?.with_file_name("aqueduct");
    let place = root.join("target/conformance");
    for mode in MODES {
        let state = place.join(format!("state-{mode}"));
        std::fs::create_dir_all(&state)?;
        let evidence = place.join(format!("demo-{mode}.json"));
        let server =
            format!("'{}' serve demo --mode {mode} --state-dir '{}'", aqueduct.display(), state.display());
        println!("\n== the sample in mode {mode}, live");
        let judge = ["--level", "2", "--allow-writes", "--output"];
        let report = place.join(format!("demo-{mode}.txt"));
        let mut command = Command::new(&aqueduct);
        command.arg("conformance").arg(&server).args(judge).arg(&report).arg("--evidence").arg(&evidence);
        step("conformance", &mut command)?;
        println!("{}", report.display());
        println!("== its evidence, by the public runner");
        step(
            "public runner",
            Command::new("node").arg(&runner).arg("test").arg(&evidence).args(["--level", "2"]),
        )?;
    }
    println!("\nthe public runner accepts every bundle on level 2");
    Ok(())
}

fn step(name: &str, command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("'{name}' could not start"))?;
    if !status.success() {
        bail!("'{name}' ended with {status}");
    }
    Ok(())
}
