//! The Python wheel, which `uvx` starts: the program is a script of it, as wheels call what goes into `bin`.
//!
//! Its manual page goes where Python's own go. Every file is in `RECORD` with its checksum, as the format asks.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::contents::{Contents, Entry};
use super::{Release, filled, read};

/// Makes it.
pub fn make(release: &Release<'_>, contents: &Contents) -> Result<PathBuf> {
    let name = format!("aqueduct_mcp-{}", release.version);
    let (data, info) = (format!("{name}.data"), format!("{name}.dist-info"));
    let starter = read(&release.root.join("packaging/wheel/aqueduct-mcp"))?;
    let mut entries = vec![
        contents.program.below(&format!("{data}/scripts")),
        Entry::executable(format!("{data}/scripts/aqueduct-mcp"), starter),
    ];
    entries.extend(contents.pages.iter().map(|page| page.below(&format!("{data}/data/share/man/man1"))));
    entries.extend(contents.licences.iter().map(|licence| licence.below(&format!("{info}/licenses"))));
    entries.push(contents.sbom.below(&format!("{info}/sboms")));
    let readme = crate::repo::read(&release.root.join("README.md"))?;
    let metadata = filled(release, "wheel/METADATA", &[("VERSION", &release.version)])?;
    entries.push(Entry::text(format!("{info}/METADATA"), metadata + &readme));
    let tags: Vec<String> =
        release.platform.wheel_tags.iter().map(|tag| format!("Tag: py3-none-{tag}")).collect();
    let wheel = filled(release, "wheel/WHEEL", &[("TAGS", &tags.join("\n"))])?;
    entries.push(Entry::text(format!("{info}/WHEEL"), wheel));
    let record = format!("{info}/RECORD");
    entries.push(Entry::text(record.clone(), lines_of(&entries) + &format!("{record},,\n")));
    let path = release.folder.join(format!("{name}-py3-none-{}.whl", release.platform.wheel_tags.join(".")));
    let mut archive = ZipWriter::new(File::create(&path)?);
    for entry in &entries {
        // Without a time of its own a file has that of the format's first day, so that the same files make the same bytes.
        let options = SimpleFileOptions::default().unix_permissions(0o100_000 | entry.mode);
        archive.start_file(&entry.path, options).with_context(|| entry.path.clone())?;
        archive.write_all(&entry.bytes)?;
    }
    archive.finish()?;
    Ok(path)
}

/// A line for each file: its path, its checksum and its size.
fn lines_of(entries: &[Entry]) -> String {
    let line = |entry: &Entry| {
        let sum = URL_SAFE_NO_PAD.encode(Sha256::digest(&entry.bytes));
        format!("{},sha256={sum},{}\n", entry.path, entry.bytes.len())
    };
    entries.iter().map(line).collect()
}

#[cfg(test)]
mod tests;
