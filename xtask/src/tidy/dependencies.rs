//! Every dependency of a crate is used by it.
//!
//! In: the manifests and the Rust files. Out: a violation for every dependency that no file of the crate names. A
//! name in a comment counts as a use: the check finds what was forgotten, and does not parse Rust.

use anyhow::{Context, Result};
use std::collections::HashSet;
use toml::Table;

use super::{Violation, manifest};
use crate::repo::{self, File};

/// Checks every manifest.
pub(super) fn check(files: &[File]) -> Result<Vec<Violation>> {
    let mut violations = Vec::new();
    for file in files {
        let Some(folder) = file.path.strip_suffix("Cargo.toml").filter(|folder| !folder.is_empty()) else {
            continue;
        };
        let manifest: Table = file.text.parse().with_context(|| file.path.clone())?;
        let names = names_in(files, folder);
        for dependency in manifest::dependencies(&manifest, manifest::ALL) {
            let dependency = dependency.key;
            if !names.contains(dependency.replace('-', "_").as_str()) {
                violations.push(Violation::new(
                    &file.path,
                    line_of(file, &dependency),
                    format!("'{dependency}' is not used"),
                    "take it out of the manifest",
                ));
            }
        }
    }
    Ok(violations)
}

fn line_of(file: &File, dependency: &str) -> usize {
    file.text.lines().position(|line| line.starts_with(dependency)).map_or(1, |index| index + 1)
}

/// Every word of the Rust files in a folder.
fn names_in<'a>(files: &'a [File], folder: &str) -> HashSet<&'a str> {
    let is_ours = |file: &&File| file.path.starts_with(folder) && repo::has_extension(&file.path, "rs");
    let words = |file: &'a File| file.text.split(|c: char| !c.is_alphanumeric() && c != '_');
    files.iter().filter(is_ours).flat_map(words).collect()
}

#[cfg(test)]
mod tests;
