//! The key that cursors are sealed with: 32 random bytes in a file that only its owner can read.
//!
//! A directory in, the key in it out; made when there is none. Processes that start together agree on one key: the file is
//! whole from the moment it has its name, and a second process takes the first one's.

use aqueduct_documents::disk::{self, ReadError};
use aqueduct_private_files as private_files;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The file in the directory.
const FILE: &str = "cursor.key";
const LENGTH: usize = 32;

/// Why there is no key.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// Something else is in its file.
    #[error("{} is damaged: a key has {LENGTH} bytes; delete the file, and a new key is made", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
    },
    /// It is there and cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// None can be made.
    #[error("{} cannot be written: {reason}", path.display())]
    Write {
        /// The directory or file.
        path: PathBuf,
        /// The system's words.
        reason: io::Error,
    },
    /// The system has no randomness to give.
    #[error("the system gives no random numbers: {0}")]
    Random(getrandom::Error),
}

/// The key that is kept in a directory.
pub fn load_or_create(directory: &Path) -> Result<[u8; LENGTH], KeyError> {
    let path = directory.join(FILE);
    if let Some(key) = read(&path)? {
        return Ok(key);
    }
    let mut key = [0; LENGTH];
    getrandom::fill(&mut key).map_err(KeyError::Random)?;
    private_files::create_directory(directory)
        .map_err(|reason| KeyError::Write { path: directory.to_owned(), reason })?;
    put(&path, &key).map_err(|reason| KeyError::Write { path: path.clone(), reason })?;
    // Another process may have been first.
    Ok(read(&path)?.unwrap_or(key))
}

/// Refuses a key that is there and cannot be used; makes none.
pub fn check(directory: &Path) -> Result<(), KeyError> {
    read(&directory.join(FILE)).map(drop)
}

fn read(path: &Path) -> Result<Option<[u8; LENGTH]>, KeyError> {
    let damaged = || KeyError::Damaged { path: path.to_owned() };
    match disk::read(path, LENGTH as u64) {
        Ok(bytes) => Ok(Some(bytes.try_into().map_err(|_| damaged())?)),
        Err(ReadError::Missing { .. }) => Ok(None),
        Err(ReadError::TooLarge { .. }) => Err(damaged()),
        Err(error) => Err(error.into()),
    }
}

/// Writes the key beside its place, and gives it its name unless that is taken.
fn put(path: &Path, key: &[u8]) -> io::Result<()> {
    let draft = path.with_extension(format!("{}.new", uuid::Uuid::new_v4().simple()));
    let named = write(&draft, key).and_then(|()| match fs::hard_link(&draft, path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        // A file system without links: the later of two processes wins there, and both read it again.
        Err(_) if !path.exists() => fs::rename(&draft, path),
        other => other,
    });
    match fs::remove_file(&draft) {
        Err(error) if error.kind() != ErrorKind::NotFound => named.and(Err(error)),
        Ok(()) | Err(_) => named,
    }
}

fn write(path: &Path, key: &[u8]) -> io::Result<()> {
    let mut file = private_files::create_new(path)?;
    file.write_all(key)?;
    file.sync_all()
}

#[cfg(test)]
mod tests;
