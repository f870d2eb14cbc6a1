//! Requests that have ended: the ledger is told, many at once, so that their units count for a window from then on.
//!
//! Turns of requests that were answered or given up in; settled units out. A unit counts until the ledger was told, and for longer
//! when it never is: so nothing here has to succeed.

use crate::source_limiter::{LimiterState, SourceLimiter};
use crate::turns::TakenTurn;
use aqueduct_operations::rate_limits::RateLimits;
use aqueduct_operations::rate_limits::ledger::{CountSpan, EndedUnits, RequestEnd};
use std::sync::{Arc, MutexGuard};
use std::time::Duration;
use tokio::runtime::Handle;

/// The ledger is told after a hundredth of the shortest window, and within these bounds: what it hears late counts for longer.
const SOONEST: Duration = Duration::from_millis(20);
const LATEST: Duration = Duration::from_millis(500);

/// How long the ledger is not told.
pub(crate) fn settle_after(rules: &RateLimits) -> Duration {
    let shortest = rules.api_limits.iter().map(|limit| limit.window.length()).min().unwrap_or(LATEST);
    (shortest / 100).clamp(SOONEST, LATEST)
}

impl SourceLimiter {
    /// The API has answered, or no caller waits for it any more.
    pub fn end_request(self: &Arc<Self>, turn: TakenTurn, end: RequestEnd) {
        let mut state = self.state();
        state.end(turn, end);
        self.settle_soon(state);
    }

    /// Has the ledger told, unless somebody will tell it already.
    pub fn settle_soon(self: &Arc<Self>, mut state: MutexGuard<'_, LimiterState>) {
        if state.is_settling || !state.limits.iter().any(|counter| counter.has_ended()) {
            return;
        }
        // Without a runtime the process ends, or soon does.
        let Ok(runtime) = Handle::try_current() else { return };
        state.is_settling = true;
        // A runtime that ends drops what it is given at once, which needs the lock.
        drop(state);
        let (due, after) = (DueSettlement(Arc::clone(self)), self.settle_after);
        runtime.spawn(async move {
            tokio::time::sleep(after).await;
            drop(due);
        });
    }

    /// Tells the ledger.
    pub fn settle(&self) {
        let ended = {
            let mut state = self.state();
            let every = 0..state.limits.len();
            every.flat_map(|index| self.take_ended(&mut state, index)).collect::<Vec<_>>()
        };
        if !ended.is_empty() {
            self.ledger.settle(ended);
        }
    }

    /// What the ledger has to be told of one limit.
    pub fn take_ended(&self, state: &mut LimiterState, index: usize) -> Vec<EndedUnits> {
        let of_limit = state.limits.get_mut(index).zip(self.rules.api_limits.get(index));
        of_limit.map_or_else(Vec::new, |(counter, limit)| {
            counter.take_ended(CountSpan::Sliding(limit.window.length()))
        })
    }
}

/// The ledger will be told. It is when this is dropped, also when its runtime ends before its time.
struct DueSettlement(Arc<SourceLimiter>);

impl Drop for DueSettlement {
    fn drop(&mut self) {
        self.0.state().is_settling = false;
        self.0.settle();
    }
}

#[cfg(test)]
mod tests;
