//! Where a response was read, and where a change was made: a URL and a source come in, what they belong to goes out.
//!
//! A change of `/books/1` may concern anything that its API tells: what lists it, counts it, or was made from it. So a place
//! is a whole site, and a change concerns all sites of its source, unless it says which operations read it.

use aqueduct_operations::credential_scope::origin_text;
use aqueduct_operations::digest::Digest;
use aqueduct_operations::operation::RegistryEntry;
use std::sync::Arc;
use url::Url;

/// A site, and the source that it was called for.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct CacheScope {
    /// Scheme, host and port; or who runs a handler.
    pub(super) site: Arc<str>,
    /// The source, when it is known.
    pub(super) source: Option<Arc<str>>,
    /// The operation, by its name in the source.
    pub(super) operation: Arc<str>,
}

impl CacheScope {
    pub(crate) fn of(url: &Url, source: Option<&Arc<str>>, operation: &str) -> CacheScope {
        let site = origin_text(url).into();
        CacheScope { site, source: source.cloned(), operation: operation.into() }
    }

    /// The scope of a handler. Its site is the server behind it, or the functions of its source.
    pub(crate) fn of_handler(identity: Option<&Digest>, entry: &RegistryEntry) -> CacheScope {
        let source: Arc<str> = entry.source.name.as_str().into();
        let site = match identity {
            None => format!("functions {source}").into(),
            Some(identity) => format!("server {}", identity.hex()).into(),
        };
        CacheScope { site, source: Some(source), operation: entry.operation.name.as_str().into() }
    }
}

#[cfg(test)]
mod tests;
