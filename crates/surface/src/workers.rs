//! Threads that calls run on, each with a runtime of its own.
//!
//! Over HTTP there is one for each core, a connection stays on its thread, and so do the calls that come over it: no thread has to be
//! woken to hand work over. Over stdio there is one besides the client's own, for part of the calls where many are under way. Who has
//! work asks `next` whose turn it is.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::runtime::Handle;
use tokio_util::sync::{CancellationToken, DropGuard};

/// What a thread may need for the deepest call in a build for debugging; memory is taken only as it is used.
const STACK: usize = 8 * 1024 * 1024;

/// How many cores there are.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The threads. They end, with whatever they still do, when this is dropped.
pub struct WorkerThreads {
    handles: Vec<Handle>,
    next_worker: AtomicUsize,
    _running: DropGuard,
}

impl WorkerThreads {
    /// Starts so many.
    pub fn start(count: usize) -> io::Result<WorkerThreads> {
        let stop = CancellationToken::new();
        let mut handles = Vec::new();
        for number in 0..count {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            handles.push(runtime.handle().clone());
            let stopped = stop.clone();
            let thread = std::thread::Builder::new().name(format!("worker-{number}")).stack_size(STACK);
            thread.spawn(move || runtime.block_on(stopped.cancelled()))?;
        }
        Ok(WorkerThreads { handles, next_worker: AtomicUsize::new(0), _running: stop.drop_guard() })
    }

    /// The one that has the next turn.
    pub fn next(&self) -> &Handle {
        &self.handles[self.next_worker.fetch_add(1, Ordering::Relaxed) % self.handles.len()]
    }
}

#[cfg(test)]
mod tests;
