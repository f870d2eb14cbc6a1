//! A request that is ready to be sent, credentials apart: `build` makes it, `send` puts credentials on a copy.
//!
//! Invariant: it never prints its URL, headers or body.

use super::encode;
use super::multipart::WrittenPart;
use aqueduct_operations::target::{BodyFormat, Method};
use bytes::Bytes;
use http::HeaderMap;
use std::fmt;
use url::Url;

/// Method, URL, headers and body. Equal operations and values give equal requests, byte for byte.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct HttpRequest {
    pub(crate) method: Method,
    pub(crate) url: Url,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Option<Bytes>,
    /// How a body of it is written.
    pub(crate) format: BodyFormat,
    /// Where the parts of a multipart body are.
    pub(crate) parts: Vec<WrittenPart>,
    /// Names of query parameters whose values must not be seen.
    pub(crate) hidden_query: Vec<String>,
    /// Names of fields of the body whose values must not be seen, in a form or a multipart body.
    pub(crate) hidden_fields: Vec<String>,
}

impl HttpRequest {
    /// A GET without headers.
    pub(crate) fn get(url: Url) -> HttpRequest {
        HttpRequest {
            method: Method::Get,
            url,
            headers: HeaderMap::new(),
            body: None,
            format: BodyFormat::Json,
            parts: Vec::new(),
            hidden_query: Vec::new(),
            hidden_fields: Vec::new(),
        }
    }

    /// Sets one query parameter, in place of any that has its name.
    pub(crate) fn set_query_pair(&mut self, name: &str, value: &str) {
        let pair = format!("{}={}", encode::component(name), encode::component(value));
        self.replace_query(name, &[&pair]);
    }

    /// Takes a query parameter out, however often it is there.
    pub(crate) fn remove_query(&mut self, name: &str) {
        remove_query(&mut self.url, name);
    }

    /// Sets the hidden query parameters as they are in another request: no link tells their values.
    pub(crate) fn take_hidden_query_of(&mut self, other: &HttpRequest) {
        for name in &other.hidden_query {
            let pairs: Vec<&str> = pairs(&other.url).filter(|pair| is_named(pair, name)).collect();
            self.replace_query(name, &pairs);
        }
    }

    fn replace_query(&mut self, name: &str, new: &[&str]) {
        let unchanged = pairs(&self.url).filter(|pair| !is_named(pair, name));
        let query = unchanged.chain(new.iter().copied()).collect::<Vec<_>>().join("&");
        self.url.set_query(Some(query.as_str()).filter(|query| !query.is_empty()));
    }
}

/// The raw pairs of a URL's query.
pub(crate) fn pairs(url: &Url) -> impl Iterator<Item = &str> {
    url.query().unwrap_or_default().split('&').filter(|pair| !pair.is_empty())
}

/// Takes a query parameter out of a URL, however often it is there and however its name is encoded.
pub(crate) fn remove_query(url: &mut Url, name: &str) {
    keep_query(url, |pair| !is_named(pair, name));
}

/// Keeps only some of the query parameters of a URL.
pub(crate) fn keep_query(url: &mut Url, is_kept: impl Fn(&str) -> bool) {
    if pairs(url).all(&is_kept) {
        return;
    }
    let query = pairs(url).filter(|pair| is_kept(pair)).collect::<Vec<_>>().join("&");
    url.set_query(Some(query.as_str()).filter(|query| !query.is_empty()));
}

/// True when a raw pair has this name; a plus may stand for a space.
fn is_named(pair: &str, name: &str) -> bool {
    let key = pair.split_once('=').map_or(pair, |(key, _)| key);
    encode::decode_lossy(key) == name || encode::decode_lossy(&key.replace('+', " ")) == name
}

// URL, headers and body may hold credentials or personal data.
impl fmt::Debug for HttpRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request")
            .field("method", &self.method)
            .field("host", &self.url.host_str())
            .finish_non_exhaustive()
    }
}
