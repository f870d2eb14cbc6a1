//! New content of a source: looked for, and loaded when it differs from what was loaded last.
//!
//! A scope in; whether the source says something else than before out.

use super::problems::{CONNECTION_NOT_READY, DOCUMENT_UNREADABLE, unreadable};
use super::{ConnectionNaming, SourceState, SourceVersion};
use crate::boot::loading::{self, BootOutcome, LoadContext, LoadRequest};
use crate::boot::origin::{ContentOrigin, FileRead, NoContent};
use crate::boot::recognise::unknown;
use crate::grants::{FileOrigin, FileTrust};
use aqueduct_documents::disk;
use aqueduct_operations::digest::Sha256;
use aqueduct_source_kind::disk_reader::FileCache;
use aqueduct_source_kind::kind::SourceKind;
use aqueduct_source_kind::linked_content::hide_linked_content;
use aqueduct_source_kind::settings::SourceSettings;
use aqueduct_source_kind::side_by_side::both_with;
use bytes::Bytes;
use std::collections::HashSet;
use std::ffi::OsString;
use std::sync::Arc;
use std::time::Instant;

/// Which sources are looked at.
#[derive(Debug, Clone, Copy)]
pub(crate) enum RefreshScope<'a> {
    /// Every one.
    All,
    /// Files with these names, and those that the system says have changed; whatever else is due.
    Changed(&'a HashSet<OsString>),
    /// Connections, and documents on the web that were never there.
    Connections,
}

impl SourceState {
    /// Takes what was read of the file to see what it is.
    pub fn take_first(&mut self, read: Option<FileRead>) {
        if let ContentOrigin::Disk(on_disk) = &mut self.origin {
            on_disk.take_first(read);
        }
    }

    /// Begins to fetch a document on the web.
    pub fn begin(&mut self) {
        if let ContentOrigin::Web(on_web) = &mut self.origin {
            on_web.begin();
        }
    }

    /// Takes a document on the web that comes until then, or notes why it did not.
    pub fn wait(&mut self, then: Instant, context: &LoadContext) {
        let ContentOrigin::Web(on_web) = &mut self.origin else { return };
        match on_web.poll_until(then) {
            Ok(content) => drop(content.map(|content| self.load(content, context))),
            Err(error) => drop(self.mark_missing(&error)),
        }
    }

    /// Takes new content where there may be some. True when it says something else than before.
    pub fn poll(&mut self, scope: RefreshScope<'_>, context: &LoadContext) -> Result<bool, NoContent> {
        let content = match &mut self.origin {
            ContentOrigin::Given => None,
            ContentOrigin::Disk(_) if matches!(scope, RefreshScope::Connections) => None,
            ContentOrigin::Disk(on_disk) => on_disk.poll(scope)?,
            ContentOrigin::Web(on_web) => on_web.poll(scope)?,
            ContentOrigin::Connection(connection) => match connection.offer() {
                Ok(offer) => {
                    self.withheld = offer.withheld;
                    if let ConnectionNaming::Itself(name) = &mut self.naming {
                        *name = offer.own_name;
                    }
                    Some(offer.content.into())
                }
                Err(why) => return Ok(why.is_some_and(|why| self.wait_for(&why))),
            },
        };
        Ok(content.is_some_and(|content| self.load(content, context)))
    }

