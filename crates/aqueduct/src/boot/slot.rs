//! One adapter file: what it says now, and the version of it that is in service.
//!
//! Its bytes in, a version or problems out. What is the same as before is not loaded again, and a file that is no good
//! keeps the version in service (ruling S8).

use super::ByName;
use super::stamp::Stamp;
use aqueduct_operations::diagnostic::{Diagnostic, Position, Severity};
use aqueduct_operations::registry::{Loaded, Trouble};
use aqueduct_sources::disk::{self, MAX_ADAPTER_FILE, ReadError};
use aqueduct_sources::{SourceSettings, adapter_file};
use sha2::{Digest, Sha256};
use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How many problems of a file clients are told.
const TOLD: usize = 5;

/// Which files are read.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Look<'a> {
    /// Every one.
    All,
    /// Those with these names, and those that the system says have changed.
    Changed(&'a HashSet<OsString>),
}

/// A good version of a file.
#[derive(Debug)]
pub(super) struct Version {
    digest: [u8; 32],
    /// The source and its operations.
    pub loaded: Loaded,
}

impl Version {
    /// The source's name.
    pub fn name(&self) -> &str {
        &self.loaded.source.name
    }
}

/// One adapter file.
#[derive(Debug)]
pub(super) struct Slot {
    file: String,
    path: Option<PathBuf>,
    settings: SourceSettings,
    stamp: Option<Stamp>,
    digest: Option<[u8; 32]>,
    /// What the file says, when it is good.
    latest: Option<Arc<Version>>,
    /// What is in service.
    served: Option<Arc<Version>>,
    /// What was remarked about what the file says.
    remarks: Vec<Diagnostic>,
    /// Why what it says cannot be served beside the other sources, though it is good by itself.
    refusal: Option<Diagnostic>,
}

impl Slot {
    /// A file on disk, not read yet.
    pub fn on_disk(path: PathBuf, settings: SourceSettings) -> Slot {
        Slot { path: Some(path.clone()), ..Slot::empty(path.display().to_string(), settings) }
    }

    /// A text, which stays as it is.
    pub fn of_text(file: String, text: &str, settings: SourceSettings, by_name: &ByName) -> Slot {
        let mut slot = Slot::empty(file, settings);
        slot.take(text.as_bytes(), by_name);
        slot
    }

    fn empty(file: String, settings: SourceSettings) -> Slot {
        Slot {
            file,
            path: None,
            settings,
            stamp: None,
            digest: None,
            latest: None,
            served: None,
            remarks: Vec::new(),
            refusal: None,
        }
    }

    /// Where the file is, unless it is only a text.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Reads the file where it may have changed. True when it says something else than before.
    pub fn look(&mut self, look: Look<'_>, by_name: &ByName) -> Result<bool, ReadError> {
        let Some(path) = &self.path else { return Ok(false) };
        // Taken before the content, so that a change in between is seen the next time.
        let stamp = Stamp::of(path);
        let is_wanted = match look {
            Look::All => true,
            Look::Changed(names) => path.file_name().is_some_and(|name| names.contains(name)),
        };
        if !is_wanted && stamp.is_some() && stamp == self.stamp {
            return Ok(false);
        }
        let bytes = disk::read(path, MAX_ADAPTER_FILE)?;
        self.stamp = stamp;
        Ok(self.take(&bytes, by_name))
    }

    /// Loads the content, unless it is what was loaded last.
    fn take(&mut self, bytes: &[u8], by_name: &ByName) -> bool {
        let digest: [u8; 32] = Sha256::digest(bytes).into();
        if self.digest == Some(digest) {
            return false;
        }
        let mut outcome = adapter_file::load(&self.file, bytes, &self.settings);
        let name = outcome.loaded.as_ref().map(|loaded| loaded.source.name.as_str());
        if let Some(settings) = name.and_then(|name| by_name.settings_of(name, &self.settings)) {
            outcome = adapter_file::load(&self.file, bytes, &settings);
        }
        tracing::debug!(target: "aqueduct::load", file = self.file, loaded = outcome.loaded.is_some(), "adapter file");
        self.digest = Some(digest);
        self.latest = outcome.loaded.map(|loaded| Arc::new(Version { digest, loaded }));
        self.remarks = outcome.diagnostics;
        true
    }

