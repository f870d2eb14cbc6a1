//! How many requests a client may send: a bucket for each, filled at a steady rate, with room for a burst.
//!
//! Clients are told apart by their token, else by their address. The number of buckets is bounded.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// A burst may be this many times what a second brings.
const BURST: f64 = 2.0;

/// Beyond this many clients those that have been quiet are forgotten.
const MOST_CLIENTS: usize = 10_000;

/// Who sends a request.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ClientKey {
    /// The owner of a token.
    Named(Arc<str>),
    /// Whoever is at this address; a network of 64 bits counts as one address.
    At(IpAddr),
    /// A web server that does not say.
    Unknown,
}

impl ClientKey {
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

/// The buckets.
#[derive(Debug)]
pub struct RateLimiter {
    per_second: f64,
    buckets: Mutex<HashMap<ClientKey, TokenBucket>>,
}

#[derive(Debug)]
struct TokenBucket {
    left: f64,
    seen: Instant,
}

impl RateLimiter {
    /// Buckets that fill at this rate.
    pub fn new(per_second: u32) -> RateLimiter {
        RateLimiter { per_second: f64::from(per_second), buckets: Mutex::default() }
    }

    /// Takes a request out of the client's bucket, if there is one left.
    pub fn allows(&self, client: ClientKey, now: Instant) -> bool {
        let most = self.per_second * BURST;
        let filled = |bucket: &TokenBucket| {
            let since = now.saturating_duration_since(bucket.seen).as_secs_f64();
            (bucket.left + since * self.per_second).min(most)
        };
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MOST_CLIENTS && !buckets.contains_key(&client) {
            buckets.retain(|_, bucket| filled(bucket) < most);
            if buckets.len() >= MOST_CLIENTS {
                buckets.clear();
            }
        }
        let bucket = buckets.entry(client).or_insert(TokenBucket { left: most, seen: now });
        bucket.left = filled(bucket);
        bucket.seen = now;
        let allowed = bucket.left >= 1.0;
        if allowed {
            bucket.left -= 1.0;
        }
        allowed
    }
}

#[cfg(test)]
mod tests;
