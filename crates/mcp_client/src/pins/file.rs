//! The file of pins: read whole, changed under a lock, replaced in one step.
//!
//! Invariant: a file that cannot be understood is never overwritten, and of two processes that change it none loses what
//! the other wrote.

use super::compare::PinnedServer;
use aqueduct_private_files as private_files;
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How soon a file that could not be written is tried again: a watcher of its folder would see every attempt.
const RETRY: Duration = Duration::from_secs(30);

/// Why pins could not be read or written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PinsError {
    /// The file could not be read.
    #[error("{} cannot be read: {why}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why, in the system's words.
        why: String,
    },
    /// The file is not what was written.
    #[error("{} is damaged: {why}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Why, in the parser's words.
        why: String,
    },
    /// The file could not be written.
    #[error("{} cannot be written: {why}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// Why, in the system's words.
        why: String,
    },
}

/// Pins by server.
pub(super) type PinsByServer = BTreeMap<String, PinnedServer>;

/// The file.
#[derive(Debug)]
pub(super) struct PinsFile {
    path: PathBuf,
    /// The last attempt to write it that failed.
    failed: Mutex<Option<(Instant, PinsError)>>,
}

impl PinsFile {
    pub fn new(path: PathBuf) -> PinsFile {
        PinsFile { path, failed: Mutex::default() }
    }

    /// What is in it; nothing when it is not there.
    pub fn read(&self) -> Result<PinsByServer, PinsError> {
        let unreadable =
            |why: io::Error| PinsError::Unreadable { path: self.path.clone(), why: why.to_string() };
        let Some(text) = private_files::read(&self.path).map_err(unreadable)? else {
            return Ok(PinsByServer::new());
        };
        let all: PinsByServer = serde_json::from_slice(&text)
            .map_err(|error| PinsError::Damaged { path: self.path.clone(), why: error.to_string() })?;
        Ok(all.into_iter().map(|(server, pinned)| (server, pinned.hashed_again())).collect())
    }

    /// Changes what is in it while no one else does.
    pub fn change<T>(&self, change_pins: impl FnOnce(&mut PinsByServer) -> T) -> Result<T, PinsError> {
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, error)) = failed.as_ref().filter(|(when, _)| when.elapsed() < RETRY) {
            return Err(error.clone());
        }
        let changed =
            private_files::lock(&self.path).map_err(|error| self.unwritable(&error)).and_then(|_lock| {
                let mut all = self.read()?;
                let gives = change_pins(&mut all);
                let written = serde_json::to_vec(&all).map_err(io::Error::from);
                let written = written.and_then(|text| private_files::replace(&self.path, &text));
                written.map_err(|error| self.unwritable(&error))?;
                Ok(gives)
            });
        *failed = match &changed {
            Err(error @ PinsError::Unwritable { .. }) => Some((Instant::now(), error.clone())),
            _ => None,
        };
        changed
    }

    fn unwritable(&self, error: &io::Error) -> PinsError {
        PinsError::Unwritable { path: self.path.clone(), why: error.to_string() }
    }
}
