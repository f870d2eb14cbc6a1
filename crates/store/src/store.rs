//! The store: opened once, shared by clones, asked by tasks that other files of this crate add to it.
//!
//! Opening reaches nothing: a store that is lost fails the calls that need it, and no others. Tasks run apart from the code that
//! asks, so that a request which is given up leaves no transaction half done.

use crate::audit::chain::{Append, LastSeal, Seal, SealNow};
use crate::audit::entry::AuditEntry;
use crate::audit::{PendingLine, PendingLines, SealFile, WritePending};
use crate::background::{self, Background, ConfirmedInFlight, Detached};
use crate::context::Context;
#[cfg(feature = "postgres")]
use crate::engine::PostgresEngine;
use crate::engine::{Engine, SqliteEngine};
use crate::error::{Outage, StoreError};
use crate::migrations::Migrated;
use crate::outage::OutageLog;
use crate::settings::{StoreLocation, StoreSettings};
use crate::started_calls::EndedCall;
use crate::status::Ping;
use crate::tally::StoreCounter;
use crate::transaction::StoreTask;
use aqueduct_operations::clock::Clock;
use jiff::Timestamp;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, Weak};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// What outlives a process.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

/// A store, as long as somebody else has it.
#[derive(Clone)]
pub(crate) struct WeakStore(Weak<Inner>);

struct Inner {
    engine: Arc<Engine>,
    context: Arc<Context>,
    poll_interval: Option<Duration>,
    seal_file: SealFile,
    in_flight: ConfirmedInFlight,
    pending: PendingLines,
    detached: Detached,
    outage: OutageLog,
    background: Background,
}

impl Store {
    /// A store at this place. Nothing is opened or connected yet.
    pub fn open(settings: StoreSettings, clock: Arc<dyn Clock>) -> Result<Store, StoreError> {
        let StoreSettings { place, limits, seal_file, poll_interval } = settings;
        let context = Arc::new(Context {
            clock,
            limits,
            key: OnceLock::new(),
            migrated: OnceLock::new(),
            changes: watch::Sender::new(0),
            counter: StoreCounter::default(),
            has_new_seal: AtomicBool::new(false),
        });
        let background = Background::start()?;
        let engine = match place {
            StoreLocation::Sqlite { directory } => {
                Engine::Sqlite(SqliteEngine::start(directory, Arc::clone(&context))?)
            }
            #[cfg(feature = "postgres")]
            StoreLocation::Postgres(settings) => {
                let engine = PostgresEngine::new(*settings, Arc::clone(&context))?;
                Engine::Postgres(Box::new(engine))
            }
        };
        let inner = Inner {
            engine: Arc::new(engine),
            context,
            poll_interval,
            seal_file: SealFile::new(seal_file),
            in_flight: ConfirmedInFlight::default(),
            pending: PendingLines::default(),
            detached: Detached::default(),
            outage: OutageLog::default(),
            background,
        };
        let store = Store { inner: Arc::new(inner) };
        store.inner.background.spawn(background::maintain_forever(store.downgrade()));
        Ok(store)
    }

    /// Reaches the store and brings its tables up to date; what that took. Everything else does so by itself.
    pub async fn prepare(&self) -> Result<Migrated, StoreError> {
        self.perform(Ping).await?;
        let migrated = self.inner.context.migrated.get().copied();
        migrated.ok_or_else(|| StoreError::Damaged("its version is not known".to_owned()))
    }

    /// Counts changes of approvals and callers, made by any process: the caller that waits for one reads again when this changes.
    pub fn changes(&self) -> watch::Receiver<u64> {
        #[cfg(feature = "postgres")]
        if let Engine::Postgres(engine) = &*self.inner.engine {
            engine.listen(self.inner.background.handle());
        }
        self.inner.context.changes.subscribe()
    }

    /// Adds lines to the audit, all or none.
    pub async fn append_audit(&self, entries: Vec<AuditEntry>) -> Result<(), StoreError> {
        self.perform(Append(entries)).await
    }

    /// Adds a refusal to the audit that no caller waits for. It is kept until it can be written, within a bound for its
    /// caller. The same one, by the same session, for the same call and rule, has one line a minute, and a count.
    pub fn note_audit(&self, entry: AuditEntry) {
        if self.inner.pending.note(entry, self.inner.context.clock.now()) {
            self.write_pending();
        }
    }

    /// Adds the end of a call, which is kept until it is written.
    pub(crate) fn note_end(&self, ended: EndedCall) {
        if self.inner.pending.end(ended) {
            self.write_pending();
        }
    }

    /// Writes the lines that wait, if no one does.
    pub(crate) fn write_what_waits(&self) {
        if self.inner.pending.begin(self.inner.context.clock.now()) {
            self.write_pending();
        }
    }

    fn write_pending(&self) {
        let store = self.clone();
        self.spawn_detached(async move {
            loop {
                let lines = store.inner.pending.take();
                if lines.is_empty() {
                    return;
                }
                // What fails is logged, and tried again later.
                if store.perform(WritePending(lines.clone())).await.is_err() {
                    return store.inner.pending.put_back(lines);
                }
                for line in lines {
                    if let PendingLine::End(ended) = line {
                        store.inner.in_flight.remove(&ended.call.id);
                    }
                }
            }
        });
    }

    /// Waits, at most for so long, until everything is written that no caller waits for: before the process ends.
    pub async fn settle(&self, at_most: Duration) {
        // Counts of what was repeated as well, though their minute is not over.
        if self.inner.pending.begin(Timestamp::MAX) {
            self.write_pending();
        }
        let ended = tokio::time::timeout(at_most, self.inner.detached.ended()).await;
        if ended.is_err() || self.inner.pending.len() > 0 {
            tracing::warn!(target: "aqueduct::store", "the process ends before all lines of the audit are written");
        }
    }

