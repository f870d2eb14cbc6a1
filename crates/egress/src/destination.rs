//! Where requests and their credentials may go (ruling S7). A site or a URL in; the addresses that are within reach, whether
//! a secret may be sent there, or the URL of a redirect that may be followed, out.
//!
//! Invariants: only the origin that a base URL names may be private; a secret goes over TLS or stays on this machine; no
//! redirect leads from TLS to plain text, or carries a name and password of its own.

use aqueduct_operations::address::{AddressScope, is_loopback, names_private_address};
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
    scope(site.names_private_address && is_own_origin(site, url))
}

/// The scope of requests to a URL that its operator gave for itself, such as a token URL.
pub fn named_scope(url: &Url) -> AddressScope {
    scope(names_private_address(url))
}

/// The scope of a request that may, or may not, go to a private address.
pub fn scope(may_be_private: bool) -> AddressScope {
    if may_be_private { AddressScope::Own } else { AddressScope::Public }
}

/// True for URLs of the origin that the base URL names: credentials go nowhere else.
pub fn is_own_origin(site: &Site, url: &Url) -> bool {
    site.base_url.origin() == url.origin()
}

/// True where nobody on the way can read a secret: over TLS, or on this machine.
pub fn is_confidential(url: &Url) -> bool {
    url.scheme() == "https" || (url.scheme() == "http" && is_loopback(url))
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
