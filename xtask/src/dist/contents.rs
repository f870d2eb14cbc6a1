//! What packages carry: the program, its manual pages and completions, the licences, the SBOM and the samples.
//!
//! The built program in; files out, each with a path of its own and its rights. The pages and completions are what the program
//! itself prints, so that they are those of this version.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::{Release, program, read, sbom};

/// Completions: the shell, and the name of its file as the shell looks for it.
pub const SHELLS: &[(&str, &str)] = &[("bash", "aqueduct"), ("zsh", "_aqueduct"), ("fish", "aqueduct.fish")];

/// One file of a package.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Where it is in the package, with `/`.
    pub path: String,
    /// Its rights.
    pub mode: u32,
    /// What is in it.
    pub bytes: Vec<u8>,
}

impl Entry {
    /// A file that everybody may read.
    pub fn text(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Entry {
        Entry { path: path.into(), mode: 0o644, bytes: bytes.into() }
    }

    /// A file that everybody may start.
    pub fn executable(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Entry {
        Entry { path: path.into(), mode: 0o755, bytes: bytes.into() }
    }

    /// The same file elsewhere.
    pub fn at(&self, path: impl Into<String>) -> Entry {
        Entry { path: path.into(), ..self.clone() }
    }

    /// The same file in a folder.
    pub fn below(&self, folder: &str) -> Entry {
        self.at(format!("{folder}/{}", self.path))
    }

    /// Writes it into a folder.
    pub fn write_below(&self, folder: &Path) -> Result<PathBuf> {
        let path = folder.join(&self.path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(&path, &self.bytes).with_context(|| format!("cannot write {}", path.display()))?;
        fs::set_permissions(&path, fs::Permissions::from_mode(self.mode))?;
        Ok(path)
    }
}

/// What packages carry.
#[derive(Debug)]
pub struct Contents {
    /// The program.
    pub program: Entry,
    /// Its pages, by their names.
    pub pages: Vec<Entry>,
    /// Completions, by shell and name.
    pub completions: Vec<Entry>,
    /// The licences.
    pub licences: Vec<Entry>,
    /// What the program is made of.
    pub sbom: Entry,
    /// The samples, for packages that have a place where a person looks for them.
    pub examples: Vec<Entry>,
}

impl Contents {
    /// Collects it.
    pub fn collect(release: &Release<'_>, built: &Path) -> Result<Contents> {
        let licence = |name: &str| Ok::<_, anyhow::Error>(Entry::text(name, read(&release.root.join(name))?));
        let mut completions = Vec::new();
        for (shell, name) in SHELLS {
            let script = program::output(Command::new(built).args(["completions", shell]))?;
            completions.push(Entry::text(format!("{shell}/{name}"), script));
        }
        Ok(Contents {
            program: Entry::executable("aqueduct", read(built)?),
            pages: pages(&release.folder.join("pages"), built)?,
            completions,
            licences: vec![licence("LICENSE-APACHE")?, licence("LICENSE-MIT")?],
            sbom: Entry::text("sbom.cdx.json", sbom::write(release)?),
            examples: examples(&release.root.join("examples"))?,
        })
    }

    /// Everything that is beside the program, as archives and packages for other languages lay it out.
    pub fn beside_the_program(&self) -> Vec<Entry> {
        let pages = self.pages.iter().map(|page| page.below("man"));
        let completions = self.completions.iter().map(|script| script.below("completions"));
        pages.chain(completions).chain(self.licences.clone()).chain([self.sbom.clone()]).collect()
    }

    /// Writes the SBOM as a file of the release.
    pub fn write_sbom(&self, release: &Release<'_>) -> Result<PathBuf> {
        self.sbom.at(format!("aqueduct-{}.cdx.json", release.version)).write_below(&release.folder)
    }
}

/// The files of the folder with the samples.
pub(super) fn examples(folder: &Path) -> Result<Vec<Entry>> {
    let mut examples = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().context("a sample without a name")?.to_string_lossy().into_owned();
        examples.push(Entry::text(name, read(&path)?));
    }
    examples.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(examples)
}

/// The pages that the program writes.
fn pages(folder: &Path, built: &Path) -> Result<Vec<Entry>> {
    program::run(Command::new(built).args(["man", "--output-dir"]).arg(folder))?;
    let mut pages = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().context("a page without a name")?.to_string_lossy().into_owned();
        pages.push(Entry::text(name, read(&path)?));
    }
    fs::remove_dir_all(folder)?;
    pages.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(pages)
}
