//! Resolves host names for connections. A name comes in, checked addresses go out; when none is left, the connection fails
//! with the kind of address that was refused (ruling S7).
//!
//! Invariant: the connector gets only what passed, so that a name cannot change its mind between check and use.

use crate::response::BoxError;
use aqueduct_operations::address::{AddressKind, AddressScope, check_resolved};
use hyper_util::client::legacy::connect::dns::Name as HostName;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tower_service::Service;

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

impl GuardedResolver {
    /// The addresses of a name that are within the scope.
    fn checked(
        &self,
        name: &str,
    ) -> impl Future<Output = Result<Vec<SocketAddr>, BoxError>> + Send + 'static {
        let (lookup, scope, name) = (Arc::clone(&self.lookup), self.scope, name.to_owned());
        async move {
            let found = lookup.lookup(&name).await.map_err(|error| LookupFailed(Some(error)))?;
            let mut refused = None;
            let mut allowed = Vec::with_capacity(found.len());
            for address in found {
                match check_resolved(&name, address, scope) {
                    Ok(()) => allowed.push(SocketAddr::new(address, 0)),
                    Err(kind) => refused = Some(kind),
                }
            }
            match (allowed.is_empty(), refused) {
                (false, _) => Ok(allowed),
                (true, Some(kind)) => Err(RefusedAddress(kind).into()),
                (true, None) => Err(LookupFailed(None).into()),
            }
        }
    }
}

/// For encrypted connections.
impl Resolve for GuardedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let checked = self.checked(name.as_str());
        Box::pin(async move { Ok(Box::new(checked.await?.into_iter()) as Addrs) })
    }
}

/// For plain ones.
impl Service<HostName> for GuardedResolver {
    type Response = std::vec::IntoIter<SocketAddr>;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, BoxError>> + Send>>;

    fn poll_ready(&mut self, _context: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: HostName) -> Self::Future {
        let checked = self.checked(name.as_str());
        Box::pin(async move { Ok(checked.await?.into_iter()) })
    }
}

#[cfg(test)]
mod tests;
