//! Replaces a file, with a copy of what was there beside it.
//!
//! A path and a text in, the path of the copy out. The new text is whole or not there at all: it is written beside the
//! file and moved into its place.

use std::ffi::OsString;
use std::fs;
use std::io::Result;
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
    // People link to such files from elsewhere; the link stays.
    let file = path.canonicalize()?;
    let backup = free_name(&file);
    fs::copy(&file, &backup)?;
    let new = beside(&file, ".aqueduct-new");
    let written = fs::write(&new, text)
        .and_then(|()| fs::set_permissions(&new, fs::metadata(&file)?.permissions()))
        .and_then(|()| fs::rename(&new, &file));
    if let Err(error) = written {
        // It may not have come into being.
        drop(fs::remove_file(&new));
        return Err(error);
    }
    Ok(Some(backup))
}

/// A name for the copy that no earlier copy has.
fn free_name(file: &Path) -> PathBuf {
    let first = beside(file, ".bak");
    let later = (2..).map(|number: u32| beside(file, &format!(".bak{number}")));
    std::iter::once(first).chain(later).find(|name| !name.exists()).unwrap_or_else(|| beside(file, ".bak"))
}

fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(file.file_name().unwrap_or_default());
    name.push(ending);
    file.with_file_name(name)
}
