//! Where credentials may go (ruling S7): a URL that they were given for and a URL of a request in, yes or no out.
//!
//! Every comparison of origins is here (`clippy.toml` bans others): when sources are loaded, when requests, redirects and
//! documents are sent, and when a document refers to another. An origin is scheme, host and port; a URL without a host has
//! none that equals another.

use crate::address::is_loopback;
use url::{Origin, Url};

/// True when what was given for one URL, such as credentials, may be sent to the other: they have the same origin.
pub fn is_same_origin(given_for: &Url, url: &Url) -> bool {
    origin(given_for) == origin(url)
}

/// True when what was given for one URL may be sent to the other, because the origin is the same, or the operator named it
/// besides.
pub fn is_in_scope(given_for: &Url, also: &[Url], url: &Url) -> bool {
    is_same_origin(given_for, url) || also.iter().any(|named| is_same_origin(named, url))
}

/// The origin as text, such as `https://api.example.com` or `http://127.0.0.1:8080`.
pub fn origin_text(url: &Url) -> String {
    origin(url).ascii_serialization()
}

/// True where no one on the way can read a secret: over TLS, or on this machine.
pub fn is_confidential(url: &Url) -> bool {
    url.scheme() == "https" || (url.scheme() == "http" && is_loopback(url))
}

/// True when the URL has a name or password in it, which would be sent as credentials, or make it look like another one.
pub fn has_user_info(url: &Url) -> bool {
    !url.username().is_empty() || url.password().is_some()
}

/// A URL as people may see it: without its name, password, query and fragment, which may be secret.
pub fn without_secrets(url: &Url) -> String {
    origin_text(url) + url.path()
}

#[expect(clippy::disallowed_methods, reason = "the one place that compares and writes origins")]
fn origin(url: &Url) -> Origin {
    url.origin()
}

#[cfg(test)]
mod tests;
