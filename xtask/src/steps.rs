//! `cargo xtask test`: every check, in the order in which a mistake is cheapest to find.
//!
//! What is missing on this machine is installed first. Each step prints a heading and lets its tool write straight to the
//! terminal. The first step that fails ends the run with its name and the command that repeats it alone.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{clients, prerequisites, repo};

/// Name of a step, and the arguments of `cargo` that perform it.
const CARGO_STEPS: &[(&str, &[&str])] = &[
    ("format", &["fmt", "--all", "--check"]),
    ("lint", &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]),
    ("lint the smallest library", &SMALLEST_LIBRARY),
    ("lint without MCP servers", &WITHOUT_SERVERS),
    ("lint the store without PostgreSQL", &WITHOUT_POSTGRES),
    ("check the fuzz targets", &FUZZ_TARGETS),
    ("test", &["test", "--workspace"]),
];

/// What is optional can be left out.
const SMALLEST_LIBRARY: [&str; 6] = ["clippy", "-p", "aqueduct", "--no-default-features", "--", "-Dwarnings"];
const WITHOUT_SERVERS: [&str; 6] =
    ["clippy", "-p", "aqueduct-cli", "--no-default-features", "--", "-Dwarnings"];
const WITHOUT_POSTGRES: [&str; 6] =
    ["clippy", "-p", "aqueduct-store", "--no-default-features", "--", "-Dwarnings"];

/// A workspace of its own, which nothing else compiles. Nothing is fuzzed, so it takes the usual compiler and none of its flags.
const FUZZ_TARGETS: [&str; 5] = ["check", "--quiet", "--locked", "--manifest-path", "fuzz/Cargo.toml"];

/// Runs every step.
pub fn run_all(root: &Path) -> Result<()> {
    heading("what is needed");
    prerequisites::set_up()?;
    for (name, arguments) in CARGO_STEPS {
        heading(name);
        let mut cargo = repo::cargo(root);
        // Tests of what must not compile are held to their error codes.
        cargo.args(*arguments).env("RUSTDOC", root.join("xtask/rustdoc.sh"));
        run(name, &mut cargo)?;
    }
    heading("clients");
    run_clients(root, None)?;
    println!("\nall steps passed");
    Ok(())
}

/// Runs the checks with real clients, or the one with this name, against a fresh debug build.
pub fn run_clients(root: &Path, name: Option<&str>) -> Result<()> {
    let scripts = clients::scripts(root, name)?;
    let clients = clients::install(root)?;
    // As the tests build it, so that nothing is built twice with other features.
    let build = ["test", "--workspace", "--no-run", "--quiet"];
    run("clients", repo::cargo(root).args(build))?;
    let aqueduct = std::env::current_exe()?.with_file_name("aqueduct");
    for script in scripts {
        println!("{}", script.display());
        run("clients", &mut clients.run(root, &script, &aqueduct))?;
    }
    Ok(())
}

fn heading(name: &str) {
    println!("\n== {name}");
}

fn run(step: &str, command: &mut Command) -> Result<()> {
    let line = command_line(command);
    let status =
        command.status().with_context(|| format!("step '{step}' could not start; its command is: {line}"))?;
    if !status.success() {
        bail!("step '{step}' failed; run it alone with: {line}");
    }
    Ok(())
}

fn command_line(command: &Command) -> String {
    std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests;
