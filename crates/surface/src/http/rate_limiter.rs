//! How many requests a client may send: a bucket for each, filled at a steady rate, with room for a burst.
//!
//! Clients are identified by their token, else by their address.

use aqueduct_operations::call::Caller;
use aqueduct_operations::token_bucket::TokenBuckets;
use axum::extract::ConnectInfo;
use http::Extensions;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Instant;

/// A burst may be this many times what a second brings.
const BURST: f64 = 2.0;

/// Who sends a request.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ClientKey {
    /// The owner of a token.
    Named(Arc<str>),
    /// The clients at this address; a network of 64 bits counts as one address.
    At(IpAddr),
    /// A web server that does not say.
    Unknown,
}

impl ClientKey {
    /// The owner of this token; without one, the clients at the address that a request with these extensions came from.
    pub fn of(token: Option<&Arc<str>>, request: &Extensions) -> ClientKey {
        match token {
            Some(name) => ClientKey::Named(Arc::clone(name)),
            None => ClientKey::at(request.get::<ConnectInfo<SocketAddr>>().map(|peer| peer.0.ip())),
        }
    }

    /// Whose requests they are.
    pub fn caller(&self) -> Caller {
        match self {
            ClientKey::Named(name) => Caller::named(Arc::clone(name)),
            ClientKey::At(_) | ClientKey::Unknown => Caller::local(),
        }
    }

    /// The client at this address.
    pub fn at(address: Option<IpAddr>) -> ClientKey {
        match address {
            Some(IpAddr::V6(address)) => {
                let network = address.to_bits() & !u128::from(u64::MAX);
                ClientKey::At(IpAddr::V6(network.into()))
            }
            Some(address) => ClientKey::At(address),
            None => ClientKey::Unknown,
        }
    }
}

/// A bucket for each client.
#[derive(Debug)]
pub struct RateLimiter {
    buckets: TokenBuckets<ClientKey>,
    started: Instant,
}

impl RateLimiter {
    /// Buckets that fill at this rate.
    pub fn new(per_second: u32) -> RateLimiter {
        let rate = f64::from(per_second);
        RateLimiter { buckets: TokenBuckets::new(rate, rate * BURST), started: Instant::now() }
    }

    /// Takes a request out of the client's bucket, if there is one left.
    pub fn allows(&self, client: ClientKey, now: Instant) -> bool {
        self.buckets.take(client, now.saturating_duration_since(self.started))
    }
}

/// The bucket of the client that sent a request.
#[derive(Debug, Clone)]
pub struct ClientRate {
    /// All buckets.
    pub limiter: Arc<RateLimiter>,
    /// Whose it is.
    pub client: ClientKey,
}

impl ClientRate {
    /// Takes another request out of it, if there is one left.
    pub fn allows(&self) -> bool {
        self.limiter.allows(self.client.clone(), Instant::now())
    }
}

#[cfg(test)]
mod tests;
