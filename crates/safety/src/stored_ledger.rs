//! Units of limits and quotas in a store: counted for all processes and machines, and kept when one of them is lost.

use aqueduct_operations::handler::Boxed;
use aqueduct_operations::rate_limits::ledger::{
    LearnedState, Ledger, LedgerLost, Reservation, ReserveRequest, ReturnedUnits,
};
use aqueduct_store::Store;
use jiff::Timestamp;

/// The ledger of a store.
#[derive(Debug)]
pub struct StoredLedger(pub Store);

impl Ledger for StoredLedger {
    fn reserve<'a>(&'a self, request: ReserveRequest) -> Boxed<'a, Result<Reservation, LedgerLost>> {
        Box::pin(
            async move { self.0.reserve_units(request).await.map_err(|error| LedgerLost(error.to_string())) },
        )
    }

    fn give_back(&self, units: Vec<ReturnedUnits>) {
        self.0.give_back_units(units);
    }

    fn learn(&self, learned: LearnedState) {
        self.0.learn_limit(learned);
    }

    fn hold(&self, source: &str, until: Timestamp) {
        self.0.hold_source(source, until);
    }
}
