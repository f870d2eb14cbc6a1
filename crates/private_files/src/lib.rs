//! Files in which this program remembers something, read and changed by several processes at once.
//!
//! A path in; its bytes, an open file, or a lock on it, out. Invariants: whatever is made here can be read by its owner alone,
//! and a file is replaced in one step. A half-written one is removed.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// What is in a file; nothing when it is not there.
#[expect(clippy::disallowed_methods, reason = "the file is this program's own")]
pub fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        bytes => bytes.map(Some),
    }
}

/// Opens a file to write to it; it is made where there is none, and keeps what is in it.
pub fn open(path: &Path) -> io::Result<File> {
    options().create(true).truncate(false).open(path)
}

/// Opens a file to write to it, with nothing in it.
pub fn open_empty(path: &Path) -> io::Result<File> {
    options().create(true).truncate(true).open(path)
}

/// Makes a file, and fails where there is one of this name.
pub fn create_new(path: &Path) -> io::Result<File> {
    options().create_new(true).open(path)
}

/// Makes a directory with those above it. What is there already keeps its permissions.
pub fn create_directory(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Waits for the lock of a file, which is held as long as what this gives.
#[expect(clippy::disallowed_methods, reason = "a lock is opened, and not read")]
pub fn lock(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        create_directory(folder)?;
    }
    let path = path.with_extension("lock");
    // Where the directory cannot be written, the lock of an earlier run still can be taken.
    let file = match File::open(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => open(&path)?,
        file => file?,
    };
    file.lock()?;
    Ok(file)
}

/// Replaces what is in a file: readers see the whole of the old bytes or the whole of the new ones.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    static DRAFTS: AtomicU64 = AtomicU64::new(0);
    let number = DRAFTS.fetch_add(1, Ordering::Relaxed);
    let draft = path.with_extension(format!("{}-{number}.new", std::process::id()));
    let written = open_empty(&draft).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&draft, path)
    });
    if written.is_err() {
        // The error of writing says more than one of removing.
        fs::remove_file(&draft).ok();
    }
    written
}

fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

#[cfg(test)]
mod tests;
