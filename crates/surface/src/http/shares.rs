//! How much of something each client holds, so that none of them holds it all.
//!
//! A client in; a share, given back when it is dropped, or nothing out.

use super::rate::Client;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What everybody holds.
#[derive(Debug)]
pub struct Shares {
    most: u64,
    held: Mutex<HashMap<Client, u64>>,
}

/// One of what a client holds.
#[derive(Debug)]
pub struct Share {
    shares: Arc<Shares>,
    client: Client,
}

impl Shares {
    /// One client may hold half of this many, whatever the others do.
    pub fn half_of(all: u64) -> Arc<Shares> {
        Arc::new(Shares { most: all.div_ceil(2), held: Mutex::default() })
    }

    /// One more for this client, if it may have one.
    pub fn take(self: &Arc<Self>, client: Client) -> Option<Share> {
        let mut held = self.lock();
        let count = held.entry(client.clone()).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(Share { shares: Arc::clone(self), client })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Client, u64>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut held = self.shares.lock();
        match held.get_mut(&self.client) {
            Some(count) if *count > 1 => *count -= 1,
            _ => _ = held.remove(&self.client),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Client, Shares};
    use std::sync::Arc;

    #[test]
    fn half_is_left_for_others() {
        let shares = Shares::half_of(4);
        let named = |name: &str| Client::Named(Arc::from(name));
        let taken: Vec<_> = (0..3).map(|_| shares.take(named("ann"))).collect();
        assert_eq!(taken.iter().flatten().count(), 2);
        assert!(shares.take(named("bob")).is_some());
        drop(taken);
        assert!(shares.lock().is_empty(), "nothing is kept of who has left");
        assert!(Shares::half_of(1).take(named("ann")).is_some());
    }
}
