//! The parts of an `Aqueduct` that stand on a store: the gatekeeper, what the dispatcher keeps and counts, and what is served.
//!
//! Settings and a store, if there is one, in; the part out. Without a store all of it is in memory, and ends with the process.

#[cfg(feature = "store")]
use crate::agents::WatchedAgents;
#[cfg(feature = "serve")]
use crate::serving::ServeState;
#[cfg(all(feature = "serve", feature = "store"))]
use crate::store_check::StoreCheck;
#[cfg(all(feature = "serve", feature = "store"))]
use crate::store_metrics::{CountedListener, HookCounts, StoreMetrics};
#[cfg(any(feature = "serve", feature = "store"))]
use aqueduct_dispatch::Dispatcher;
#[cfg(feature = "store")]
use aqueduct_dispatch::Executions;
#[cfg(feature = "store")]
use aqueduct_limiter::Limiters;
#[cfg(feature = "store")]
use aqueduct_operations::clock::{Clock, SystemClock};
#[cfg(feature = "store")]
use aqueduct_operations::execution::ExecutionSettings;
#[cfg(feature = "store")]
use aqueduct_operations::gatekeeper::Gatekeeper;
#[cfg(feature = "store")]
use aqueduct_operations::rate_limits::metering::PauseListener;
#[cfg(feature = "store")]
use aqueduct_safety::confirmation::GateSettings;
#[cfg(feature = "store")]
use aqueduct_safety::hooks::WaitingListener;
#[cfg(feature = "store")]
use aqueduct_safety::quota_hook::QuotaHook;
#[cfg(feature = "store")]
use aqueduct_safety::stored_confirmations::Confirmer;
#[cfg(feature = "store")]
use aqueduct_store::Store;
#[cfg(feature = "serve")]
use aqueduct_surface::http::HttpSettings;
#[cfg(any(feature = "serve", feature = "store"))]
use std::sync::Arc;

/// A store, and who confirms what is asked in it.
#[cfg(feature = "store")]
#[derive(Debug)]
pub(super) struct ConfirmingStore {
    pub store: Store,
    pub confirmer: Confirmer,
}

/// The gatekeeper, over the store where there is one, and with the agents that are watched.
#[cfg(feature = "store")]
pub(super) fn gatekeeper(
    gate: GateSettings,
    kept: Option<&ConfirmingStore>,
    agents: Option<WatchedAgents>,
) -> Gatekeeper {
    let clock = Arc::new(SystemClock);
    let gatekeeper = match kept {
        Some(ConfirmingStore { store, confirmer }) => {
            aqueduct_safety::stored_gatekeeper(store, gate, *confirmer, clock)
        }
        None => aqueduct_safety::gatekeeper(gate, clock),
    };
    match agents {
        Some(agents) => gatekeeper.with_agents(agents.watch()),
        None => gatekeeper,
    }
}

/// The dispatcher, which keeps executions and counts units in the store where there is one.
#[cfg(feature = "store")]
pub(super) fn keeping(
    dispatcher: Dispatcher,
    kept: Option<&ConfirmingStore>,
    executions: ExecutionSettings,
    clock: Arc<dyn Clock>,
    listener: Option<Arc<dyn WaitingListener>>,
) -> Dispatcher {
    let Some(ConfirmingStore { store, .. }) = kept else {
        return dispatcher.keeping(Executions::in_memory(executions));
    };
    let hook = listener
        .map(|listener| Arc::new(QuotaHook { listener, store: store.clone() }) as Arc<dyn PauseListener>);
    let limiters = Limiters::new(Arc::new(store.clone()), clock).telling(hook);
    dispatcher.keeping(crate::executions::stored(store.clone(), executions)).limited_by(Arc::new(limiters))
}

/// What is served besides calls: the listener's settings, and metrics of the dispatcher.
#[cfg(feature = "serve")]
pub(super) fn serving(http: HttpSettings, dispatcher: &Dispatcher) -> ServeState {
    let serving = ServeState { http, metrics: Arc::default() };
    serving.metrics.show_limits(Arc::clone(dispatcher.limiters()));
    serving
}

/// The same with a store: it says whether the server is ready, and has metrics of its own.
#[cfg(all(feature = "serve", feature = "store"))]
pub(super) fn with_store(
    serving: ServeState,
    kept: Option<&ConfirmingStore>,
    hooks: Arc<HookCounts>,
) -> ServeState {
    let Some(ConfirmingStore { store, .. }) = kept else { return serving };
    let ready = Arc::new(StoreCheck::new(store.clone()));
    serving.metrics.show_others(Arc::new(StoreMetrics { store: store.clone(), hooks }));
    ServeState { http: HttpSettings { ready: Some(ready), ..serving.http }, ..serving }
}

/// The same settings, with a listener that is counted.
#[cfg(all(feature = "serve", feature = "store"))]
pub(super) fn counted(gate: GateSettings, hooks: &Arc<HookCounts>) -> GateSettings {
    let listener = gate.listener.map(|listener| {
        Arc::new(CountedListener { listener, counts: Arc::clone(hooks) }) as Arc<dyn WaitingListener>
    });
    GateSettings { listener, ..gate }
}
