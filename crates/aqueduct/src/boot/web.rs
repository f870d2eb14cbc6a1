//! Documents on the web, for code that cannot wait: each is fetched on a thread of its own.
//!
//! A URL in, its text out. The caller is another one than that of calls: connections belong to the runtime in which they
//! were opened, and that one ends here.

use aqueduct_sources::openapi::read::{MAX_DOCUMENT, Reader};
use aqueduct_upstream::{
    DocumentVersion, Environment, FetchError, Fetched, NamedBy, ProcessEnvironment, Upstream,
    UpstreamSettings,
};
use std::sync::Arc;
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

/// Fetches a document, unless it is still the version that is known.
pub(crate) fn fetch(
    url: &Url,
    named_by: NamedBy,
    known: Option<&DocumentVersion>,
) -> Result<Fetched, WebError> {
    let fetching = || -> Result<Fetched, WebError> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| WebError::NoClient(error.to_string()))?;
        let environment: Arc<dyn Environment> = Arc::new(ProcessEnvironment);
        let upstream = Upstream::new(UpstreamSettings::default(), environment)
            .map_err(|error| WebError::NoClient(error.to_string()))?;
        Ok(runtime.block_on(upstream.fetch(url, (named_by, known), MAX_DOCUMENT))?)
    };
    // A thread of its own: the caller's may belong to a runtime, in which another one cannot be waited for.
    std::thread::scope(|scope| match scope.spawn(fetching).join() {
        Ok(fetched) => fetched,
        Err(_) => Err(WebError::NoClient("the thread that fetches it failed".to_owned())),
    })
}

/// Reads what a document on the web refers to.
pub(crate) struct WebReader {
    /// The document itself: what is beside it is as reachable as it is.
    pub document: Url,
}

impl Reader for WebReader {
    fn read(&self, place: &str) -> Result<String, String> {
        let url = Url::parse(place).map_err(|_| format!("'{place}' is not a URL"))?;
        let named_by =
            if url.origin() == self.document.origin() { NamedBy::Operator } else { NamedBy::Document };
        match fetch(&url, named_by, None).map_err(|error| error.to_string())? {
            Fetched::New { bytes, .. } => {
                String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_owned())
            }
            Fetched::Unchanged => {
                Err("the server says that it has not changed, though it was not known".to_owned())
            }
        }
    }
}