    /// The same, and seals what is written, if this process has used the store.
    pub async fn close(&self, at_most: Duration) {
        self.settle(at_most).await;
        if !self.inner.in_flight.is_touched() || self.is_lost() {
            return;
        }
        match tokio::time::timeout(at_most, self.seal_audit()).await {
            Ok(Ok(_)) => {}
            Ok(Err(error)) => warn_unsealed(&error.to_string()),
            Err(_) => warn_unsealed("the store did not answer in time"),
        }
    }

    /// Does what is due, for commands that cannot wait: what a process that was killed has left behind.
    pub fn maintain_soon(&self) {
        let store = self.clone();
        // What fails is logged, and tried again.
        self.spawn_detached(async move {
            store.maintain().await.ok();
        });
    }

    /// Seals the audit now, and gives the last seal, to be kept elsewhere.
    pub async fn seal_audit(&self) -> Result<Option<Seal>, StoreError> {
        self.perform(SealNow).await?;
        let last = self.perform(LastSeal).await?;
        if let Some(seal) = &last {
            self.inner.seal_file.remember(seal)?;
        }
        Ok(last)
    }

    /// `sqlite` or `postgres`.
    pub fn engine_name(&self) -> &'static str {
        self.inner.engine.name()
    }

    pub(crate) async fn perform<O: StoreTask>(&self, task: O) -> Result<O::Output, StoreError> {
        let engine = Arc::clone(&self.inner.engine);
        self.inner.in_flight.touch();
        let task = self.inner.background.spawn(async move { engine.perform(task).await });
        let started = Instant::now();
        let result = task.await.map_err(|error| StoreError::unavailable(Outage::Failed, error))?;
        self.inner.context.counter.ended(O::READS_ONLY, started.elapsed(), result.as_ref().err());
        if let Some(line) = self.inner.outage.note(result.as_ref().err(), self.inner.context.clock.now()) {
            self.note_audit(line);
            // What could not be written meanwhile.
            self.write_what_waits();
        }
        if result.is_ok() && self.inner.context.has_new_seal.swap(false, Ordering::Relaxed) {
            self.remember_seal().await;
        }
        result
    }

    /// Runs an operation that may start a call. It goes on when no caller waits for it any more; what it started is dropped then, and the
    /// audit has its end.
    pub(crate) async fn perform_start<O: StoreTask, R: Send + 'static>(
        &self,
        operation: O,
        started: impl FnOnce(O::Output, &Store) -> R + Send + 'static,
    ) -> Result<R, StoreError> {
        let store = self.clone();
        let task = self.inner.background.spawn(async move {
            let outcome = store.perform(operation).await?;
            Ok(started(outcome, &store))
        });
        task.await.map_err(|error| StoreError::unavailable(Outage::Failed, error))?
    }

    /// Remembers the last seal on this machine. What was done stays done when that fails.
    async fn remember_seal(&self) {
        let engine = Arc::clone(&self.inner.engine);
        let last = match self.inner.background.spawn(async move { engine.perform(LastSeal).await }).await {
            Ok(last) => last,
            Err(error) => Err(StoreError::unavailable(Outage::Failed, error)),
        };
        let remembered =
            last.and_then(|last| last.iter().try_for_each(|seal| self.inner.seal_file.remember(seal)));
        if let Err(error) = remembered {
            tracing::warn!(target: "aqueduct::store", %error, cause = error.cause(), "the last seal is not remembered");
        }
    }

    /// Whether the last thing that was asked of the store failed.
    pub fn is_lost(&self) -> bool {
        self.inner.outage.is_lost()
    }

    /// Whether this process has asked the store for anything.
    pub fn is_used(&self) -> bool {
        self.inner.in_flight.is_touched()
    }

    /// Lines of the audit that wait to be written.
    pub(crate) fn waiting_lines(&self) -> usize {
        self.inner.pending.len()
    }

    pub(crate) fn poll_interval(&self) -> Duration {
        self.inner.poll_interval.unwrap_or_else(|| self.inner.engine.poll_interval())
    }

    /// Runs a task that no caller waits for.
    pub(crate) fn perform_detached<O: StoreTask>(&self, task: O) {
        let store = self.clone();
        // What fails is logged.
        self.spawn_detached(async move { drop(store.perform(task).await.ok()) });
    }

    /// Runs work that no caller waits for; `settle` does.
    pub(crate) fn spawn_detached(&self, work: impl Future<Output = ()> + Send + 'static) {
        let running = self.inner.detached.begin();
        self.inner.background.spawn(async move {
            work.await;
            drop(running);
        });
    }

    pub(crate) fn in_flight(&self) -> &ConfirmedInFlight {
        &self.inner.in_flight
    }

    pub(crate) fn seal_file(&self) -> &SealFile {
        &self.inner.seal_file
    }

    pub(crate) fn context(&self) -> &Context {
        &self.inner.context
    }

    pub(crate) fn downgrade(&self) -> WeakStore {
        WeakStore(Arc::downgrade(&self.inner))
    }
}

fn warn_unsealed(error: &str) {
    tracing::warn!(target: "aqueduct::store", error, "the process ends before the audit is sealed");
}

impl WeakStore {
    pub(crate) fn upgrade(&self) -> Option<Store> {
        self.0.upgrade().map(|inner| Store { inner })
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").field("engine", &self.engine_name()).finish_non_exhaustive()
    }
}

impl fmt::Debug for WeakStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WeakStore")
    }
}
