//! Documents on the web, for code that cannot wait: each is fetched on a thread of its own.
//!
//! A URL in, its bytes out, now or later; whoever wants to know that something came gives a notifier. The client is another one
//! than that of calls: connections belong to the runtime in which they were opened, and that one ends here.

use super::references::{DocumentReferences, KnownDocuments};
use aqueduct_documents::disk::MAX_DOCUMENT;
use aqueduct_operations::gatekeeper::FetchPermit;
use aqueduct_source_kind::allow_refs::AllowRefs;
use aqueduct_source_kind::kind::{SourceContent, SourceKind};
use aqueduct_upstream::{
    DocumentCredentials, DocumentRequest, DocumentVersion, Environment, FetchError, FetchedDocument, NamedBy,
    ProcessEnvironment, Upstream, UpstreamSettings,
};
use std::fmt;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use url::Url;

/// Why a document cannot be had.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WebError {
    /// There is no thread or no client to fetch it with.
    #[error("it cannot be fetched: {0}")]
    NoClient(String),
    /// It was not given.
    #[error(transparent)]
    Fetch(#[from] FetchError),
}

/// Fetches a document, with what the operator gives for it.
pub(crate) fn fetch(
    url: &Url,
    named_by: NamedBy,
    given: Option<&DocumentCredentials>,
) -> Result<FetchedDocument, WebError> {
    // A thread of its own: the caller's may belong to a runtime, in which another one cannot be waited for.
    let document = DocumentRequest { named_by, known: None, credentials: given, max_bytes: MAX_DOCUMENT };
    std::thread::scope(|scope| match scope.spawn(|| fetch_here(url, document)).join() {
        Ok(fetched) => fetched,
        Err(_) => Err(WebError::NoClient("the thread that fetches it failed".to_owned())),
    })
}

fn fetch_here(url: &Url, document: DocumentRequest<'_>) -> Result<FetchedDocument, WebError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| WebError::NoClient(error.to_string()))?;
    let environment: Arc<dyn Environment> = Arc::new(ProcessEnvironment);
    let upstream = Upstream::new(UpstreamSettings::default(), environment)
        .map_err(|error| WebError::NoClient(error.to_string()))?;
    Ok(runtime.block_on(upstream.fetch(FetchPermit::document(url), document))?)
}

/// A URL without what may be secret about it.
pub fn shown(url: &Url) -> String {
    format!("{}{}", url.origin().ascii_serialization(), url.path())
}

/// A document on the web, with what is set for it.
#[derive(Debug, Clone)]
pub(super) struct WebDocument {
    /// Where it is.
    pub url: Url,
    /// What it may refer to, besides what is of its own origin.
    pub allowed: Vec<String>,
    /// What is sent to fetch it.
    pub credentials: Option<Arc<DocumentCredentials>>,
}

impl WebDocument {
    /// Reads what it refers to, some of which is known.
    pub fn references(&self, known: KnownDocuments) -> DocumentReferences {
        DocumentReferences::of_url(self.url.clone(), self.allowed.clone(), known)
            .with(self.credentials.clone())
    }
}

/// What came, with the texts of the documents that it refers to.
pub(super) type FetchedTexts = Result<(FetchedDocument, KnownDocuments), WebError>;

/// A document that is being fetched.
#[derive(Debug)]
pub(super) struct Fetching {
    came: Receiver<FetchedTexts>,
}

impl Fetching {
    /// Begins to fetch a document, and what it refers to: nothing of that is waited for when it is loaded.
    pub fn begin(
        document: WebDocument,
        kind: Arc<dyn SourceKind>,
        version: Option<DocumentVersion>,
        notifier: Notifier,
    ) -> Fetching {
        let (sender, came) = channel();
        let run = move || {
            let request = DocumentRequest {
                named_by: NamedBy::Operator,
                known: version.as_ref(),
                credentials: document.credentials.as_deref(),
                max_bytes: MAX_DOCUMENT,
            };
            let fetched = fetch_here(&document.url, request);
            let with_others = fetched.map(|fetched| {
                let reader = document.references(KnownDocuments::default());
                if let FetchedDocument::New { bytes, .. } = &fetched {
                    let content = SourceContent::Bytes { place: document.url.as_str(), bytes };
                    kind.read_references(content, &AllowRefs::new(document.allowed.iter().cloned()), &reader);
                }
                (fetched, reader.into_known())
            });
            // Nobody wants it any more when this fails.
            drop(sender.send(with_others));
            notifier.notify();
        };
        if let Err(error) = std::thread::Builder::new().name("fetch".to_owned()).spawn(run) {
            tracing::warn!(target: "aqueduct::load", %error, "a document cannot be fetched: no thread can be started");
        }
        Fetching { came }
    }

    /// What came until then; nothing when it is still under way.
    pub fn until(&self, then: Instant) -> Option<FetchedTexts> {
        match self.came.recv_timeout(then.saturating_duration_since(Instant::now())) {
            Ok(came) => Some(came),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                Some(Err(WebError::NoClient("the thread that fetches it failed".to_owned())))
            }
        }
    }
}

/// Tells whoever wants to know that a document came.
#[derive(Clone, Default)]
pub(crate) struct Notifier(Arc<Mutex<Option<FetchListener>>>);

type FetchListener = Box<dyn Fn() + Send>;

impl Notifier {
    /// Calls this from now on.
    pub fn set_listener(&self, tell: impl Fn() + Send + 'static) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(tell));
    }

    fn notify(&self) {
        if let Some(tell) = self.0.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
            tell();
        }
    }
}

impl fmt::Debug for Notifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Notifier")
    }
}
