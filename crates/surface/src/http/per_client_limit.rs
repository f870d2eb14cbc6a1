//! How much of something each client holds, so that none of them holds it all.
//!
//! A client in; a share, given back when it is dropped, or nothing out.

use super::rate_limiter::ClientKey;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What everybody holds.
#[derive(Debug)]
pub struct ClientShares {
    most: u64,
    held: Mutex<HashMap<ClientKey, u64>>,
}

/// One of what a client holds.
#[derive(Debug)]
pub struct ClientShare {
    shares: Arc<ClientShares>,
    client: ClientKey,
}

impl ClientShares {
    /// One client may hold half of this many, whatever the others do.
    pub fn half_of(all: u64) -> Arc<ClientShares> {
        Arc::new(ClientShares { most: all.div_ceil(2), held: Mutex::default() })
    }

    /// One more for this client, if it may have one.
    pub fn take(self: &Arc<Self>, client: ClientKey) -> Option<ClientShare> {
        let mut held = self.lock();
        let count = held.entry(client.clone()).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(ClientShare { shares: Arc::clone(self), client })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ClientKey, u64>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for ClientShare {
    fn drop(&mut self) {
        let mut held = self.shares.lock();
        match held.get_mut(&self.client) {
            Some(count) if *count > 1 => *count -= 1,
            _ => _ = held.remove(&self.client),
        }
    }
}

#[cfg(test)]
mod tests;
