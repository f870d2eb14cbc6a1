//! Files that only their owner can read: opened, or written whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// Opens a file to write to it; it is made where there is none, and keeps what is in it.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Replaces what is in a file. Half of it would be taken for something else.
pub(crate) fn replace(path: &Path, text: &str) -> io::Result<()> {
    let beside = path.with_extension(format!("{}.new", std::process::id()));
    let mut file = open(&beside)?;
    file.set_len(0)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&beside, path)
}
