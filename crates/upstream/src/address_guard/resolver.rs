//! The connection pools, each with a resolver that hands the connector only addresses within its reach.
//!
//! A host name comes in, checked addresses go out; when none is left, the connection fails with the kind of address that
//! was refused. The pools are separate, so that a connection made for one reach never serves the other.

use super::{AddressKind, AddressScope, check_resolved};
use crate::upstream::UpstreamStartError;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use url::Url;

/// What a lookup will find.
pub type LookupFuture = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>>;

/// Finds the addresses of a host name.
pub trait Lookup: std::fmt::Debug + Send + Sync {
    /// Every address of the name, unchecked.
    fn lookup(&self, name: &str) -> LookupFuture;
}

/// The system's resolver.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemLookup;

impl Lookup for SystemLookup {
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
pub(crate) struct RefusedAddress(pub(crate) AddressKind);

/// The name does not resolve.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("does not resolve")]
pub(crate) struct LookupFailed;

#[derive(Debug, Clone)]
struct GuardedResolver {
    lookup: Arc<dyn Lookup>,
    reach: AddressScope,
}

impl Resolve for GuardedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let (lookup, reach) = (Arc::clone(&self.lookup), self.reach);
        Box::pin(async move {
            let found = lookup.lookup(name.as_str()).await.map_err(|_| LookupFailed)?;
            let mut refused = None;
            let mut allowed = Vec::with_capacity(found.len());
            for address in found {
                match check_resolved(name.as_str(), address, reach) {
                    Ok(()) => allowed.push(SocketAddr::new(address, 0)),
                    Err(kind) => refused = Some(kind),
                }
            }
            match (allowed.is_empty(), refused) {
                (false, _) => Ok(Box::new(allowed.into_iter()) as Addrs),
                (true, Some(kind)) => Err(RefusedAddress(kind).into()),
                (true, None) => Err(LookupFailed.into()),
            }
        })
    }
}

/// One pair of pools for each reach.
#[derive(Debug)]
pub(crate) struct GuardedClients {
    public: ConnectionPools,
    own: ConnectionPools,
}

/// The pools of one reach, each made when it is first needed.
///
/// Without encryption there is one for every thread that makes calls: a connection is then used by the thread that serves
/// it, and no other has to be woken. With encryption they would have to load the trusted certificates again and again,
/// which takes longer than waking a thread ever does.
#[derive(Debug)]
struct ConnectionPools {
    resolver: GuardedResolver,
    plain: Vec<OnceLock<reqwest::Client>>,
    encrypted: OnceLock<reqwest::Client>,
}

/// Threads that have called out so far.
static CALLING_THREADS: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static THIS_THREAD: usize = CALLING_THREADS.fetch_add(1, Ordering::Relaxed);
}

impl GuardedClients {
    pub(crate) fn new(lookup: Arc<dyn Lookup>) -> Result<GuardedClients, UpstreamStartError> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let pools = |reach| ConnectionPools {
            resolver: GuardedResolver { lookup: Arc::clone(&lookup), reach },
            plain: (0..threads).map(|_| OnceLock::new()).collect(),
            encrypted: OnceLock::new(),
        };
        let clients = GuardedClients { public: pools(AddressScope::Public), own: pools(AddressScope::Own) };
        // What keeps pools from being made is told when the server starts.
        made_plain(&clients.public)?;
        Ok(clients)
    }

    /// The pool for a URL.
    pub(crate) fn of(&self, url: &Url, reach: AddressScope) -> Result<&reqwest::Client, UpstreamStartError> {
        let pools = match reach {
            AddressScope::Public => &self.public,
            AddressScope::Own => &self.own,
        };
        if url.scheme() == "https" {
            return made(&pools.encrypted, || settings(&pools.resolver).https_only(true).build());
        }
        made_plain(pools)
    }
}

fn made_plain(pools: &ConnectionPools) -> Result<&reqwest::Client, UpstreamStartError> {
    let pool = &pools.plain[THIS_THREAD.with(|number| number % pools.plain.len())];
    made(pool, || settings(&pools.resolver).tls_certs_only([]).build())
}

fn made(
    pool: &OnceLock<reqwest::Client>,
    make: impl FnOnce() -> reqwest::Result<reqwest::Client>,
) -> Result<&reqwest::Client, UpstreamStartError> {
    if let Some(client) = pool.get() {
        return Ok(client);
    }
    let client = make().map_err(|error| UpstreamStartError(error.to_string()))?;
    Ok(pool.get_or_init(|| client))
}

fn settings(resolver: &GuardedResolver) -> reqwest::ClientBuilder {
    crate::tls::ready();
    reqwest::Client::builder()
        .dns_resolver(Arc::new(resolver.clone()))
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .referer(false)
        .tcp_nodelay(true)
        .pool_idle_timeout(Duration::from_secs(90))
        .pool_max_idle_per_host(32)
}

#[cfg(test)]
mod tests;
