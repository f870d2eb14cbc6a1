//! Archives: the one of the release, and the form that npm takes.
//!
//! Files in, a compressed tar file out; the same files make the same bytes.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use flate2::{Compression, GzBuilder};
use tar::{Builder, Header};

use super::Release;
use super::contents::{Contents, Entry};

/// The program with all that is beside it, in one folder.
pub fn make(release: &Release<'_>, contents: &Contents) -> Result<PathBuf> {
    let folder = format!("aqueduct-{}-{}", release.version, release.platform.target);
    let mut entries = vec![contents.program.clone()];
    entries.push(Entry::text("README.md", super::read(&release.root.join("README.md"))?));
    entries.extend(contents.beside_the_program());
    entries.extend(contents.examples.iter().map(|sample| sample.below("examples")));
    let path = release.folder.join(format!("{folder}.tar.gz"));
    write(&path, release.time, entries.iter().map(|entry| entry.below(&folder)))?;
    Ok(path)
}

/// Bytes compressed; the same ones come out every time.
pub fn compressed(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut compressed = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
    compressed.write_all(bytes)?;
    Ok(compressed.finish()?)
}

/// Writes files of one time, owned by root, in the order that they come in.
pub fn write(path: &Path, time: u64, entries: impl Iterator<Item = Entry>) -> Result<()> {
    let mut archive = Builder::new(Vec::new());
    for entry in entries {
        let mut header = Header::new_gnu();
        header.set_size(u64::try_from(entry.bytes.len())?);
        header.set_mode(entry.mode);
        header.set_mtime(time);
        header.set_uid(0);
        header.set_gid(0);
        archive.append_data(&mut header, &entry.path, entry.bytes.as_slice())?;
    }
    // This task is not optimised, so the system's program is ten times as fast. It notes neither name nor time (-n).
    let mut gzip = Command::new("gzip");
    gzip.args(["-9", "-n", "-c"]).stdin(Stdio::piped()).stdout(File::create(path)?);
    let mut child = gzip.spawn().context("gzip cannot be started")?;
    let mut input = child.stdin.take().context("no standard input")?;
    input.write_all(&archive.into_inner()?)?;
    drop(input);
    if !child.wait()?.success() {
        bail!("gzip failed on {}", path.display());
    }
    Ok(())
}
