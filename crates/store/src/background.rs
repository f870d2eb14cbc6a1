//! The thread on which a store lives: its connections, and what is done from time to time.
//!
//! While somebody waits for changes, it looks for those that other processes have made. It keeps the leases of calls that run here,
//! notes what has expired or was lost, and seals the audit. A process that never asked the store for anything never opens it.

use crate::audit::chain::LastSeal;
use crate::error::{Outage, StoreError};
use crate::maintenance::{AuditPosition, FindDueWork, Maintain};
use crate::started_calls::KeepLeases;
use crate::store::{Store, WeakStore};
use std::collections::HashSet;
use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::runtime::{Builder, Handle};
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;
use tokio::time::{Instant, MissedTickBehavior};

/// How often the rest is looked at.
const TICK: Duration = Duration::from_millis(250);
/// How often leases are kept; a third of the shortest sensible lease.
const KEEP: Duration = Duration::from_secs(5);
/// How often it is looked for what has expired.
const MAINTAIN: Duration = Duration::from_secs(15);

/// The thread. It ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Background {
    handle: Handle,
    _stop: oneshot::Sender<()>,
}

impl Background {
    pub(crate) fn start() -> Result<Background, StoreError> {
        let failed = |error| StoreError::unavailable(Outage::Failed, error);
        let runtime = Builder::new_current_thread().enable_all().build().map_err(failed)?;
        let handle = runtime.handle().clone();
        let (stop, stopped) = oneshot::channel::<()>();
        let run = move || {
            // Nothing is ever sent: it ends when the store is dropped.
            runtime.block_on(stopped).ok();
            runtime.shutdown_background();
        };
        std::thread::Builder::new().name("aqueduct-store".to_owned()).spawn(run).map_err(failed)?;
        Ok(Background { handle, _stop: stop })
    }

    #[cfg(feature = "postgres")]
    pub(crate) fn handle(&self) -> &Handle {
        &self.handle
    }

    pub(crate) fn spawn<F>(&self, work: F) -> JoinHandle<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        self.handle.spawn(work)
    }
}

/// The confirmed calls that run in this process.
#[derive(Debug, Default)]
pub(crate) struct ConfirmedInFlight {
    calls: Mutex<HashSet<String>>,
    is_touched: AtomicBool,
}

impl ConfirmedInFlight {
    pub(crate) fn insert(&self, id: &str) {
        self.calls().insert(id.to_owned());
    }

    pub(crate) fn remove(&self, id: &str) {
        self.calls().remove(id);
    }

    /// Notes that the store is used.
    pub(crate) fn touch(&self) {
        self.is_touched.store(true, Ordering::Relaxed);
    }

    /// Whether it was used.
    pub(crate) fn is_touched(&self) -> bool {
        self.is_touched.load(Ordering::Relaxed)
    }

    fn calls(&self) -> MutexGuard<'_, HashSet<String>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Work that no caller waits for.
#[derive(Debug, Default)]
pub(crate) struct Detached(Arc<watch::Sender<usize>>);

/// Work that runs; it has ended when this is dropped.
#[derive(Debug)]
pub(crate) struct DetachedWork(Arc<watch::Sender<usize>>);

impl Detached {
    pub(crate) fn begin(&self) -> DetachedWork {
        self.0.send_modify(|count| *count += 1);
        DetachedWork(Arc::clone(&self.0))
    }

    /// Waits until nothing runs.
    pub(crate) async fn ended(&self) {
        // The sender is ours, and so never gone.
        self.0.subscribe().wait_for(|count| *count == 0).await.ok();
    }
}

impl Drop for DetachedWork {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count = count.saturating_sub(1));
    }
}

/// Does what is to be done from time to time, until the store is dropped.
pub(crate) async fn maintain_forever(store: WeakStore) {
    let mut ticks = tokio::time::interval(TICK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let start = Instant::now();
    let (mut polled, mut kept, mut maintained, mut position) = (start, start, start, None);
    loop {
        ticks.tick().await;
        let Some(store) = store.upgrade() else { return };
        if !store.in_flight().is_touched() {
            continue;
        }
        // What fails here is logged, and tried again.
        if store.context().changes.receiver_count() > 0 && polled.elapsed() >= store.poll_interval() {
            polled = Instant::now();
            look_for_changes(&store, &mut position).await.ok();
        }
        if kept.elapsed() >= KEEP {
            kept = Instant::now();
            store.write_what_waits();
            let calls: Vec<String> = store.in_flight().calls().iter().cloned().collect();
            if !calls.is_empty() {
                store.perform(KeepLeases(calls)).await.ok();
            }
        }
        if maintained.elapsed() >= MAINTAIN {
            maintained = Instant::now();
            store.maintain().await.ok();
        }
    }
}

async fn look_for_changes(store: &Store, position: &mut Option<i64>) -> Result<(), StoreError> {
    let now = Some(store.perform(AuditPosition).await?);
    if std::mem::replace(position, now) != now {
        store.context().notify_change();
    }
    Ok(())
}

impl Store {
    /// Notes what has expired or was lost, forgets what is of no use any more, and seals the audit when it is time. The store
    /// does so by itself every few seconds.
    pub async fn maintain(&self) -> Result<(), StoreError> {
        let due = self.perform(FindDueWork).await?;
        if due.is_work {
            self.perform(Maintain).await?;
        }
        if due.is_seal {
            self.seal_audit().await?;
        } else if let Some(seal) = self.perform(LastSeal).await? {
            self.seal_file().remember(&seal)?;
        }
        Ok(())
    }
}
