//! Writes a client's file, with a copy of what was there beside it.
//!
//! A path and a text in, the path of the copy out. The new text is whole or not there at all: it is written beside the
//! file and moved into its place.

use aqueduct_private_files as private_files;
use std::ffi::OsString;
use std::fs;
use std::io::{Result, Write};
use std::path::{Path, PathBuf};

/// Writes the text. The copy of the old file, when there was one.
pub fn replace(path: &Path, text: &str) -> Result<Option<PathBuf>> {
    if !path.exists() {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(path, text)?;
        return Ok(None);
    }
    let backup = backup_of(path)?;
    fs::copy(path, &backup)?;
    write_over(path, text.as_bytes())?;
    Ok(Some(backup))
}

/// The name that a copy of the file would get: one that no earlier copy has.
pub fn backup_of(path: &Path) -> Result<PathBuf> {
    let file = path.canonicalize()?;
    let first = beside(&file, ".bak");
    let later = (2..).map(|number: u32| beside(&file, &format!(".bak{number}")));
    let free = std::iter::once(first).chain(later).find(|name| !name.exists());
    Ok(free.unwrap_or_else(|| beside(&file, ".bak")))
}

/// Puts other content into a file that is there, which keeps its permissions.
pub fn write_over(path: &Path, content: &[u8]) -> Result<()> {
    // People link to such files from elsewhere; the link stays.
    let file = path.canonicalize()?;
    let new = beside(&file, ".aqueduct-new");
    let written = private_files::open_empty(&new)
        .and_then(|mut new| new.write_all(content))
        .and_then(|()| fs::set_permissions(&new, fs::metadata(&file)?.permissions()))
        .and_then(|()| fs::rename(&new, &file));
    if written.is_err() {
        // It may not have come into being.
        drop(fs::remove_file(&new));
    }
    written
}

/// Writes a file that holds what only its owner should read.
pub fn write_private(path: &Path, content: &[u8]) -> Result<()> {
    if path.exists() {
        write_over(path, content)
    } else {
        private_files::open_empty(path)?.write_all(content)
    }
}

fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(file.file_name().unwrap_or_default());
    name.push(ending);
    file.with_file_name(name)
}
