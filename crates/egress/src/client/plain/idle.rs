//! Connections that no one uses at the moment, by host.
//!
//! A connection in, and out again for the next request to the same host; what is not asked for in a while is closed.

use super::connection::PlainConnection;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::time::Instant;

/// How often connections are looked at that no one uses.
const LOOK_EVERY: Duration = Duration::from_secs(10);

/// How long one stays open, and how many for one host.
const LONGEST: Duration = Duration::from_secs(90);
const MOST: usize = 32;

/// The connections.
#[derive(Default)]
pub(super) struct IdleConnections(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    /// The one that was used last is at the end.
    by_host: HashMap<String, Vec<Idle>>,
    /// Someone comes to close those that are not asked for.
    is_swept: bool,
}

struct Idle {
    connection: PlainConnection,
    since: Instant,
}

impl IdleConnections {
    /// The connection to this host that was used last.
    pub(super) fn take(&self, authority: &str) -> Option<PlainConnection> {
        let mut kept = self.lock();
        let of_host = kept.by_host.get_mut(authority)?;
        let last = of_host.pop()?;
        if last.since.elapsed() < LONGEST {
            return Some(last.connection);
        }
        // All others have been idle for longer.
        of_host.clear();
        None
    }

    /// Keeps a connection for the next request to its host.
    pub(super) fn put(self: &Arc<Self>, authority: String, connection: PlainConnection) {
        // Outside of a runtime no one could close it.
        let Ok(runtime) = Handle::try_current() else { return };
        let mut kept = self.lock();
        let of_host = kept.by_host.entry(authority).or_default();
        if of_host.len() < MOST {
            of_host.push(Idle { connection, since: Instant::now() });
        }
        let begins = !std::mem::replace(&mut kept.is_swept, true);
        // A runtime that ends drops what it is given at once, which needs the lock.
        drop(kept);
        if begins {
            runtime.spawn(Sweeper(Arc::downgrade(self)).run());
        }
    }

    /// Closes what no one has asked for, and what its server has closed; true when nothing is left.
    fn sweep(&self) -> bool {
        let mut kept = self.lock();
        kept.by_host.retain(|_, of_host| {
            of_host.retain_mut(|idle| idle.since.elapsed() < LONGEST && idle.connection.settle());
            !of_host.is_empty()
        });
        kept.is_swept = !kept.by_host.is_empty();
        !kept.is_swept
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Closes what no one has asked for, as long as there is any. It ends with its runtime, too.
struct Sweeper(Weak<IdleConnections>);

impl Sweeper {
    async fn run(self) {
        loop {
            tokio::time::sleep(LOOK_EVERY).await;
            if self.0.upgrade().is_none_or(|idle| idle.sweep()) {
                return;
            }
        }
    }
}

impl Drop for Sweeper {
    fn drop(&mut self) {
        if let Some(idle) = self.0.upgrade() {
            idle.lock().is_swept = false;
        }
    }
}

impl fmt::Debug for IdleConnections {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("IdleConnections")
    }
}
