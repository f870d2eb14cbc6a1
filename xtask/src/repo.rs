//! The checkout as the tasks see it: its root, and its text files.
//!
//! In: the directory above this package. Out: files with `/`-separated paths relative to it, in a fixed order.
//! Build output, installed tools and version control are never part of it.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

const SKIPPED_DIRS: &[&str] = &["target", ".git", ".tools", "node_modules", "proptest-regressions"];
const TEXT_EXTENSIONS: &[&str] =
    &["rs", "md", "toml", "tsv", "py", "sh", "json", "yaml", "yml", "js", "html"];

/// A text file of the checkout.
#[derive(Debug, Clone)]
pub struct File {
    /// Path relative to the root, with `/`.
    pub path: String,
    /// Content; bytes that are not UTF-8 are replaced, because some fixtures hold them on purpose.
    pub text: String,
}

impl File {
    /// Whether the file holds tests and nothing else.
    pub fn is_test(&self) -> bool {
        self.path.ends_with("/tests.rs") || self.path.contains("/tests/")
    }

    /// Whether the file is Rust source.
    pub fn is_rust(&self) -> bool {
        has_extension(&self.path, "rs")
    }
}

/// Whether a path ends in `.extension`.
pub fn has_extension(path: &str, extension: &str) -> bool {
    Path::new(path).extension().is_some_and(|found| found == extension)
}

/// The root of the checkout.
pub fn root() -> Result<&'static Path> {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("xtask lies in the root of the workspace")
}

/// Cargo in the checkout, without what it told this task of its package: some crates are built again when that changes.
pub fn cargo(root: &Path) -> Command {
    let mut command = Command::new("cargo");
    command.current_dir(root);
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("CARGO_PKG_") || name == "CARGO_MANIFEST_DIR" {
            command.env_remove(name);
        }
    }
    command
}

/// Every text file of the checkout, sorted by path.
pub fn files(root: &Path) -> Result<Vec<File>> {
    let mut found = Vec::new();
    collect(root, root, &mut found)?;
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

/// The content of one file that must exist.
pub fn read(path: &Path) -> Result<String> {
    #[expect(clippy::disallowed_methods, reason = "tasks read the checkout itself, not a user's sources")]
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn collect(root: &Path, dir: &Path, found: &mut Vec<File>) -> Result<()> {
    for entry in std::fs::read_dir(dir).with_context(|| format!("cannot list {}", dir.display()))? {
        let entry = entry?;
        let path = entry.path();
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if entry.file_type()?.is_dir() {
            if !SKIPPED_DIRS.contains(&name.as_ref()) {
                collect(root, &path, found)?;
            }
        } else if TEXT_EXTENSIONS.iter().any(|extension| has_extension(&name, extension))
            || dir.file_name().is_some_and(|folder| folder == ".ci")
        {
            let relative = path.strip_prefix(root)?.to_string_lossy().replace('\\', "/");
            found.push(File { path: relative, text: read(&path)? });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
