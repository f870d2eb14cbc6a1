//! Resolves host names for connections. A name comes in, checked addresses go out; when none is left, the connection fails
//! with the kind of address that was refused (ruling S7).
//!
//! Invariant: the connector gets only what passed, so that a name cannot change its mind between check and use.

use aqueduct_operations::address::{AddressKind, AddressScope, check_resolved};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;

/// What a lookup will find.
pub type LookupFuture = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>>;

/// Finds the addresses of a host name.
pub trait AddressLookup: std::fmt::Debug + Send + Sync {
    /// Every address of the name, unchecked.
    fn lookup(&self, name: &str) -> LookupFuture;
}

/// The system's resolver.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemLookup;

impl AddressLookup for SystemLookup {
    fn lookup(&self, name: &str) -> LookupFuture {
        let name = name.to_owned();
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            Ok(found.map(|address| address.ip()).collect())
        })
    }
}

/// The name leads only to addresses that are refused.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("resolves to a {0} address")]
pub struct RefusedAddress(pub AddressKind);

/// The name does not resolve, for this reason if there is one.
#[derive(Debug, thiserror::Error)]
#[error("does not resolve")]
pub struct LookupFailed(#[source] pub Option<io::Error>);

/// Gives only addresses within its scope.
#[derive(Debug, Clone)]
pub(crate) struct GuardedResolver {
    pub(crate) lookup: Arc<dyn AddressLookup>,
    pub(crate) scope: AddressScope,
}

impl Resolve for GuardedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let (lookup, scope) = (Arc::clone(&self.lookup), self.scope);
        Box::pin(async move {
            let found = lookup.lookup(name.as_str()).await.map_err(|error| LookupFailed(Some(error)))?;
            let mut refused = None;
            let mut allowed = Vec::with_capacity(found.len());
            for address in found {
                match check_resolved(name.as_str(), address, scope) {
                    Ok(()) => allowed.push(SocketAddr::new(address, 0)),
                    Err(kind) => refused = Some(kind),
                }
            }
            match (allowed.is_empty(), refused) {
                (false, _) => Ok(Box::new(allowed.into_iter()) as Addrs),
                (true, Some(kind)) => Err(RefusedAddress(kind).into()),
                (true, None) => Err(LookupFailed(None).into()),
            }
        })
    }
}

#[cfg(test)]
mod tests;
