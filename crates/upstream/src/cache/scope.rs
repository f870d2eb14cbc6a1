//! Where a response was read, and where a change was made: a URL and a source come in, what they belong to goes out.
//!
//! A change of `/books/1` may concern anything that its API tells: what lists it, counts it, or was made from it. So a place
//! is a whole site, and a change concerns all sites of its source, unless it says which operations tell of it.

use std::sync::Arc;
use url::Url;

/// A site, and the source that it was called for.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct CacheScope {
    /// Scheme, host and port.
    pub(super) site: Arc<str>,
    /// The source, when it is known.
    pub(super) source: Option<Arc<str>>,
    /// The operation, by its name in the source.
    pub(super) operation: Arc<str>,
}

impl CacheScope {
    pub(crate) fn of(url: &Url, source: Option<&Arc<str>>, operation: &str) -> CacheScope {
        let site = url.origin().ascii_serialization().into();
        CacheScope { site, source: source.cloned(), operation: operation.into() }
    }
}

#[cfg(test)]
mod tests;
