//! The store: opened once, shared by clones, asked by operations that other files of this crate add to it.
//!
//! Opening reaches nothing: a store that is lost fails the calls that need it, and no others. Operations run apart from whoever
//! asks, so that a request which is given up leaves no transaction half done.

use crate::audit::Witness;
use crate::audit::chain::{Append, LastSeal, Seal, SealNow};
use crate::audit::entry::AuditEntry;
use crate::background::{self, Background, InFlight};
use crate::context::Context;
#[cfg(feature = "postgres")]
use crate::engine::PostgresEngine;
use crate::engine::{Engine, SqliteEngine};
use crate::error::{Outage, StoreError};
use crate::migrations::Migrated;
use crate::settings::{Place, StoreSettings};
use crate::status::Ping;
use crate::transaction::Operation;
use aqueduct_operations::clock::Clock;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, Weak};
use std::time::Duration;
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
    witness: Witness,
    in_flight: InFlight,
    is_lost: AtomicBool,
    background: Background,
}

impl Store {
    /// A store at this place. Nothing is opened or connected yet.
    pub fn open(settings: StoreSettings, clock: Arc<dyn Clock>) -> Result<Store, StoreError> {
        let StoreSettings { place, limits, witness } = settings;
        let context = Arc::new(Context {
            clock,
            limits,
            key: OnceLock::new(),
            migrated: OnceLock::new(),
            changes: watch::Sender::new(0),
        });
        let background = Background::start()?;
        let engine = match place {
            Place::Sqlite { directory } => {
                Engine::Sqlite(SqliteEngine::start(directory, Arc::clone(&context))?)
            }
            #[cfg(feature = "postgres")]
            Place::Postgres(settings) => {
                let engine = PostgresEngine::new(*settings, Arc::clone(&context))?;
                Engine::Postgres(Box::new(engine))
            }
        };
        let inner = Inner {
            engine: Arc::new(engine),
            context,
            witness: Witness::new(witness),
            in_flight: InFlight::default(),
            is_lost: AtomicBool::new(false),
            background,
        };
        let store = Store { inner: Arc::new(inner) };
        store.inner.background.spawn(background::keep(store.downgrade()));
        Ok(store)
    }

    /// Reaches the store and brings its tables up to date; what that took. Everything else does so by itself.
    pub async fn prepare(&self) -> Result<Migrated, StoreError> {
        self.perform(Ping).await?;
        let migrated = self.inner.context.migrated.get().copied();
        migrated.ok_or_else(|| StoreError::Damaged("its version is not known".to_owned()))
    }

    /// Counts changes of approvals and callers, made by any process: whoever waits for one reads again when this changes.
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

    /// Seals the audit now, and gives the last seal, to be kept elsewhere.
    pub async fn seal_audit(&self) -> Result<Option<Seal>, StoreError> {
        self.perform(SealNow).await?;
        let last = self.perform(LastSeal).await?;
        if let Some(seal) = &last {
            self.inner.witness.remember(seal)?;
        }
        Ok(last)
    }

    /// `sqlite` or `postgres`.
    pub fn engine_name(&self) -> &'static str {
        self.inner.engine.name()
    }

    pub(crate) async fn perform<O: Operation>(&self, operation: O) -> Result<O::Output, StoreError> {
        let engine = Arc::clone(&self.inner.engine);
        self.inner.in_flight.touch();
        let task = self.inner.background.spawn(async move { engine.perform(operation).await });
        let result = task.await.map_err(|error| StoreError::unavailable(Outage::Failed, error))?;
        self.note(result.as_ref().err());
        result
    }

    /// Logs the first failure of a row, and its end.
    fn note(&self, failure: Option<&StoreError>) {
        let was_lost = self.inner.is_lost.swap(failure.is_some(), Ordering::Relaxed);
        match failure {
            Some(error) if was_lost => {
                tracing::debug!(target: "aqueduct::store", %error, cause = error.cause(), "the store fails");
            }
            Some(error) => {
                tracing::warn!(target: "aqueduct::store", %error, cause = error.cause(), "the store fails");
            }
            None if was_lost => tracing::info!(target: "aqueduct::store", "the store is back"),
            None => {}
        }
    }

    /// Whether the last thing that was asked of the store failed.
    pub fn is_lost(&self) -> bool {
        self.inner.is_lost.load(Ordering::Relaxed)
    }

    pub(crate) fn poll_interval(&self) -> Duration {
        self.inner.engine.poll_interval()
    }

    /// Runs an operation that nobody waits for.
    pub(crate) fn perform_detached<O: Operation>(&self, operation: O) {
        let store = self.clone();
        // What fails is logged.
        self.inner.background.spawn(async move { store.perform(operation).await.ok() });
    }

    pub(crate) fn in_flight(&self) -> &InFlight {
        &self.inner.in_flight
    }

    pub(crate) fn witness(&self) -> &Witness {
        &self.inner.witness
    }

    pub(crate) fn context(&self) -> &Context {
        &self.inner.context
    }

    pub(crate) fn downgrade(&self) -> WeakStore {
        WeakStore(Arc::downgrade(&self.inner))
    }
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
