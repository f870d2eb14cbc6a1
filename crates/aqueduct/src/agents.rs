//! Agents that work on their own, watched: the loop, its operations, and what the gatekeeper asks about all others.
//!
//! Settings and a store in; out, what the builder puts into the registry and the gatekeeper. Nothing where the loop is off.

use crate::build_error::BuildError;
use aqueduct_operations::autonomy::SafetyMode;
use aqueduct_operations::clock::SystemClock;
use aqueduct_operations::gatekeeper::AgentWatch;
use aqueduct_operations::registry::{OwnOperations, SafetyFacts};
use aqueduct_safety::hooks::WaitingListener;
use aqueduct_safety::safety_loop::{LoopSettings, LoopWatch, SafetyLoop, entries};
use aqueduct_store::Store;
use std::sync::Arc;
use uuid::Uuid;

/// A loop with its operations.
pub(crate) struct WatchedAgents {
    safety_loop: Arc<SafetyLoop>,
    own: OwnOperations,
}

/// The loop that these settings ask for.
pub(crate) fn watched(
    settings: Option<LoopSettings>,
    store: Option<&Store>,
    listener: Option<Arc<dyn WaitingListener>>,
) -> Result<Option<WatchedAgents>, BuildError> {
    let Some(settings) = settings.filter(|settings| settings.mode != SafetyMode::Disabled) else {
        return Ok(None);
    };
    settings.check().map_err(|error| BuildError::Safety(error.to_string()))?;
    let Some(store) = store else {
        return Err(BuildError::Safety("the safety loop needs a store, so that blocks last".to_owned()));
    };
    let mode = settings.mode;
    let instance = Uuid::new_v4().to_string();
    let safety_loop = SafetyLoop::new(store.clone(), settings, instance, Arc::new(SystemClock));
    let safety_loop = Arc::new(safety_loop.telling(listener));
    // The settings are put there with each catalog, because sources have their say in them.
    let safety = SafetyFacts { mode, settings: None };
    let own = OwnOperations { entries: entries(&safety_loop), safety };
    Ok(Some(WatchedAgents { safety_loop, own }))
}

impl WatchedAgents {
    /// What is offered.
    pub fn own(&self) -> OwnOperations {
        self.own.clone()
    }

    /// The loop itself.
    pub fn safety_loop(&self) -> Arc<SafetyLoop> {
        Arc::clone(&self.safety_loop)
    }

    /// What the gatekeeper asks.
    pub fn watch(self) -> Arc<dyn AgentWatch> {
        Arc::new(LoopWatch::new(self.safety_loop, self.own.entries))
    }
}
