//! Which addresses we call (ruling S7). A URL or a resolved address comes in; permission or the kind of address that is
//! refused goes out.
//!
//! Invariant: every address that a connection is made to was checked here, hosts as they are written by `check_host`, names by the
//! resolver that hands the connector only what passed, so that a name cannot change its mind between check and use.

mod resolver;

pub use aqueduct_operations::address::AddressKind;
pub(crate) use aqueduct_operations::address::{AddressScope, check_host, check_resolved, is_loopback};
pub(crate) use resolver::{GuardedClients, LookupFailed, RefusedAddress};
pub use resolver::{Lookup, LookupFuture, SystemLookup};

use aqueduct_operations::target::Site;
use url::Url;

/// The reach of a request of this site to this URL: only its own origin may be private, and only if the base URL says so.
pub(crate) fn reach(site: &Site, url: &Url) -> AddressScope {
    if site.names_private_address && site.base_url.origin() == url.origin() {
        AddressScope::Own
    } else {
        AddressScope::Public
    }
}

#[cfg(test)]
mod tests;
