//! Where an answer was read, and where a change was made: a URL and a source come in, what they belong to goes out.
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
mod tests {
    use super::CacheScope;
    use url::Url;

    /// R10.5-3: one site is one place, however its URL is spelled.
    #[test]
    fn spellings() {
        let place = |url: &str| CacheScope::of(&Url::parse(url).unwrap(), None, "x");
        let books = place("https://api.example.com/v1/books/1");
        for same in ["https://api.example.com:443/", "https://API.example.com/v2?x=1#y"] {
            assert!(place(same) == books, "{same}");
        }
        for other in ["http://api.example.com/v1/books/1", "https://api.example.com:444/v1/books/1"] {
            assert!(place(other) != books, "{other}");
        }
    }
}
