//! Where requests may go (ruling S7): the rules for calls, redirects, links to pages, documents that refer to others, token
//! servers and MCP servers. A site or a URL in; the allowed addresses, or the URL of a redirect out. Where credentials may
//! go is `credential_scope` of `operations`.
//!
//! Invariants: only an origin that the operator named may be private; no redirect leads from TLS to plain text, or carries a
//! name and password of its own.

use aqueduct_operations::address::{AddressScope, names_private_address};
use aqueduct_operations::credential_scope::is_same_origin;
use aqueduct_operations::target::Site;
use url::Url;

/// Redirects that one request may take.
pub const MAX_REDIRECTS: usize = 5;

/// Why a redirect is not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RedirectError {
    /// It leads to no URL.
    Unusable,
    /// It leads away from TLS, or to something other than HTTP.
    Scheme,
}

/// The scope of a request of this site to this URL: only its own origin may be private, and only if the base URL says so.
pub fn site_scope(site: &Site, url: &Url) -> AddressScope {
    scope(site.names_private_address && is_same_origin(&site.base_url, url))
}

/// The scope of requests to a URL that was configured by itself, such as a token URL or the URL of an MCP server: it may be
/// private if it says so, or if the operator gave its origin.
pub fn named_scope(url: &Url, is_given_by_operator: bool) -> AddressScope {
    scope(is_given_by_operator || names_private_address(url))
}

fn scope(may_be_private: bool) -> AddressScope {
    if may_be_private { AddressScope::Own } else { AddressScope::Public }
}

/// True when a link leads to a URL of the site: its origin, and its base path or below.
pub fn is_within_site(site: &Site, url: &Url) -> bool {
    let base = site.base_url.path().trim_end_matches('/');
    let is_below = |rest: &str| rest.is_empty() || rest.starts_with('/');
    matches!(url.scheme(), "http" | "https")
        && is_same_origin(&site.base_url, url)
        && url.path().strip_prefix(base).is_some_and(is_below)
}

/// Where a redirect leads, if it may be followed.
pub fn redirected(from: &Url, location: &str) -> Result<Url, RedirectError> {
    let mut next = from.join(location).map_err(|_| RedirectError::Unusable)?;
    let is_downgrade = from.scheme() == "https" && next.scheme() != "https";
    if is_downgrade || !matches!(next.scheme(), "http" | "https") {
        return Err(RedirectError::Scheme);
    }
    // A name and password written into the location would be sent as credentials.
    next.set_username("").and_then(|()| next.set_password(None)).map_err(|()| RedirectError::Unusable)?;
    next.set_fragment(None);
    Ok(next)
}

#[cfg(test)]
mod tests;
