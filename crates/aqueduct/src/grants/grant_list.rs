//! The operator's list: what files asked for, and what of it is allowed. Kept as a file of the state directory.
//!
//! Sources, files and requests in; yes or no out. A yes holds for exactly one source, file and request. Invariants: what cannot be
//! read allows nothing; the file is changed under a lock and replaced in one step.

use aqueduct_operations::consent::ConsentRequest;
use aqueduct_private_files as private_files;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

/// The most that is remembered of what was asked and never allowed: files can ask for a lot.
const MOST_WAITING: usize = 1_000;

/// One line of the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GrantEntry {
    /// The source's name.
    pub source: String,
    /// The file, links followed.
    pub file: String,
    /// What it asks for.
    pub ask: ConsentRequest,
    /// The operator said yes.
    pub allowed: bool,
}

/// Why the list could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum GrantListError {
    /// There is no directory for it.
    #[error("there is no directory for state; name one with --state-dir")]
    Nowhere,
    /// The system says no.
    #[error("{} cannot be used: {why}", path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// Why.
        why: io::Error,
    },
    /// It is not what was written.
    #[error("{} is damaged: {why}; repair it or move it away", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Why.
        why: serde_json::Error,
    },
}

/// When the file was written and how long it is: as long as both are the same, so is what it says.
type GrantListStamp = Option<(SystemTime, u64)>;

/// The list.
#[derive(Debug, Default)]
pub struct GrantList {
    path: Option<PathBuf>,
    /// What was read last, with the stamp that the file had.
    read: Mutex<Option<(GrantListStamp, Vec<GrantEntry>)>>,
}

impl GrantList {
    /// The list in this file; without one nothing is ever allowed.
    pub fn new(path: Option<PathBuf>) -> GrantList {
        GrantList { path, read: Mutex::default() }
    }

    /// True when this was asked before, whatever was said.
    pub fn is_known(&self, source: &str, file: &str, ask: &ConsentRequest) -> bool {
        self.has(|entry| entry.is(source, file, ask))
    }

    /// True when the operator said yes.
    pub fn is_allowed(&self, source: &str, file: &str, ask: &ConsentRequest) -> bool {
        self.has(|entry| entry.allowed && entry.is(source, file, ask))
    }

    /// Everything that was asked for.
    pub fn entries(&self) -> Result<Vec<GrantEntry>, GrantListError> {
        let path = self.path.as_deref().ok_or(GrantListError::Nowhere)?;
        let stamp = stamp(path);
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, entries)) = read.as_ref().filter(|(known, _)| *known == stamp) {
            return Ok(entries.clone());
        }
        let entries = load(path)?;
        *read = Some((stamp, entries.clone()));
        Ok(entries)
    }

    /// Notes that a file asks for this, so that the operator finds it. That it cannot be noted is no reason to fail: what
    /// is not there is not allowed.
    pub fn record(&self, source: &str, file: &str, requests: &[ConsentRequest]) {
        if requests.iter().all(|request| self.is_known(source, file, request)) {
            return;
        }
        let noted = self.change(|entries| {
            for ask in requests {
                let waiting = entries.iter().filter(|entry| !entry.allowed).count();
                if waiting < MOST_WAITING && !entries.iter().any(|entry| entry.is(source, file, ask)) {
                    let (source, file, ask) = (source.to_owned(), file.to_owned(), ask.clone());
                    entries.push(GrantEntry { source, file, ask, allowed: false });
                }
            }
        });
        if let Err(error) = noted {
            tracing::debug!(target: "aqueduct::load", %error, "what a file asks for is not noted");
        }
    }

    /// Allows everything of which this is true, or takes it back; gives what was changed.
    pub fn set(
        &self,
        is_meant: impl Fn(&GrantEntry) -> bool,
        allowed: bool,
    ) -> Result<Vec<GrantEntry>, GrantListError> {
        self.change(|entries| {
            let mut changed = Vec::new();
            for entry in entries.iter_mut().filter(|entry| is_meant(entry) && entry.allowed != allowed) {
                entry.allowed = allowed;
                changed.push(entry.clone());
            }
            changed
        })
    }

    fn has(&self, is_it: impl Fn(&GrantEntry) -> bool) -> bool {
        match self.entries() {
            Ok(entries) => entries.iter().any(is_it),
            Err(GrantListError::Nowhere) => false,
            Err(error) => {
                tracing::warn!(target: "aqueduct::load", %error, "what is allowed cannot be read, so nothing is");
                false
            }
        }
    }

    fn change<T>(&self, edit: impl FnOnce(&mut Vec<GrantEntry>) -> T) -> Result<T, GrantListError> {
        let path = self.path.as_deref().ok_or(GrantListError::Nowhere)?;
        let unusable = |why| GrantListError::Unusable { path: path.to_owned(), why };
        let _lock = private_files::lock(path).map_err(unusable)?;
        let mut entries = load(path)?;
        let gives = edit(&mut entries);
        let text = serde_json::to_vec(&entries).map_err(|error| unusable(error.into()))?;
        private_files::replace(path, &text).map_err(unusable)?;
        *self.read.lock().unwrap_or_else(PoisonError::into_inner) = None;
        Ok(gives)
    }
}

impl GrantEntry {
    fn is(&self, source: &str, file: &str, ask: &ConsentRequest) -> bool {
        self.source == source && self.file == file && self.ask == *ask
    }
}

fn stamp(path: &Path) -> GrantListStamp {
    let facts = fs::metadata(path).ok()?;
    Some((facts.modified().ok()?, facts.len()))
}

fn load(path: &Path) -> Result<Vec<GrantEntry>, GrantListError> {
    let unusable = |why| GrantListError::Unusable { path: path.to_owned(), why };
    let Some(text) = private_files::read(path).map_err(unusable)? else { return Ok(Vec::new()) };
    serde_json::from_slice(&text).map_err(|why| GrantListError::Damaged { path: path.to_owned(), why })
}

#[cfg(test)]
mod tests;
