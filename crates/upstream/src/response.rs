//! A good response of an upstream, as the rest of the program sees it: redacted, and never printed.
//!
//! `http/read` makes it, or `cache` gives one that it cached. The link to the next page is apart from the headers, because
//! it must lead there and yet hold no credential.

use aqueduct_operations::raw_json::RawJson;
use std::fmt;

/// A 2xx response.
#[derive(Clone)]
pub struct UpstreamResponse {
    /// The status.
    pub status: u16,
    /// The headers in the order they came, lower-case names; without cookies, credentials replaced.
    pub headers: Vec<(String, String)>,
    /// The content type as sent; empty when there is none.
    pub content_type: String,
    /// The body as JSON, credentials replaced; null when it is empty.
    pub data: RawJson,
    /// Numbers in it that no machine number holds, and which are texts now.
    pub numbers_as_text: usize,
    /// It was cached from an earlier call, and the upstream was not asked again.
    pub from_cache: bool,
    /// Where `rel="next"` leads: absolute, without credentials and without the values of sensitive parameters.
    pub(crate) next: Option<String>,
}

impl UpstreamResponse {
    /// Data that came without status and headers.
    pub(crate) fn of_data(data: RawJson) -> UpstreamResponse {
        UpstreamResponse {
            status: 200,
            headers: Vec::new(),
            content_type: String::new(),
            data,
            numbers_as_text: 0,
            from_cache: false,
            next: None,
        }
    }

    /// The first header with this name, in any letter case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(each, _)| each.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// The version of what was read, as the upstream names it; a weak one begins with `W/`.
    pub fn etag(&self) -> Option<&str> {
        self.header("etag").map(str::trim).filter(|etag| !etag.is_empty())
    }

    /// Where the `Link` header says that the next page is, to be followed with `Prepared::follow`. It holds no credential
    /// and no value of a sensitive query parameter. Empty when there is a next page but the link to it is unusable.
    pub fn next_link(&self) -> Option<String> {
        self.next.clone()
    }
}

// Headers and links may tell of persons.
impl fmt::Debug for UpstreamResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answer")
            .field("status", &self.status)
            .field("content_type", &self.content_type)
            .field("data", &self.data)
            .field("from_cache", &self.from_cache)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
