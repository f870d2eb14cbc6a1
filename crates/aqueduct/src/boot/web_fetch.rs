//! Documents on the web, for code that cannot wait: each is fetched on a thread of its own.
//!
//! A URL in, its bytes out, now or later; a notifier is called when something has come. The client is another one
//! than that of calls: connections belong to the runtime in which they were opened, and that one ends here.

use super::recognise::by_content;
use super::references::{DocumentReferences, KnownDocuments};
use aqueduct_documents::disk::MAX_DOCUMENT;
use aqueduct_operations::gatekeeper::FetchPermit;
use aqueduct_source_kind::allow_refs::AllowRefs;
use aqueduct_source_kind::kind::{LocationKind, SourceContent, SourceKind};
use aqueduct_source_kind::settings::SourceSettings;
use aqueduct_sources::kind_table::KindTable;
use aqueduct_upstream::{
    DocumentCredentials, DocumentRequest, DocumentVersion, Environment, FetchError, FetchedDocument, NamedBy,
    ProcessEnvironment, Upstream, UpstreamSettings,
};
use bytes::Bytes;
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
    let upstream = Upstream::new(UpstreamSettings::default(), environment);
    Ok(runtime.block_on(upstream.fetch(FetchPermit::document(url), document))?)
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
    /// What it is, where its URL told already.
    pub kind: Option<Arc<dyn SourceKind>>,
    /// The kinds that are asked otherwise, when it has come.
    pub kinds: KindTable,
}

impl WebDocument {
    /// A document with what is set for it: what it may refer to, and what is sent to fetch it.
    pub fn new(
        url: Url,
        kind: Option<Arc<dyn SourceKind>>,
        kinds: &KindTable,
        settings: &SourceSettings,
    ) -> WebDocument {
        let credentials = settings.has_credentials().then(|| {
            let auth = settings.auth.clone().unwrap_or_default();
            Arc::new(DocumentCredentials { url: url.clone(), auth, headers: settings.headers.clone() })
        });
        WebDocument { url, allowed: settings.allow_refs.clone(), credentials, kind, kinds: kinds.clone() }
    }

    /// Reads what it refers to, some of which is known.
    pub fn references(&self, known: KnownDocuments) -> DocumentReferences {
        DocumentReferences::of_url(self.url.clone(), self.allowed.clone(), known)
            .with(self.credentials.clone())
    }
}

/// A document that came and is new.
#[derive(Debug)]
pub(super) struct NewDocument {
    /// What is in it.
    pub bytes: Bytes,
    /// Tells whether the next one is another.
    pub version: DocumentVersion,
    /// What it is; nothing when no kind knows it.
    pub kind: Option<Arc<dyn SourceKind>>,
    /// The texts of the documents that it refers to.
    pub known: KnownDocuments,
}

/// What came; nothing when it is as it was.
pub(super) type FetchResult = Result<Option<NewDocument>, WebError>;

/// A document that is being fetched.
#[derive(Debug)]
pub(super) struct FetchHandle {
    fetched: Receiver<FetchResult>,
}

impl FetchHandle {
    /// Begins to fetch a document, and what it refers to: nothing of that is waited for when it is loaded.
    pub fn begin(document: WebDocument, version: Option<DocumentVersion>, notifier: Notifier) -> FetchHandle {
        let (sender, fetched) = channel();
        let run = move || {
            let request = DocumentRequest {
                named_by: NamedBy::Operator,
                known: version.as_ref(),
                credentials: document.credentials.as_deref(),
                max_bytes: MAX_DOCUMENT,
            };
            let fetched = fetch_here(&document.url, request);
            let new = fetched.map(|fetched| match fetched {
                FetchedDocument::New { bytes, version, .. } => {
                    Some(with_references(&document, bytes, version))
                }
                FetchedDocument::Unchanged => None,
            });
            // No one wants it any more when this fails.
            drop(sender.send(new));
            notifier.notify();
        };
        if let Err(error) = std::thread::Builder::new().name("fetch".to_owned()).spawn(run) {
            tracing::warn!(target: "aqueduct::load", %error, "a document cannot be fetched: no thread can be started");
        }
        FetchHandle { fetched }
    }

    /// What came until then; nothing when it is still under way.
    pub fn until(&self, then: Instant) -> Option<FetchResult> {
        match self.fetched.recv_timeout(then.saturating_duration_since(Instant::now())) {
            Ok(fetched) => Some(fetched),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                Some(Err(WebError::NoClient("the thread that fetches it failed".to_owned())))
            }
        }
    }
}

/// A document with what its kind refers to in it.
fn with_references(document: &WebDocument, bytes: Vec<u8>, version: DocumentVersion) -> NewDocument {
    let bytes = Bytes::from(bytes);
    let by_content = || by_content(document.url.as_str(), LocationKind::Web, &bytes, &document.kinds);
    let kind = document.kind.clone().or_else(by_content);
    let reader = document.references(KnownDocuments::default());
    if let Some(kind) = &kind {
        let content = SourceContent { place: document.url.as_str(), bytes: bytes.clone() };
        kind.read_references(content, &AllowRefs::new(document.allowed.iter().cloned()), &reader);
    }
    NewDocument { bytes, version, kind, known: reader.into_known() }
}

/// Calls a listener when a document has come.
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
