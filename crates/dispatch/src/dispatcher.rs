//! The dispatcher: everything that calls share, and the catalog that is in service.
//!
//! Parts in, a dispatcher out, which `pipeline` runs calls with. The catalog is replaced while calls go on; each of them keeps the one
//! that it began with.

use crate::catalog::Catalog;
use crate::concurrency_limiter::ConcurrencyLimiter;
use crate::cursor::CursorKey;
use crate::executions::Executions;
use crate::observe::Observer;
use crate::question_limiter::QuestionLimiter;
use crate::worker_pool::WorkerPool;
use aqueduct_limiter::Limiters;
use aqueduct_operations::call::{Caller, SessionEnd, SessionId};
use aqueduct_operations::clock::{Clock, SystemClock};
use aqueduct_operations::execution::{ExecutionSettings, ExecutionTimes};
use aqueduct_operations::gatekeeper::Gatekeeper;
use aqueduct_operations::limits::Limits;
use aqueduct_upstream::Upstream;
use arc_swap::ArcSwap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// Settings of dispatch.
#[derive(Debug, Clone)]
pub struct DispatchSettings {
    /// The payload limits.
    pub limits: Limits,
    /// Rejects unknown parameters; off is for development only.
    pub strict_mode: bool,
    /// Seals cursors; without one they do not outlive the process.
    pub cursor_key: Option<CursorKey>,
    /// What a batch does when something must be confirmed.
    pub batch: BatchMode,
    /// Asks the person behind a client that can ask, when a call needs a confirmation. Other clients get a token in any case.
    pub asks_people: bool,
    /// Tells the time.
    pub clock: Arc<dyn Clock>,
}

/// What a batch does when an operation of it must be confirmed (operations document, section 7.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BatchMode {
    /// It stops there.
    #[default]
    Halt,
    /// It goes on with the next one.
    Skip,
}

impl Default for DispatchSettings {
    fn default() -> DispatchSettings {
        DispatchSettings {
            limits: Limits::default(),
            strict_mode: true,
            cursor_key: None,
            batch: BatchMode::default(),
            asks_people: false,
            clock: Arc::new(SystemClock),
        }
    }
}

/// Runs calls against the catalog that is in service.
#[derive(Debug)]
pub struct Dispatcher {
    catalog: ArcSwap<Catalog>,
    replaced: watch::Sender<()>,
    pub(crate) gatekeeper: Gatekeeper,
    pub(crate) upstream: Upstream,
    pub(crate) limiter: ConcurrencyLimiter,
    /// Holds sources to their limits and quotas.
    pub(crate) limiters: Arc<Limiters>,
    pub(crate) questions: Arc<QuestionLimiter>,
    /// Jobs that go on after the call that started them.
    pub(crate) executions: Executions,
    pub(crate) cursor_key: Option<CursorKey>,
    /// Where work is done that takes long.
    pub(crate) workers: WorkerPool,
    pub(crate) settings: DispatchSettings,
    pub(crate) observer: Option<Arc<dyn Observer>>,
}

impl Dispatcher {
    /// Puts the parts together.
    pub fn new(
        catalog: Catalog,
        gatekeeper: Gatekeeper,
        upstream: Upstream,
        settings: DispatchSettings,
    ) -> Dispatcher {
        Dispatcher {
            catalog: ArcSwap::from_pointee(catalog),
            replaced: watch::Sender::new(()),
            gatekeeper,
            upstream,
            limiter: ConcurrencyLimiter::default(),
            limiters: Arc::new(Limiters::in_memory(Arc::clone(&settings.clock))),
            questions: Arc::default(),
            executions: Executions::in_memory(ExecutionSettings::default()),
            // Without randomness pages have no cursors, and a call for one says so.
            cursor_key: settings.cursor_key.clone().or_else(|| CursorKey::random().ok()),
            workers: WorkerPool::default(),
            settings,
            observer: None,
        }
    }

