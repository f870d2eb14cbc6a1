//! Work that takes long, on threads of its own: those that serve connections go on serving.
//!
//! Something to do in, its result out. A few run at a time, in the order of their coming. When no caller waits for one any
//! more, or the server ends, it is stopped through its meter. What is small is done where it comes up.

use crate::failure_map;
use aqueduct_operations::failure::Failure;
pub use aqueduct_operations::size::LARGE;
use aqueduct_schema::LazySchema;
use aqueduct_schema::work::{Meter, Stopper};
use std::sync::Arc;
use tokio::sync::{Semaphore, oneshot, watch};

/// Bytes of text that are scanned in a step.
pub const BYTES_IN_A_STEP: u64 = 8;

/// Steps of a check that are taken where it comes up: a millisecond or less.
pub const AT_ONCE: u64 = 20_000;

/// What the deepest schema may need in a build for debugging; memory is taken only as it is used.
const STACK: usize = 16 * 1024 * 1024;

/// The threads for work that takes long.
#[derive(Debug)]
pub struct WorkerPool {
    places: Arc<Semaphore>,
    /// Those for making schemas: what is short must not wait behind what is long.
    making: Arc<Semaphore>,
    ending: watch::Sender<()>,
}

impl Default for WorkerPool {
    fn default() -> WorkerPool {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let places = || Arc::new(Semaphore::new(cores.max(2)));
        WorkerPool { places: places(), making: places(), ending: watch::Sender::new(()) }
    }
}

impl WorkerPool {
    /// Ends what is under way.
    pub fn end(&self) {
        self.ending.send_replace(());
    }

    /// Makes schemas that nothing was held against yet.
    pub async fn make(&self, schemas: Vec<Arc<LazySchema>>) -> Result<(), Failure> {
        let make = move |_: &Meter| {
            for schema in schemas {
                schema.get();
            }
        };
        self.run_in(&self.making, &Arc::new(Meter::default()), make).await
    }

    /// Looks whether a schema closes objects, which takes its document.
    pub async fn examine(&self, schema: Arc<LazySchema>) -> Result<(), Failure> {
        let examine = move |_: &Meter| {
            schema.closes_objects();
        };
        self.run_in(&self.making, &Arc::new(Meter::default()), examine).await
    }

    /// Does this on another thread. Dropping the future ends the work.
    pub async fn run<T: Send + 'static>(
        &self,
        meter: &Arc<Meter>,
        work: impl FnOnce(&Meter) -> T + Send + 'static,
    ) -> Result<T, Failure> {
        self.run_in(&self.places, meter, work).await
    }

    async fn run_in<T: Send + 'static>(
        &self,
        places: &Arc<Semaphore>,
        meter: &Arc<Meter>,
        work: impl FnOnce(&Meter) -> T + Send + 'static,
    ) -> Result<T, Failure> {
        let mut ending = self.ending.subscribe();
        let mut wanted = StopOnDrop { stopper: meter.stopper(), is_done: false };
        let meter = Arc::clone(meter);
        let places = Arc::clone(places);
        let running = async move {
            let place = places.acquire_owned().await.ok()?;
            let (sender, receiver) = oneshot::channel();
            let thread = std::thread::Builder::new().name("work".to_owned()).stack_size(STACK);
            let begun = thread.spawn(move || {
                let done = work(&meter);
                drop(place);
                // No one may be there to hear of it.
                drop(sender.send(done));
            });
            begun.ok()?;
            receiver.await.ok()
        };
        let done = tokio::select! {
            done = running => done,
            _ = ending.changed() => return Err(failure_map::ending()),
        };
        wanted.is_done = true;
        done.ok_or_else(failure_map::panicked)
    }
}

/// Stops the work of a call that is dropped.
struct StopOnDrop {
    stopper: Stopper,
    is_done: bool,
}

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        if !self.is_done {
            self.stopper.stop();
        }
    }
}

#[cfg(test)]
mod tests;
