//! Files in which this program remembers something, read and changed by several processes at once.
//!
//! A path in; its bytes, or a lock on it, out. Invariants: a file is replaced in one step, by whoever holds its lock, and
//! only its owner can read it.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// What is in the file; nothing when it is not there.
#[expect(clippy::disallowed_methods, reason = "the file is this program's own")]
pub fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        bytes => bytes.map(Some),
    }
}

/// Waits for the lock of the file, which is held as long as what this gives.
#[expect(clippy::disallowed_methods, reason = "a lock is opened, and not read")]
pub fn lock(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let path = path.with_extension("lock");
    let file = match File::open(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => private_file(&path)?,
        file => file?,
    };
    file.lock()?;
    Ok(file)
}

/// Replaces what is in the file.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let beside = path.with_extension(format!("{}.new", std::process::id()));
    let written = private_file(&beside).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&beside, path)
    });
    if written.is_err() {
        // Whatever is left of it is of no use.
        fs::remove_file(&beside).ok();
    }
    written
}

fn private_file(path: &Path) -> io::Result<File> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}
