//! What the system says about a file without its content: enough to know that it has not changed.
//!
//! A path in, a stamp to compare out. It follows links, so that a link that leads elsewhere counts as a change.

use std::fs::Metadata;
use std::path::Path;
use std::time::SystemTime;

/// The state of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileStamp {
    length: u64,
    modified: Option<SystemTime>,
    identity: FileIdentity,
}

impl FileStamp {
    /// The stamp of a file; nothing when there is no such file.
    pub fn of(path: &Path) -> Option<FileStamp> {
        let about = std::fs::metadata(path).ok()?;
        Some(FileStamp { length: about.len(), modified: about.modified().ok(), identity: identity(&about) })
    }
}

/// Which file it is, and when anything about it changed: tools set the time of modification as they like, but not this.
#[cfg(unix)]
type FileIdentity = (u64, i64, i64);

#[cfg(unix)]
fn identity(about: &Metadata) -> FileIdentity {
    use std::os::unix::fs::MetadataExt;
    (about.ino(), about.ctime(), about.ctime_nsec())
}

#[cfg(not(unix))]
type FileIdentity = Option<SystemTime>;

#[cfg(not(unix))]
fn identity(about: &Metadata) -> FileIdentity {
    about.created().ok()
}

#[cfg(test)]
mod tests;
