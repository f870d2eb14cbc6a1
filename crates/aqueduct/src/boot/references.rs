//! What a document refers to: files beside it, and documents on the web where the operator or its origin allows them.
//!
//! A place in, its text out. What was read once is known from then on, so that loading a second time waits for nothing. All
//! of it together has a time: a document with many references to a slow server does not keep us for long.

use super::web_fetch::fetch;
use aqueduct_operations::credential_scope::{is_same_origin, origin_text};
use aqueduct_source_kind::allow_refs::AllowRefs;
use aqueduct_source_kind::disk_reader::{DiskReader, FileCache, decode};
use aqueduct_source_kind::kind::DocumentReader;
use aqueduct_upstream::{DocumentCredentials, FetchedDocument, NamedBy};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use url::Url;

/// The longest that all documents to which one refers may take together.
const PATIENCE: Duration = Duration::from_secs(20);

/// The texts of documents on the web by their URLs, or why there is none.
pub(crate) type KnownDocuments = HashMap<String, Result<String, String>>;

/// Reads what a document refers to.
pub(crate) struct DocumentReferences {
    from: ReferenceOrigin,
    allowed: Vec<String>,
    known: Mutex<KnownDocuments>,
    until: Instant,
    given: Option<Arc<DocumentCredentials>>,
}

enum ReferenceOrigin {
    /// A file: what is beside it is read from the disk.
    File(DiskReader),
    /// A URL: what is beside it is as reachable as it is.
    Url(Url),
}

impl DocumentReferences {
    /// What a document in a file refers to. Which documents it may refer to is decided by the reader.
    pub fn of_file(file: &str, allowed: Vec<String>, files: FileCache) -> DocumentReferences {
        let beside = DiskReader::beside(file, &AllowRefs::new(allowed.iter().cloned())).sharing(files);
        DocumentReferences::new(ReferenceOrigin::File(beside), allowed, KnownDocuments::default())
    }

    /// What a document on the web refers to, some of which is known.
    pub fn of_url(url: Url, allowed: Vec<String>, known: KnownDocuments) -> DocumentReferences {
        DocumentReferences::new(ReferenceOrigin::Url(url), allowed, known)
    }

    fn new(from: ReferenceOrigin, allowed: Vec<String>, known: KnownDocuments) -> DocumentReferences {
        DocumentReferences {
            from,
            allowed,
            known: Mutex::new(known),
            until: Instant::now() + PATIENCE,
            given: None,
        }
    }

    /// The same with what the operator gives for the document, which documents of its own origin get too.
    pub fn with(self, given: Option<Arc<DocumentCredentials>>) -> DocumentReferences {
        DocumentReferences { given, ..self }
    }

    /// All that is known by now.
    pub fn into_known(self) -> KnownDocuments {
        self.known.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Who named this address: the operator, where the document itself is of that origin or a pattern begins with it.
    fn named_by(&self, url: &Url) -> NamedBy {
        let origin = format!("{}/", origin_text(url));
        let is_own = matches!(&self.from, ReferenceOrigin::Url(own) if is_same_origin(own, url));
        let is_named = |pattern: &String| {
            let literal = pattern.split('*').next().unwrap_or_default();
            literal.starts_with(&origin)
        };
        if is_own || self.allowed.iter().any(is_named) { NamedBy::Operator } else { NamedBy::Document }
    }

    fn fetched(&self, url: &Url) -> Result<String, String> {
        if Instant::now() >= self.until {
            let seconds = PATIENCE.as_secs();
            return Err(format!("the {seconds} seconds for all documents that are referred to are over"));
        }
        match fetch(url, self.named_by(url), self.given.as_deref()).map_err(|error| error.to_string())? {
            FetchedDocument::New { bytes, .. } => decode(bytes).map_err(|error| error.to_string()),
            FetchedDocument::Unchanged => {
                Err("the server says that it has not changed, though it was not known".to_owned())
            }
        }
    }
}

impl DocumentReader for DocumentReferences {
    fn read(&self, place: &str) -> Result<String, String> {
        let is_on_the_web = ["http://", "https://"].iter().any(|start| place.starts_with(start));
        if let ReferenceOrigin::File(beside) = &self.from
            && !is_on_the_web
        {
            return beside.read(place);
        }
        let url = Url::parse(place)
            .ok()
            .filter(|_| is_on_the_web)
            .ok_or_else(|| format!("'{place}' is not a URL"))?;
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(place).cloned();
        if let Some(known) = known {
            return known;
        }
        let text = self.fetched(&url);
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(place.to_owned(), text.clone());
        text
    }
}

#[cfg(test)]
mod tests;