    /// Notes that the file cannot be read. True when that is news.
    pub fn lose(&mut self, error: &ReadError) -> bool {
        let remark = self.remark("FILE_UNREADABLE", unreadable(error).to_owned());
        let is_news = self.remarks.len() != 1 || self.remarks[0] != remark;
        self.stamp = None;
        self.digest = None;
        self.latest = None;
        self.remarks = vec![remark];
        is_news
    }

    /// The version to serve if the other sources allow it: what the file says, else what is in service.
    pub fn offered(&self) -> Option<&Arc<Version>> {
        self.latest.as_ref().or(self.served.as_ref())
    }

    /// The version in service.
    pub fn served(&self) -> Option<&Arc<Version>> {
        self.served.as_ref()
    }

    /// True when something else is offered than what is in service.
    pub fn has_offer(&self) -> bool {
        self.latest.as_ref().is_some_and(|latest| !self.serves(latest))
    }

    fn serves(&self, version: &Version) -> bool {
        self.served.as_ref().is_some_and(|served| served.digest == version.digest)
    }

    /// Puts what is offered into service. True when that is something else than before.
    pub fn accept(&mut self) -> bool {
        let is_new = self.has_offer();
        self.refusal = None;
        self.served = self.offered().cloned();
        is_new
    }

    /// Keeps what is in service, because what the file says cannot be served beside the others. True when that is news.
    pub fn refuse(&mut self, reason: String) -> bool {
        let refusal = self.remark("SOURCE_CLASH", reason);
        let is_news = self.refusal.as_ref() != Some(&refusal);
        self.refusal = Some(refusal);
        is_news
    }

    /// The source's name, or what the file's name says while there is no good version.
    pub fn name(&self) -> String {
        let known = self.offered().map(|version| version.name().to_owned());
        let own = || known.or_else(|| adapter_file::name_prefix(&self.file).map(str::to_owned));
        self.settings.source_name.clone().or_else(own).unwrap_or_else(|| self.file_name().to_owned())
    }

    /// The file as the user named it.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// True when the file has a good version, or had one.
    pub fn is_usable(&self) -> bool {
        self.offered().is_some()
    }

    /// Everything that is remarked about the file as it is now.
    pub fn remarks(&self) -> impl Iterator<Item = &Diagnostic> {
        self.remarks.iter().chain(&self.refusal)
    }

    /// What is wrong, when what is served is not what the file says.
    pub fn trouble(&self) -> Option<Trouble> {
        if self.latest.as_ref().is_some_and(|latest| self.serves(latest)) {
            return None;
        }
        let errors = self.remarks().filter(|each| each.severity == Severity::Error);
        let name = self.served.as_ref().map(|version| version.name().to_owned());
        Some(Trouble {
            name: name.unwrap_or_else(|| self.name()),
            is_served: self.served.is_some(),
            problems: errors.take(TOLD).map(|each| self.line(each)).collect(),
        })
    }

    /// A problem in one line, with the file's name alone.
    fn line(&self, problem: &Diagnostic) -> String {
        let Diagnostic { code, path, message, position, .. } = problem;
        let place = if path.is_empty() { String::new() } else { format!("{path}: ") };
        format!("{}:{}:{}: {code} {place}{message}", self.file_name(), position.line, position.column)
    }

    fn file_name(&self) -> &str {
        self.file.rsplit(['/', '\\']).next().unwrap_or(&self.file)
    }

    fn remark(&self, code: &'static str, message: String) -> Diagnostic {
        let position = Position { file: self.file.clone(), line: 1, column: 1, source_line: String::new() };
        Diagnostic {
            severity: Severity::Error,
            code,
            path: String::new(),
            message,
            expected: None,
            received: None,
            hint: None,
            position,
        }
    }
}

/// Why a file cannot be read, without its folders.
fn unreadable(error: &ReadError) -> &'static str {
    match error {
        ReadError::Missing { .. } => "The file does not exist",
        ReadError::Directory { .. } => "It is a directory, not a file",
        ReadError::NotRegular { .. } => "It is a pipe or a device, not a regular file",
        ReadError::TooLarge { .. } => "The file is too large",
        ReadError::Unreadable { .. } => "The file cannot be read",
    }
}
