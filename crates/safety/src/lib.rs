//! What decisions about calls need besides the judgement itself, which is in `operations::gatekeeper`.
//!
//! `confirmation` issues and redeems the tokens by which a person confirms a call, in memory; `stored_confirmations` does in
//! a store, where an operator may be asked instead, and `stored_audit` keeps what is decided. `passphrase` is the operator's,
//! `approval_terms` what their yes is good for, and `hooks` tell somebody of what waits, `quota_hook` of
//! quotas that pause.

pub mod agents;
#[cfg(feature = "store")]
pub mod approval_terms;
#[cfg(feature = "store")]
pub mod command_group;
pub mod confirmation;
#[cfg(feature = "store")]
pub mod hooks;
#[cfg(feature = "store")]
pub mod passphrase;
#[cfg(feature = "store")]
pub mod quota_hook;
#[cfg(feature = "store")]
pub mod safety_loop;
#[cfg(feature = "store")]
pub mod stored_audit;
#[cfg(feature = "store")]
pub mod stored_confirmations;
#[cfg(feature = "store")]
pub mod stored_executions;

use aqueduct_operations::clock::Clock;
use aqueduct_operations::gatekeeper::Gatekeeper;
#[cfg(feature = "store")]
use aqueduct_store::Store;
use confirmation::{ConfirmationTokens, GateSettings};
use std::sync::Arc;
#[cfg(feature = "store")]
use stored_audit::StoredAudit;
#[cfg(feature = "store")]
use stored_confirmations::{Confirmer, StoredConfirmations};

/// A gatekeeper with its confirmations in memory.
pub fn gatekeeper(settings: GateSettings, clock: Arc<dyn Clock>) -> Gatekeeper {
    Gatekeeper::new(Arc::new(ConfirmationTokens::new(settings, clock)))
}

/// A gatekeeper with its confirmations and its audit in a store.
#[cfg(feature = "store")]
pub fn stored_gatekeeper(
    store: &Store,
    settings: GateSettings,
    confirmer: Confirmer,
    clock: Arc<dyn Clock>,
) -> Gatekeeper {
    let confirmations = StoredConfirmations::new(store.clone(), settings, confirmer, clock);
    Gatekeeper::new(Arc::new(confirmations)).with_audit(Arc::new(StoredAudit(store.clone())))
}

#[cfg(test)]
mod tests;
