//! How many bytes of request bodies are held in memory, over all connections together.
//!
//! A body in as it grows; a yes, or a no once all bodies together are too much. What a body may have in any case is not counted:
//! the sender little is served while others send, or hold back, much.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// This much of each body is not counted; the number of connections bounds it.
const UNCOUNTED_BYTES: u64 = 64 * 1024;

/// What all bodies hold.
#[derive(Debug)]
pub struct BodyBudget {
    most: u64,
    held: AtomicU64,
}

/// What one body holds, until it is dropped.
#[derive(Debug)]
pub struct BufferShare {
    buffers: Arc<BodyBudget>,
    bytes: u64,
}

impl BodyBudget {
    /// All bodies may hold this many bytes.
    pub fn new(most: u64) -> Arc<BodyBudget> {
        Arc::new(BodyBudget { most, held: AtomicU64::new(0) })
    }

    /// Nothing yet, for one body.
    pub fn begin(self: &Arc<Self>) -> BufferShare {
        BufferShare { buffers: Arc::clone(self), bytes: 0 }
    }
}

impl BufferShare {
    /// The body has this many bytes now. False when there is no room for them; it then holds what it held.
    pub fn grow(&mut self, bytes: u64) -> bool {
        let counted = bytes.saturating_sub(UNCOUNTED_BYTES);
        let more = counted.saturating_sub(self.bytes);
        if more == 0 {
            return true;
        }
        let fits = |held: u64| held.checked_add(more).filter(|all| *all <= self.buffers.most);
        let has_room = self.buffers.held.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits).is_ok();
        if has_room {
            self.bytes += more;
        }
        has_room
    }

    /// The body is dropped; nothing is held any more.
    pub fn give_back(&mut self) {
        self.buffers.held.fetch_sub(self.bytes, Ordering::Relaxed);
        self.bytes = 0;
    }
}

impl Drop for BufferShare {
    fn drop(&mut self) {
        self.give_back();
    }
}

#[cfg(test)]
mod tests;
