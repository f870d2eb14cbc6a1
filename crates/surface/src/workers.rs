//! Threads that calls run on, each with a runtime of its own.
//!
//! Over HTTP there is one for each core, a connection stays on its thread, and so do the calls that come over it: no thread has to be
//! woken to hand work over. Over stdio there is one besides the client's own, for part of the calls where many are under way. Who has
//! work asks `next` whose turn it is.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
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
        // Those that have been started end if another one cannot be.
        let running = stop.clone().drop_guard();
        let handles = (0..count).map(|number| start_one(number, stop.clone())).collect::<io::Result<_>>()?;
        Ok(WorkerThreads { handles, next_worker: AtomicUsize::new(0), _running: running })
    }

    /// The one that has the next turn.
    pub fn next(&self) -> &Handle {
        &self.handles[self.next_worker.fetch_add(1, Ordering::Relaxed) % self.handles.len()]
    }
}

/// Starts one, which ends with the token. Its runtime is made on the thread itself: where there is no thread, it could not be dropped
/// on that of a caller who runs tasks.
fn start_one(number: usize, stopped: CancellationToken) -> io::Result<Handle> {
    let (tell, told) = mpsc::channel();
    let thread = std::thread::Builder::new().name(format!("worker-{number}")).stack_size(STACK);
    thread.spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let handle = runtime.as_ref().map(|runtime| runtime.handle().clone());
        let is_awaited = tell.send(handle.map_err(|error| io::Error::from(error.kind()))).is_ok();
        if let Ok(runtime) = runtime
            && is_awaited
        {
            runtime.block_on(stopped.cancelled());
        }
    })?;
    told.recv().map_err(io::Error::other)?
}

#[cfg(test)]
mod tests;
