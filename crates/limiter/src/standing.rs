//! How far the limits and quotas of a source are used.
//!
//! Counters in; their status out: as the ledger says for the caller, and as this process knows for metrics. Nothing is reserved.

use crate::source_limiter::{LimiterState, SourceLimiter};
use crate::tally::SourceTally;
use aqueduct_operations::clock::iso8601;
use aqueduct_operations::rate_limits::ledger::{CountSpan, CountWindow, ReserveRequest, UnitRequest};
use aqueduct_operations::rate_limits::status::{CounterStatus, SourceLimitStatus};

impl SourceLimiter {
    /// How far everything is used, as the ledger says.
    pub async fn status(&self) -> Result<SourceLimitStatus, String> {
        let now = self.clock.now();
        let wants: Vec<UnitRequest> = {
            let mut state = self.state();
            for (counter, quota) in state.quotas.iter_mut().zip(&self.rules.quotas.limits) {
                if counter.window.is_none_or(|window| window.until <= now) {
                    counter.begin_window(self.rules.quota_window(quota, now));
                }
            }
            let spans = self.rules.api_limits.iter().map(|limit| CountSpan::Sliding(limit.window.length()));
            let limits = state.limits.iter().zip(spans).map(|(counter, span)| counter.want(span, 0));
            let quotas = state.quotas.iter().map(|counter| {
                let window = counter.window.unwrap_or(CountWindow { from: now, until: now });
                counter.want(window.into(), 0)
            });
            limits.chain(quotas).map(|want| UnitRequest { ask: 0, owed: 0, ..want }).collect()
        };
        let request = ReserveRequest { source: self.source.clone(), wants: wants.clone(), ended: Vec::new() };
        let reservation = self.ledger.reserve(request).await.map_err(|lost| lost.0)?;
        let mut state = self.state();
        let held = reservation.held_until.max(state.held_until).filter(|until| *until > now);
        let LimiterState { limits, quotas, .. } = &mut *state;
        let counters = limits.iter_mut().chain(quotas).zip(&reservation.counters).zip(&wants);
        let counters = counters.map(|((counter, reserved), want)| {
            counter.receive(want, reserved);
            let resets_at = match want.span {
                CountSpan::Fixed { until, .. } => Some(until),
                CountSpan::Sliding(_) => {
                    counter.resets_at.filter(|reset| *reset > now).or(reserved.next_free)
                }
            };
            let continued_until = if reserved.continued { resets_at } else { None };
            CounterStatus::of(&counter.about, counter.current(), resets_at, continued_until)
        });
        Ok(SourceLimitStatus {
            source: self.source.clone(),
            counters: counters.collect(),
            held_until: held.map(iso8601),
            waiting: state.turns.waiting(),
        })
    }

    /// What metrics show.
    pub fn tally(&self) -> SourceTally {
        let state = self.state();
        let counters = state.limits.iter().chain(&state.quotas);
        let status = SourceLimitStatus {
            source: self.source.clone(),
            counters: counters
                .map(|counter| CounterStatus::of(&counter.about, counter.current(), None, None))
                .collect(),
            held_until: None,
            waiting: state.turns.waiting(),
        };
        SourceTally { waiting: state.turns.waiting(), status: Some(status), ..state.tally.clone() }
    }
}
