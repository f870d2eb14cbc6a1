//! Reads files of users. A path and a cap in, bytes or an error worded for people out.
//!
//! No read goes beyond its cap. `clippy.toml` keeps others from opening files to read them; those that do say what else they are:
//! locks of this program's own state, and the export of a store, which is read line by line.

use bytes::Bytes;
use memmap2::MmapMut;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// The largest adapter file that is read: the largest API that is known, imported with its schemas, has about half of it.
pub const MAX_ADAPTER_FILE: u64 = 128 * 1024 * 1024;

/// The largest document that is read.
pub const MAX_DOCUMENT: u64 = 128 * 1024 * 1024;

/// From so many bytes on, content is kept out of the allocator's memory.
const LARGE_CONTENT: u64 = 1024 * 1024;

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// There is no such file.
    #[error("{} does not exist", path.display())]
    Missing {
        /// The path as it was given.
        path: PathBuf,
    },
    /// It is a directory.
    #[error("{} is a directory, not a file", path.display())]
    Directory {
        /// The path as it was given.
        path: PathBuf,
    },
    /// It is a pipe, a device or the like, which may never end.
    #[error("{} is a pipe or a device, not a regular file", path.display())]
    NotRegular {
        /// The path as it was given.
        path: PathBuf,
    },
    /// It is larger than the cap.
    #[error("{} is larger than {} MiB, the most that is read", path.display(), most / (1024 * 1024))]
    TooLarge {
        /// The path as it was given.
        path: PathBuf,
        /// The cap in bytes.
        most: u64,
    },
    /// The system does not let us read it.
    #[error("{} cannot be read: {reason}", path.display())]
    Unreadable {
        /// The path as it was given.
        path: PathBuf,
        /// The system's words.
        reason: std::io::Error,
    },
}

impl ReadError {
    fn of(path: &Path, reason: std::io::Error) -> ReadError {
        let path = path.to_owned();
        match reason.kind() {
            ErrorKind::NotFound => ReadError::Missing { path },
            ErrorKind::IsADirectory => ReadError::Directory { path },
            _ => ReadError::Unreadable { path, reason },
        }
    }
}

/// Reads a whole file of at most `most` bytes.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>, ReadError> {
    let (file, length) = open(path, most)?;
    // A file may grow while it is read: the cap holds for what is really read.
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
    file.take(most + 1).read_to_end(&mut bytes).map_err(|reason| ReadError::of(path, reason))?;
    tracing::trace!(target: "aqueduct::disk", file = %path.display(), bytes = bytes.len(), "read");
    if bytes.len() as u64 > most {
        Err(ReadError::TooLarge { path: path.to_owned(), most })
    } else {
        Ok(bytes)
    }
}

/// The same for content that is used once and may be large: its memory goes back to the system with the last clone, where an
/// allocator would keep it for itself.
pub fn read_content(path: &Path, most: u64) -> Result<Bytes, ReadError> {
    let (file, length) = open(path, most)?;
    if length < LARGE_CONTENT {
        drop(file);
        return read(path, most).map(Bytes::from);
    }
    let failed = |reason| ReadError::of(path, reason);
    let mut mapped = MmapMut::map_anon(usize::try_from(length).unwrap_or(usize::MAX)).map_err(failed)?;
    // What is appended while it is read is read the next time: the file has changed then.
    let mut file = file.take(length);
    let mut filled = 0;
    while let Some(rest) = mapped.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match file.read(rest) {
            Ok(0) => break,
            Ok(more) => filled += more,
            Err(reason) if reason.kind() == ErrorKind::Interrupted => {}
            Err(reason) => return Err(failed(reason)),
        }
    }
    tracing::trace!(target: "aqueduct::disk", file = %path.display(), bytes = filled, "read");
    Ok(Bytes::from_owner(mapped).slice(..filled))
}

/// Reads so many bytes of the beginning of a longer file of at most `most` bytes; nothing of one that is no longer.
pub fn beginning(path: &Path, most: u64, length: u64) -> Result<Option<Vec<u8>>, ReadError> {
    let (file, whole) = open(path, most)?;
    if whole <= length {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes).map_err(|reason| ReadError::of(path, reason))?;
    Ok(Some(bytes))
}

/// Opens a regular file of at most `most` bytes, and says how many it has now.
#[expect(clippy::disallowed_methods, reason = "this is the one place that opens files of users")]
fn open(path: &Path, most: u64) -> Result<(File, u64), ReadError> {
    let failed = |reason| ReadError::of(path, reason);
    // Asked before it is opened: opening a pipe waits for somebody to write into it.
    let about = std::fs::metadata(path).map_err(failed)?;
    if about.is_dir() {
        return Err(ReadError::Directory { path: path.to_owned() });
    }
    // The one device that ends at once, which is how many say that there is no file.
    if !about.is_file() && path != Path::new("/dev/null") {
        return Err(ReadError::NotRegular { path: path.to_owned() });
    }
    let file = File::open(path).map_err(failed)?;
    if about.len() > most {
        return Err(ReadError::TooLarge { path: path.to_owned(), most });
    }
    Ok((file, about.len()))
}

/// Where a path really leads, after all symbolic links.
pub fn real_path(path: &Path) -> Result<PathBuf, ReadError> {
    std::fs::canonicalize(path).map_err(|reason| ReadError::of(path, reason))
}

/// An entry of a directory. Links are what they lead to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirectoryEntry {
    /// Its name, without the directory.
    pub name: String,
    /// It is a regular file.
    pub is_file: bool,
    /// It is a directory.
    pub is_directory: bool,
}

/// The entries of a directory, in no order, read while they are taken.
pub fn entries(
    directory: &Path,
) -> Result<impl Iterator<Item = Result<DirectoryEntry, ReadError>> + use<>, ReadError> {
    let place = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
    let path = place.to_owned();
    let failed = move |reason| ReadError::of(&path, reason);
    let entries = std::fs::read_dir(place).map_err(&failed)?;
    Ok(entries.map(move |entry| {
        let path = entry.map_err(&failed)?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        Ok(DirectoryEntry { name, is_file: path.is_file(), is_directory: path.is_dir() })
    }))
}

/// The one path of a directory that may be reached by several; as it is given when it has none.
pub fn identity(directory: &Path) -> PathBuf {
    let place = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
    std::fs::canonicalize(place).unwrap_or_else(|_| place.to_owned())
}

#[cfg(test)]
mod tests;
