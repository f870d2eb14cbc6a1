//! How many crates from outside a program carries with the library, by what it turns on.
//!
//! The lock file in; a violation for every set of features with more crates than its bound out. The bounds leave room for a few:
//! a change that needs more looks first at what brings them, and then raises the bound with the numbers of the decision.

use super::Violation;
use crate::repo;
use anyhow::{Context, Result, bail};
use std::collections::BTreeSet;
use std::path::Path;

/// Where the numbers are.
const DECISION: &str = "docs/decisions/0036-crates-in-place-of-ours.md";

/// A set of features, and the most crates that it brings.
struct Bound {
    features: &'static str,
    most: usize,
}

const BOUNDS: [Bound; 3] = [
    Bound { features: "", most: 125 },
    Bound { features: "serve", most: 160 },
    Bound { features: "store", most: 145 },
];

pub(super) fn check(root: &Path) -> Result<Vec<Violation>> {
    let mut violations = Vec::new();
    for bound in BOUNDS {
        let tree = repo::cargo(root)
            .args(["tree", "--locked", "--package", "aqueduct", "--edges", "normal", "--prefix", "none"])
            // The same number on every machine.
            .args(["--target", "x86_64-unknown-linux-gnu", "--no-default-features", "--features"])
            .arg(bound.features)
            .output()
            .context("cargo tree")?;
        if !tree.status.success() {
            bail!("cargo tree: {}", String::from_utf8_lossy(&tree.stderr));
        }
        violations.extend(too_many(&bound, &String::from_utf8_lossy(&tree.stdout)));
    }
    Ok(violations)
}

fn too_many(bound: &Bound, tree: &str) -> Option<Violation> {
    let Bound { features, most } = bound;
    let crates = outside_crates(tree);
    let problem =
        format!("the library with the features '{features}' needs {crates} crates, {most} are allowed");
    (crates > *most)
        .then(|| Violation::new(DECISION, 1, problem, "make the new crates optional, or say there why not"))
}

/// How many crates the lines of `cargo tree` name, each once, ours left out.
fn outside_crates(tree: &str) -> usize {
    let crates = tree.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        Some((words.next()?, words.next()?))
    });
    crates.filter(|(name, _)| !name.starts_with("aqueduct")).collect::<BTreeSet<_>>().len()
}

#[cfg(test)]
mod tests;
