//! A store as the ledger of limits and quotas: units count for all processes and machines, and are kept when one of them is lost.
//!
//! What a limiter asks in; what the store says out, with its errors in words that name no path.

use crate::store::Store;
use aqueduct_operations::handler::Boxed;
use aqueduct_operations::rate_limits::ledger::{
    EndedUnits, LearnedState, Ledger, LedgerLost, Reservation, ReserveRequest, ReturnedUnits,
};
use jiff::Timestamp;

impl Ledger for Store {
    fn reserve<'a>(&'a self, request: ReserveRequest) -> Boxed<'a, Result<Reservation, LedgerLost>> {
        Box::pin(
            async move { self.reserve_units(request).await.map_err(|error| LedgerLost(error.to_string())) },
        )
    }

    fn owe(&self, request: ReserveRequest) {
        self.owe_units(request);
    }

    fn give_back(&self, units: Vec<ReturnedUnits>) {
        self.give_back_units(units);
    }

    fn settle(&self, units: Vec<EndedUnits>) {
        self.settle_units(units);
    }

    fn learn(&self, learned: LearnedState) {
        self.learn_limit(learned);
    }

    fn pause_source(&self, source: &str, until: Timestamp) {
        self.write_source_pause(source, until);
    }

    fn is_first_to_pause<'a>(&'a self, counter: &'a str, until: Timestamp) -> Boxed<'a, bool> {
        Box::pin(async move {
            let first = self.note_quota_pause(counter, until).await;
            // Twice is better than never.
            first.unwrap_or_else(|error| {
                tracing::debug!(target: "aqueduct::store", %error, "it is unknown who was told of a paused quota");
                true
            })
        })
    }
}
