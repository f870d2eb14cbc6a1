//! A document on the web as the content of a source: fetched in the background, asked for again from time to time.
//!
//! A wish to look in; new content, nothing, or why there is none out. Only a caller that wants everything waits for it.

use super::RefreshScope;
use super::origin::NoContent;
use super::references::{DocumentReferences, KnownDocuments};
use super::web_fetch::{FetchHandle, NewDocument, Notifier, WebDocument};
use aqueduct_source_kind::kind::SourceKind;
use aqueduct_upstream::DocumentVersion;
use bytes::Bytes;
use std::sync::Arc;
use std::time::{Duration, Instant};
use url::Url;

/// How often a document on the web is asked for.
const REFRESH: Duration = Duration::from_secs(300);

/// How soon again after it could not be had for the first time; twice as long each time after.
const RETRY: Duration = Duration::from_secs(5);

/// The longest wait for it: a little more than fetching it and what it refers to may take.
pub(super) const LONGEST: Duration = Duration::from_secs(45);

/// A document on the web.
#[derive(Debug)]
pub(super) struct OnWeb {
    document: WebDocument,
    /// What the document that came last is.
    kind: Option<Arc<dyn SourceKind>>,
    notifier: Notifier,
    version: Option<DocumentVersion>,
    fetching: Option<FetchHandle>,
    /// What it refers to, as far as that was read with it.
    known: KnownDocuments,
    next: Option<Instant>,
    failures: u32,
    /// It was there, or is known not to be.
    is_settled: bool,
}

impl OnWeb {
    /// A document, not fetched yet.
    pub fn new(document: WebDocument, notifier: Notifier) -> OnWeb {
        OnWeb {
            document,
            kind: None,
            notifier,
            version: None,
            fetching: None,
            known: KnownDocuments::default(),
            next: None,
            failures: 0,
            is_settled: false,
        }
    }

    pub fn url(&self) -> &Url {
        &self.document.url
    }

    /// What the document that came last is; nothing when no kind knows it.
    pub fn kind(&self) -> Option<&Arc<dyn SourceKind>> {
        self.kind.as_ref()
    }

    /// Reads what it refers to, where that was not read with it.
    pub fn references(&self, allowed: Vec<String>) -> DocumentReferences {
        WebDocument { allowed, ..self.document.clone() }.references(self.known.clone())
    }

    /// Begins to fetch it, unless that is under way.
    pub fn begin(&mut self) {
        if self.fetching.is_none() {
            let (document, version) = (self.document.clone(), self.version.clone());
            self.fetching = Some(FetchHandle::begin(document, version, self.notifier.clone()));
        }
    }

    /// Asks for the document when it is time, or when everything is to be looked at; gives what has come.
    pub fn poll(&mut self, scope: RefreshScope<'_>) -> Result<Option<Bytes>, NoContent> {
        let is_due = self.next.is_none_or(|next| Instant::now() >= next);
        let is_wanted = match scope {
            RefreshScope::All => true,
            RefreshScope::Changed(_) => is_due,
            // One that was never there is as good as a connection that is not open.
            RefreshScope::Connections => is_due && self.version.is_none(),
        };
        if is_wanted {
            self.begin();
        }
        let now = Instant::now();
        self.poll_until(if matches!(scope, RefreshScope::All) { now + LONGEST } else { now })
    }

    /// What has come until then. While it was never there and may still come, that is reported.
    pub fn poll_until(&mut self, then: Instant) -> Result<Option<Bytes>, NoContent> {
        let Some(fetching) = &self.fetching else { return Ok(None) };
        let Some(fetched) = fetching.until(then) else {
            return if self.is_settled { Ok(None) } else { Err(NoContent::NotYet) };
        };
        self.fetching = None;
        self.is_settled = true;
        match fetched {
            Ok(new) => {
                self.next = Some(Instant::now() + REFRESH);
                self.failures = 0;
                let Some(NewDocument { bytes, version, kind, known }) = new else { return Ok(None) };
                (self.version, self.kind, self.known) = (Some(version), kind, known);
                Ok(Some(bytes))
            }
            Err(error) => {
                self.next = Some(Instant::now() + (RETRY * 2_u32.pow(self.failures.min(5))).min(REFRESH));
                self.failures += 1;
                Err(NoContent::Web(error))
            }
        }
    }

    /// Forgets what was fetched, so that the next answer counts as new.
    pub fn forget(&mut self) {
        self.version = None;
    }
}