    /// Ends work that takes long: the server ends, and waits for nothing else than requests that are out.
    pub fn end_work(&self) {
        self.workers.end();
        self.limiters.drain();
    }

    /// Holds sources to their limits with these, which may count for several processes; without it each process counts by itself.
    #[must_use]
    pub fn limited_by(mut self, limiters: Arc<Limiters>) -> Dispatcher {
        self.limiters = limiters;
        self
    }

    /// Keeps executions with this, which may do so for several processes; without it they end with the process.
    #[must_use]
    pub fn keeping(mut self, executions: Executions) -> Dispatcher {
        self.executions = executions;
        self
    }

    /// Makes the dispatcher known to what goes on without a call. An operation that starts executions can be called from then on.
    pub fn attached(self: Arc<Dispatcher>) -> Arc<Dispatcher> {
        self.executions.attach(Arc::downgrade(&self));
        self
    }

    /// Follows executions that other processes have left behind, from now on.
    pub fn follow_executions(&self) {
        self.executions.take_over();
        self.executions.begin(!self.catalog().executions().is_empty());
    }

    /// Leaves executions in order before the process ends: those of its sessions are closed, others left to other processes.
    pub async fn close_executions(&self, at_most: Duration) {
        self.executions.close(at_most).await;
    }

    /// When an execution was made and last learnt of, for the caller that was told its state.
    pub async fn execution_times(&self, id: &str) -> Option<ExecutionTimes> {
        self.executions.times(id).await
    }

    /// What holds sources to their limits.
    pub fn limiters(&self) -> &Arc<Limiters> {
        &self.limiters
    }

    /// Tells this observer about every call that is done.
    #[must_use]
    pub fn observed_by(mut self, observer: Arc<dyn Observer>) -> Dispatcher {
        self.observer = Some(observer);
        self
    }

    /// The catalog in service.
    pub fn catalog(&self) -> Arc<Catalog> {
        self.catalog.load_full()
    }

    /// Puts another catalog in service. Calls that have begun go on with the one they began with.
    pub fn replace(&self, catalog: Catalog) {
        self.replace_quietly(catalog);
        self.replaced.send_replace(());
    }

    /// Puts another catalog in service that offers the same, without a notification.
    pub fn replace_quietly(&self, catalog: Catalog) {
        let catalog = catalog.following(&self.catalog());
        self.executions.begin(!catalog.executions().is_empty());
        self.catalog.store(Arc::new(catalog));
    }

    /// Builds what operations are searched by, on a thread of its own, so that no call waits for it.
    pub fn prepare_search(self: &Arc<Dispatcher>) {
        let dispatcher = Arc::clone(self);
        let prepare = move || loop {
            let catalog = dispatcher.catalog();
            catalog.prepare_search();
            if Arc::ptr_eq(&catalog, &dispatcher.catalog()) {
                break;
            }
        };
        // Without a thread the first search builds it.
        if let Err(error) = std::thread::Builder::new().name("search-index".to_owned()).spawn(prepare) {
            tracing::warn!(target: "aqueduct::load", %error, "the search is not prepared");
        }
    }

    /// Sees every catalog that is put in service from now on.
    pub fn replaced(&self) -> watch::Receiver<()> {
        self.replaced.subscribe()
    }

    /// What time it is.
    pub fn clock(&self) -> &Arc<dyn Clock> {
        &self.settings.clock
    }

    /// The limits in force, for the transports.
    pub fn limits(&self) -> &Limits {
        &self.settings.limits
    }

    /// Forgets everything that belongs to a session of this caller, however it ended, and records how it did.
    pub fn end_session(&self, session: &SessionId, caller: &Caller, end: SessionEnd) {
        self.gatekeeper.end_session(session);
        self.questions.end_session(session);
        self.executions.end_session(session, end);
        let (caller, end) = (caller.name(), end.name());
        tracing::info!(target: "aqueduct::session", %session, caller, end, "session ended");
    }
}
