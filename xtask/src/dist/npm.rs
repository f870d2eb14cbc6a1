//! The npm package, which `npx` starts.
//!
//! Its command is the program itself, without a script of Node around it: signals and streams go straight to it, and no second
//! process stays in memory.

use std::path::PathBuf;

use anyhow::Result;

use super::contents::{Contents, Entry};
use super::{Release, archive, filled};

/// Makes it.
pub fn make(release: &Release<'_>, contents: &Contents) -> Result<PathBuf> {
    let values = [
        ("VERSION", release.version.as_str()),
        ("OS", std::env::consts::OS),
        ("CPU", release.platform.npm_cpu),
    ];
    let mut entries = vec![
        Entry::text("package.json", filled(release, "npm/package.json", &values)?),
        Entry::text("README.md", super::read(&release.root.join("README.md"))?),
        contents.program.below("bin"),
    ];
    entries.extend(contents.beside_the_program());
    let name = format!("aqueduct-mcp-{}-linux-{}.tgz", release.version, release.platform.npm_cpu);
    let path = release.folder.join(name);
    archive::write(&path, release.time, entries.iter().map(|entry| entry.below("package")))?;
    Ok(path)
}
