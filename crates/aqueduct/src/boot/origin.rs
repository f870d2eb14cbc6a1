//! Where the content of a source comes from, and whether there is something new.
//!
//! A wish to look in; new content, or nothing, out. Files are read where they may have changed, documents on the web are
//! asked for from time to time, connections whenever something is looked at.

use super::RefreshScope;
use super::stamp::FileStamp;
use super::web_content::OnWeb;
use super::web_fetch::WebError;
use crate::build_error::BuildError;
use aqueduct_documents::disk::{self, ReadError};
use aqueduct_source_kind::connection::Connection;
use bytes::Bytes;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where content comes from.
#[derive(Debug)]
pub(super) enum ContentOrigin {
    /// It was given, and stays as it is.
    Given,
    /// A file, and those that it refers to.
    Disk(OnDisk),
    /// A document on the web.
    Web(Box<OnWeb>),
    /// Something live.
    Connection(Arc<dyn Connection>),
}

/// Why there is no content.
#[derive(Debug, thiserror::Error)]
pub(super) enum NoContent {
    /// A file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A document cannot be fetched.
    #[error(transparent)]
    Web(#[from] WebError),
    /// A document is still being fetched.
    #[error("it is still being fetched")]
    NotYet,
}

impl From<NoContent> for BuildError {
    fn from(error: NoContent) -> BuildError {
        match error {
            NoContent::Read(error) => BuildError::Read(error),
            NoContent::Web(_) | NoContent::NotYet => BuildError::Web(error.to_string()),
        }
    }
}

/// A file.
#[derive(Debug)]
pub(super) struct OnDisk {
    path: PathBuf,
    stamp: Option<FileStamp>,
    references: Vec<(PathBuf, Option<FileStamp>)>,
    max_size: u64,
    /// What was read of it to see what it is.
    first: Option<FileRead>,
}

/// A file that was read.
#[derive(Debug)]
pub(super) struct FileRead {
    path: PathBuf,
    stamp: Option<FileStamp>,
    pub bytes: Bytes,
}

impl FileRead {
    /// Reads a file of at most so many bytes.
    pub fn of(path: &Path, max_size: u64) -> Result<FileRead, ReadError> {
        // Taken before the content, so that a change in between is seen the next time.
        let stamp = FileStamp::of(path);
        Ok(FileRead { path: path.to_owned(), stamp, bytes: disk::read_content(path, max_size)? })
    }
}

impl OnDisk {
    /// A file of at most so many bytes, not read yet.
    pub fn new(path: PathBuf, max_size: u64) -> OnDisk {
        OnDisk { path, stamp: None, references: Vec::new(), max_size, first: None }
    }

    /// Takes what was read already, when it is this file.
    pub fn take_first(&mut self, read: Option<FileRead>) {
        let is_right = |read: &FileRead| read.path == self.path && read.bytes.len() as u64 <= self.max_size;
        self.first = read.filter(is_right);
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The files that it refers to.
    pub fn references(&self) -> impl Iterator<Item = &Path> {
        self.references.iter().map(|(path, _)| path.as_path())
    }

    /// Remembers which files it refers to. True when they are others than before.
    pub fn refers_to(&mut self, paths: Vec<PathBuf>) -> bool {
        let are_others = !self.references().eq(paths.iter().map(PathBuf::as_path));
        self.references = paths.into_iter().map(|path| (path.clone(), FileStamp::of(&path))).collect();
        are_others
    }

    /// Reads the file where it may have changed.
    pub fn poll(&mut self, scope: RefreshScope<'_>) -> Result<Option<Bytes>, ReadError> {
        if let Some(first) = self.first.take() {
            self.stamp = first.stamp;
            return Ok(Some(first.bytes));
        }
        let stamp = FileStamp::of(&self.path);
        let is_named = |path: &Path| match scope {
            RefreshScope::All => true,
            RefreshScope::Changed(names) => path.file_name().is_some_and(|name| names.contains(name)),
            RefreshScope::Connections => false,
        };
        let is_touched = is_named(&self.path) || stamp.is_none() || stamp != self.stamp;
        let is_other_touched =
            self.references.iter().any(|(path, known)| is_named(path) || FileStamp::of(path) != *known);
        if !is_touched && !is_other_touched {
            return Ok(None);
        }
        let read = FileRead::of(&self.path, self.max_size)?;
        self.stamp = read.stamp;
        Ok(Some(read.bytes))
    }

    /// Forgets what was read, so that the next look reads again.
    pub fn forget(&mut self) {
        self.stamp = None;
    }
}
