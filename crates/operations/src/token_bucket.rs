//! How often somebody may do something: a token bucket for each key, filled at a steady rate, with room for a burst.
//!
//! A key and the time in; yes or no out. Time is counted from any fixed point. The number of buckets is bounded.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Beyond this many keys those that have been quiet are forgotten.
const MAX_KEYS: usize = 10_000;

/// A bucket for each key.
#[derive(Debug)]
pub struct TokenBuckets<K> {
    per_second: f64,
    burst: f64,
    buckets: Mutex<HashMap<K, TokenBucket>>,
}

#[derive(Debug)]
struct TokenBucket {
    left: f64,
    seen: Duration,
}

impl<K: Eq + Hash> TokenBuckets<K> {
    /// Buckets that hold `burst` tokens and fill at this rate.
    pub fn new(per_second: f64, burst: f64) -> TokenBuckets<K> {
        TokenBuckets { per_second, burst, buckets: Mutex::default() }
    }

    /// Takes a token out of the key's bucket, if there is one left.
    pub fn take(&self, key: K, now: Duration) -> bool {
        let filled = |bucket: &TokenBucket| {
            let since = now.saturating_sub(bucket.seen).as_secs_f64();
            (bucket.left + since * self.per_second).min(self.burst)
        };
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MAX_KEYS && !buckets.contains_key(&key) {
            buckets.retain(|_, bucket| filled(bucket) < self.burst);
            if buckets.len() >= MAX_KEYS {
                buckets.clear();
            }
        }
        let bucket = buckets.entry(key).or_insert(TokenBucket { left: self.burst, seen: now });
        bucket.left = filled(bucket);
        bucket.seen = now;
        let allowed = bucket.left >= 1.0;
        if allowed {
            bucket.left -= 1.0;
        }
        allowed
    }

    /// Forgets the keys of which this is true.
    pub fn forget(&self, is_over: impl Fn(&K) -> bool) {
        self.buckets.lock().unwrap_or_else(PoisonError::into_inner).retain(|key, _| !is_over(key));
    }
}

#[cfg(test)]
mod tests;
