//! A request that is ready to be sent, credentials apart: `build` makes it, `send` puts credentials on a copy.
//!
//! Invariant: it never prints its URL, headers or body.

use super::encode;
use aqueduct_operations::target::Method;
use bytes::Bytes;
use http::HeaderMap;
use std::fmt;
use url::Url;

/// Method, URL, headers and body. Equal operations and values give equal requests, byte for byte.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) method: Method,
    pub(crate) url: Url,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Option<Bytes>,
}

impl Request {
    /// Sets one query parameter, in place of any that has its name.
    pub(crate) fn set_query_pair(&mut self, name: &str, value: &str) {
        let name = encode::component(name);
        let is_other = |pair: &&str| {
            let key = pair.split_once('=').map_or(*pair, |(key, _)| key);
            !pair.is_empty() && encode::component(&encode::decode_lossy(key)) != name
        };
        let pair = format!("{name}={}", encode::component(value));
        let kept = self.url.query().unwrap_or_default().split('&').filter(is_other);
        let query = kept.chain(std::iter::once(pair.as_str())).collect::<Vec<_>>().join("&");
        self.url.set_query(Some(&query));
    }
}

// URL, headers and body may hold credentials or personal data.
impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request")
            .field("method", &self.method)
            .field("host", &self.url.host_str())
            .finish_non_exhaustive()
    }
}
