//! Where the content of a source comes from, and whether there is something new.
//!
//! A wish to look in; new content, or nothing, out. Files are read where they may have changed, documents on the web are
//! asked for from time to time, servers tell by themselves.

use super::RefreshScope;
use super::on_web::OnWeb;
use super::stamp::FileStamp;
use super::web::WebError;
use crate::build_error::BuildError;
use aqueduct_documents::disk::{self, ReadError};
use aqueduct_operations::mcp::{ServerConfig, ServerListing};
use std::path::{Path, PathBuf};

/// Where content comes from.
#[derive(Debug)]
pub(super) enum ContentOrigin {
    /// It was given, and stays as it is.
    Given,
    /// A file, and those that it refers to.
    Disk(OnDisk),
    /// A document on the web.
    Web(Box<OnWeb>),
    /// Another server.
    Server(Box<ServerConfig>),
}

/// Content that was read or fetched.
#[derive(Debug)]
pub(super) enum FetchedContent {
    /// The bytes of a file or document.
    Bytes(Vec<u8>),
    /// What a server offers.
    Listing(Box<ServerListing>),
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
}

impl OnDisk {
    /// A file of at most so many bytes, not read yet.
    pub fn new(path: PathBuf, max_size: u64) -> OnDisk {
        OnDisk { path, stamp: None, references: Vec::new(), max_size }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The files that it refers to.
    pub fn references(&self) -> impl Iterator<Item = &Path> {
        self.references.iter().map(|(path, _)| path.as_path())
    }

    /// Remembers which files it refers to.
    pub fn refers_to(&mut self, paths: impl Iterator<Item = PathBuf>) {
        self.references = paths.map(|path| (path.clone(), FileStamp::of(&path))).collect();
    }

    /// Reads the file where it may have changed.
    pub fn poll(&mut self, scope: RefreshScope<'_>) -> Result<Option<Vec<u8>>, ReadError> {
        // Taken before the content, so that a change in between is seen the next time.
        let stamp = FileStamp::of(&self.path);
        let is_named = |path: &Path| match scope {
            RefreshScope::All => true,
            RefreshScope::Changed(names) => path.file_name().is_some_and(|name| names.contains(name)),
            RefreshScope::Servers => false,
        };
        let is_touched = is_named(&self.path) || stamp.is_none() || stamp != self.stamp;
        let is_other_touched =
            self.references.iter().any(|(path, known)| is_named(path) || FileStamp::of(path) != *known);
        if !is_touched && !is_other_touched {
            return Ok(None);
        }
        let bytes = disk::read(&self.path, self.max_size)?;
        self.stamp = stamp;
        Ok(Some(bytes))
    }

    /// Forgets what was read, so that the next look reads again.
    pub fn forget(&mut self) {
        self.stamp = None;
    }
}
