//! The connections to one server, and where they may lead (ruling S7).
//!
//! The server's address in; an HTTP client out that connects only to what the guard lets through: names are resolved here,
//! and every address of theirs is checked. No redirect is followed and no proxy asked.

use aqueduct_operations::address::{
    AddressKind, AddressScope, check_host, check_resolved, names_private_address,
};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// A name that leads to addresses which are refused, and to no other.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error(
    "its name leads to a {0} address, which is refused; if that server is meant, give its address yourself with --base-url"
)]
pub(crate) struct RefusedAddress(AddressKind);

/// How far connections to a server may reach: to a private address only where its own address says so, or the operator.
pub(super) fn reach(url: &Url, may_be_private: bool) -> AddressScope {
    if may_be_private || names_private_address(url) { AddressScope::Own } else { AddressScope::Public }
}

/// A client with its own pool of connections.
pub(super) fn client(reach: AddressScope) -> reqwest::Result<reqwest::Client> {
    reqwest::Client::builder()
        .dns_resolver(Arc::new(GuardedConnector { reach }))
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(Duration::from_secs(10))
        .no_proxy()
        .build()
}

/// Refuses an address as it is written.
pub(super) fn check(url: &Url, reach: AddressScope) -> Result<(), AddressKind> {
    check_host(url, reach)
}

#[derive(Debug, Clone, Copy)]
struct GuardedConnector {
    reach: AddressScope,
}

impl Resolve for GuardedConnector {
    fn resolve(&self, name: Name) -> Resolving {
        let reach = self.reach;
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            Ok(Box::new(allowed(name.as_str(), found, reach)?.into_iter()) as Addrs)
        })
    }
}

/// Those of the addresses that may be connected to; an error when all that there are may not.
fn allowed(
    name: &str,
    found: impl Iterator<Item = SocketAddr>,
    reach: AddressScope,
) -> Result<Vec<SocketAddr>, RefusedAddress> {
    let mut allowed = Vec::new();
    let mut refused = None;
    for address in found {
        match check_resolved(name, address.ip(), reach) {
            Ok(()) => allowed.push(address),
            Err(kind) => refused = Some(kind),
        }
    }
    match refused.filter(|_| allowed.is_empty()) {
        Some(kind) => Err(RefusedAddress(kind)),
        None => Ok(allowed),
    }
}

#[cfg(test)]
mod tests;
