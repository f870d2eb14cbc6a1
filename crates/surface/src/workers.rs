//! Threads that serve connections, one for each core, each with a runtime of its own.
//!
//! A connection stays on its thread, and so do the calls that come over it: no thread has to be woken to hand work over.
//! Who accepts connections asks `next` whose turn it is.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::runtime::Handle;
use tokio_util::sync::{CancellationToken, DropGuard};

/// What a thread may need for the deepest call in a build for debugging; memory is taken only as it is used.
const STACK: usize = 8 * 1024 * 1024;

/// The threads. They end, with whatever they still do, when this is dropped.
pub struct WorkerThreads {
    handles: Vec<Handle>,
    next_worker: AtomicUsize,
    _running: DropGuard,
}

impl WorkerThreads {
    /// Starts a thread for each core.
    pub fn start() -> io::Result<WorkerThreads> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let stop = CancellationToken::new();
        let mut handles = Vec::new();
        for number in 0..cores {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            handles.push(runtime.handle().clone());
            let stopped = stop.clone();
            let thread = std::thread::Builder::new().name(format!("worker-{number}")).stack_size(STACK);
            thread.spawn(move || runtime.block_on(stopped.cancelled()))?;
        }
        Ok(WorkerThreads { handles, next_worker: AtomicUsize::new(0), _running: stop.drop_guard() })
    }

    /// The one that serves the next connection.
    pub fn next(&self) -> &Handle {
        &self.handles[self.next_worker.fetch_add(1, Ordering::Relaxed) % self.handles.len()]
    }
}

#[cfg(test)]
mod tests;
