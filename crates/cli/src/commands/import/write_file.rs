//! A file that is there whole or not at all: written beside its place, then moved there.
//!
//! A path and a text in; the file out, or why there is none. What is in the way is replaced only when asked for; a link is
//! replaced itself, not what it leads to.

use crate::report::{self, CommandError};
use std::fs::{self, OpenOptions};
use std::io::{Error, ErrorKind, Write};
use std::path::Path;

/// Writes a file that is not there yet, or replaces it when asked to; `-` is standard output.
pub fn put(path: &Path, text: &str, force: bool) -> Result<(), CommandError> {
    if path == Path::new("-") {
        report::data(text.trim_end());
        return Ok(());
    }
    let failed = |error: Error| {
        let shown = report::terminal_safe(&path.display().to_string());
        let message = match error.kind() {
            ErrorKind::AlreadyExists => format!("{shown} is there already; --force replaces it"),
            _ => format!("{shown} cannot be written: {error}"),
        };
        CommandError::io(message)
    };
    if !force && fs::symlink_metadata(path).is_ok() {
        return Err(failed(ErrorKind::AlreadyExists.into()));
    }
    let about = fs::metadata(path).ok();
    if about.as_ref().is_some_and(|about| !about.is_file()) {
        // A pipe or a device cannot be replaced, and a directory says so itself.
        let file = OpenOptions::new().write(true).open(path);
        return file.and_then(|mut file| file.write_all(text.as_bytes())).map_err(failed);
    }
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let draft = path.with_file_name(format!(".{name}.{}.draft", std::process::id()));
    let written = write(&draft, text).and_then(|()| {
        if let Some(about) = about {
            fs::set_permissions(&draft, about.permissions())?;
        }
        place(&draft, path, force)
    });
    if written.is_err() && fs::remove_file(&draft).is_err() {
        tracing::debug!(target: "aqueduct::load", "there is no draft to remove");
    }
    written.map_err(failed)
}

fn write(draft: &Path, text: &str) -> Result<(), Error> {
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).open(draft)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// Moves the draft to its place. Unless something may be replaced, nothing that came there meanwhile is.
fn place(draft: &Path, path: &Path, force: bool) -> Result<(), Error> {
    if force {
        return fs::rename(draft, path);
    }
    match fs::hard_link(draft, path) {
        Ok(()) => fs::remove_file(draft),
        // Not every file system has these links.
        Err(error) if error.kind() != ErrorKind::AlreadyExists && !path.exists() => fs::rename(draft, path),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests;
