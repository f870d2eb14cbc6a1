//! What decisions about calls need besides the judgement itself, which is in `operations::gatekeeper`.
//!
//! `confirmation` issues and redeems the tokens by which a person confirms a call.

pub mod confirmation;

use aqueduct_operations::clock::Clock;
use aqueduct_operations::gatekeeper::Gatekeeper;
use confirmation::{ConfirmationTokens, GateSettings};
use std::sync::Arc;

/// A gatekeeper with its confirmations in memory.
pub fn gatekeeper(settings: GateSettings, clock: Arc<dyn Clock>) -> Gatekeeper {
    Gatekeeper::new(Arc::new(ConfirmationTokens::new(settings, clock)))
}

#[cfg(test)]
mod tests;