    /// Loads the content, unless it is what was loaded last.
    pub(super) fn load(&mut self, content: Bytes, context: &LoadContext) -> bool {
        // What it refers to is compared and loaded, and read once for both.
        let files = FileCache::default();
        let file = &self.file;
        let hash = |content: &Bytes| {
            tracing::trace!(target: "aqueduct::load", file, "content is hashed");
            let mut hashed = Sha256::new();
            hashed.update(content);
            hashed
        };
        // Where nothing was loaded before, there is nothing to compare with first.
        let digested = self.digest.is_some().then(|| {
            let hashed = hash(&content);
            (hashed.clone(), self.digest_of(hashed, &files))
        });
        if digested.as_ref().is_some_and(|(_, digest)| self.digest == Some(*digest)) {
            return false;
        }
        let Some(kind) = self.kind_of_content() else {
            let digest =
                digested.map_or_else(|| self.digest_of(hash(&content), &files), |(_, digest)| digest);
            (self.digest, self.latest) = (Some(digest), None);
            return self.note("UNKNOWN_KIND", unknown(&self.file, &context.kinds));
        };
        let settings = self.settings_in_force();
        let location = self.path().and_then(|path| disk::real_path(path).ok());
        let location = location.map_or_else(|| self.file.clone(), |path| path.display().to_string());
        let trust = FileTrust {
            file: &location,
            file_origin: self.file_origin,
            is_named: self.directory.is_none(),
            granted_at_start: &self.granted_at_start,
            first_name: self.first_name.as_deref(),
        };
        let request = LoadRequest {
            file: &self.file,
            kind: &*kind,
            origin: &self.origin,
            files: &files,
            withheld: &self.withheld,
            settings: &settings,
            trust,
        };
        let (hashed, mut digest, outcome) = match digested {
            Some((hashed, digest)) => (hashed, digest, loading::load(&request, content, context)),
            None => {
                let (hashed, outcome) = both_with(content.len(), content, hash, |content| {
                    loading::load(&request, content, context)
                });
                let digest = self.digest_of(hashed.clone(), &files);
                (hashed, digest, outcome)
            }
        };
        let BootOutcome { content: loading, uncorrected, granted } = outcome;
        tracing::debug!(target: "aqueduct::load", file = self.file, loaded = loading.loaded.is_some(), "source");
        if let ContentOrigin::Disk(on_disk) = &mut self.origin {
            let watched = kind.watch(on_disk.path(), loading.references);
            // Which other files belong to it is known only now.
            if on_disk.refers_to(watched) {
                digest = self.digest_of(hashed, &files);
            }
        }
        self.digest = Some(digest);
        if self.file_origin != FileOrigin::Later {
            self.granted_at_start = granted;
        }
        let is_given = self.file_origin != FileOrigin::Later || self.directory.is_none();
        if self.first_name.is_none() && is_given {
            self.first_name = loading.loaded.as_ref().map(|loaded| loaded.source.name.clone());
        }
        let report = loading.report;
        self.latest =
            loading.loaded.map(|loaded| Arc::new(SourceVersion::new(digest, loaded, report, uncorrected)));
        self.diagnostics = match (&self.directory, self.path()) {
            (Some(directory), Some(file)) => hide_linked_content(directory, file, loading.diagnostics),
            _ => loading.diagnostics,
        };
        true
    }

    /// What the content is. Only a document on the web can turn out to be of no kind.
    fn kind_of_content(&self) -> Option<Arc<dyn SourceKind>> {
        match &self.origin {
            ContentOrigin::Web(on_web) => on_web.kind().cloned(),
            _ => self.kind.clone(),
        }
    }

    fn settings_in_force(&self) -> SourceSettings {
        let own_name = match &self.naming {
            ConnectionNaming::Itself(name) => name.clone(),
            ConnectionNaming::Reach => None,
        };
        let settings = self.settings.clone();
        SourceSettings { source_name: settings.source_name.clone().or(own_name), ..settings }
    }

    /// Tells versions of the content, which is in the digest already, apart, with that of the files which it refers to.
    fn digest_of(&self, mut digest: Sha256, files: &FileCache) -> [u8; 32] {
        if let ContentOrigin::Disk(on_disk) = &self.origin {
            for path in on_disk.references() {
                // One that cannot be read is another version than any that can.
                tracing::trace!(target: "aqueduct::load", file = %path.display(), "content is hashed");
                digest.update(files.read(path).as_deref().unwrap_or_default());
            }
        }
        *digest.finish().bytes()
    }

    /// Notes that there is no content. True when that is news.
    pub fn mark_missing(&mut self, error: &NoContent) -> bool {
        let (code, message) = match error {
            NoContent::Read(error) => ("FILE_UNREADABLE", unreadable(error).to_owned()),
            NoContent::Web(error) => (DOCUMENT_UNREADABLE, format!("The document is not there: {error}")),
            NoContent::NotYet => {
                return self.note("DOCUMENT_NOT_READY", "The document is still being fetched".to_owned());
            }
        };
        let is_news = self.note(code, message);
        match &mut self.origin {
            ContentOrigin::Disk(on_disk) => on_disk.forget(),
            ContentOrigin::Web(on_web) => on_web.forget(),
            ContentOrigin::Given | ContentOrigin::Connection(_) => {}
        }
        self.digest = None;
        self.latest = None;
        is_news
    }

    /// Notes that a connection has not said yet what it offers. What it offered before goes on to be offered.
    fn wait_for(&mut self, why: &str) -> bool {
        if self.latest.is_some() { false } else { self.note(CONNECTION_NOT_READY, why.to_owned()) }
    }

    fn note(&mut self, code: &'static str, message: String) -> bool {
        let error = self.error(code, message);
        let is_news = self.diagnostics.len() != 1 || self.diagnostics[0] != error;
        self.diagnostics = vec![error];
        is_news
    }
}
