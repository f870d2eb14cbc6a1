//! `cargo xtask dist --crates`: every crate that is published packs and builds as its package, with nothing in it that does not
//! belong.
//!
//! In: the workspace. Out: an error that names a crate and a file, or nothing. Cargo itself builds each package from its archive,
//! with the others beside it.

use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::program;

/// What a package has to have.
const NEEDED: &[&str] = &["Cargo.toml", "LICENSE-APACHE", "LICENSE-MIT"];

/// Packs and builds all of them.
pub fn check(root: &Path) -> Result<()> {
    let names = published(root)?;
    for name in &names {
        let mut list = program::cargo(root);
        let files = program::output(list.args(["package", "--list", "--allow-dirty", "-p", name]))?;
        let problems = problems_of(&files);
        if !problems.is_empty() {
            bail!("the package {name}: {}", problems.join("; "));
        }
    }
    let mut package = program::cargo(root);
    package.args(["package", "--locked", "--allow-dirty"]);
    for name in &names {
        package.args(["-p", name]);
    }
    program::run(&mut package)?;
    println!("{} crates can be published", names.len());
    Ok(())
}

/// The crates of the workspace that are published.
fn published(root: &Path) -> Result<Vec<String>> {
    let mut metadata = program::cargo(root);
    let text = program::output(metadata.args(["metadata", "--no-deps", "--format-version", "1"]))?;
    let metadata: Value = serde_json::from_str(&text)?;
    let packages = metadata["packages"].as_array().context("no packages")?;
    let is_published = |package: &&Value| package["publish"].is_null();
    packages.iter().filter(is_published).map(name_of).collect()
}

/// The name of a package that has all that a registry asks for.
fn name_of(package: &Value) -> Result<String> {
    let name = package["name"].as_str().context("a package without a name")?;
    for key in ["description", "license"] {
        if package[key].as_str().is_none_or(str::is_empty) {
            bail!("the package {name} has no {key}");
        }
    }
    Ok(name.to_owned())
}

/// What is wrong with the files of a package.
fn problems_of(files: &str) -> Vec<String> {
    let paths: Vec<&str> = files.lines().collect();
    let missing = NEEDED.iter().filter(|needed| !paths.contains(needed));
    let missing = missing.map(|needed| format!("{needed} is missing"));
    let is_of_tests =
        |path: &&&str| path.split('/').any(|part| matches!(part, "tests" | "tests.rs" | "examples"));
    let too_much = paths.iter().filter(is_of_tests).map(|path| format!("{path} does not belong there"));
    missing.chain(too_much).collect()
}

#[cfg(test)]
mod tests;
