//! The limits of one source in this process: units in hand, who waits, what is in flight.
//!
//! Requests ask for their turn under the API limits (`turns`), then for units of the quotas (`quotas`); both are there at once when
//! units are in hand. When they have ended, their units are settled (`settling`). The lock is held for a few steps and never while
//! anyone waits.

use crate::counter::Counter;
use crate::fair_queue::FairQueue;
use crate::settling;
use crate::tally::SourceTally;
use crate::turns::Waiter;
use aqueduct_operations::clock::Clock;
use aqueduct_operations::rate_limits::ledger::{
    CountSpan, CounterAbout, CounterKind, Ledger, ReserveRequest, ReturnedUnits, UnitRequest,
};
use aqueduct_operations::rate_limits::metering::PauseListener;
use aqueduct_operations::rate_limits::{MAX_WAIT, RateLimits, Unit};
use jiff::Timestamp;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;

/// The limiter of one source.
#[derive(Debug)]
pub(crate) struct SourceLimiter {
    pub source: String,
    pub rules: Arc<RateLimits>,
    pub ledger: Arc<dyn Ledger>,
    pub clock: Arc<dyn Clock>,
    pub state: Mutex<LimiterState>,
    /// How long the ledger is not told of requests that have ended.
    pub settle_after: Duration,
    /// Told of quotas that pause.
    pub listener: Option<Arc<dyn PauseListener>>,
    /// Something has changed that those who wait may wait for.
    pub changed: Notify,
}

/// What changes.
#[derive(Debug, Default)]
pub(crate) struct LimiterState {
    pub limits: Vec<Counter>,
    pub quotas: Vec<Counter>,
    pub turns: FairQueue<Waiter>,
    pub held_until: Option<Timestamp>,
    pub in_flight: u32,
    /// Somebody serves those who wait.
    pub is_pumped: bool,
    /// Somebody will tell the ledger of requests that have ended.
    pub is_settling: bool,
    pub tally: SourceTally,
}

impl SourceLimiter {
    pub fn new(
        source: String,
        rules: Arc<RateLimits>,
        ledger: Arc<dyn Ledger>,
        clock: Arc<dyn Clock>,
    ) -> SourceLimiter {
        let limits = rules.api_limits.iter().map(|limit| {
            let (scope, window, unit) = (limit.scope.name(), limit.window.name(), limit.unit());
            let about = CounterAbout {
                limit: Some(limit.limit),
                ..about(CounterKind::ApiLimit, scope.clone(), window, unit)
            };
            let mut counter =
                Counter::new(format!("{source} limit {scope} {} {window}", unit.name()), about, unit);
            counter.ceiling = Some(limit.limit);
            counter
        });
        let quotas = rules.quotas.limits.iter().map(|quota| {
            let (metric, unit) = (quota.metric.name(), quota.metric.unit);
            let about = CounterAbout {
                warn: quota.warn,
                pause: quota.pause,
                hard_stop: quota.hard_stop,
                currency: quota.currency.clone(),
                ..about(CounterKind::Quota, metric.clone(), quota.metric.window.name(), unit)
            };
            let mut counter = Counter::new(format!("{source} quota {metric}"), about, unit);
            counter.ceiling = [quota.pause, quota.hard_stop].into_iter().flatten().min();
            counter.ceiling_continued = quota.hard_stop;
            counter
        });
        let state =
            LimiterState { limits: limits.collect(), quotas: quotas.collect(), ..LimiterState::default() };
        let settle_after = settling::settle_after(&rules);
        let (state, changed) = (Mutex::new(state), Notify::new());
        SourceLimiter { source, rules, ledger, clock, state, settle_after, listener: None, changed }
    }

    /// A poisoned lock means a panic between two steps of counting; what was reserved counts as spent in any case.
    pub fn state(&self) -> MutexGuard<'_, LimiterState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts what a request cost: tokens, and money.
    pub fn charge(self: &Arc<Self>, limits: &[usize], tokens: u64, cost: u64) {
        let mut state = self.state();
        let LimiterState { limits: counters, quotas, .. } = &mut *state;
        let counted = counters.iter_mut().enumerate().filter(|(index, _)| limits.contains(index));
        for counter in counted.map(|(_, counter)| counter).chain(quotas.iter_mut()) {
            match counter.unit {
                Unit::Requests => {}
                Unit::Tokens => counter.spend(tokens),
                Unit::Cost => counter.spend(cost),
            }
        }
        let owed = self.owed(&mut state);
        self.settle_soon(state);
        self.owe(owed);
    }

    /// What was spent beyond what was reserved. Nobody else knows of it until the ledger is told, and this process may end.
    pub fn owed(&self, state: &mut LimiterState) -> Vec<UnitRequest> {
        let now = self.clock.now();
        let LimiterState { limits, quotas, .. } = state;
        let spans = self.rules.api_limits.iter().map(|limit| CountSpan::Sliding(limit.window.length()));
        let of_limits = limits.iter_mut().zip(spans).filter_map(|(counter, span)| counter.take_owed(span));
        let of_quotas = quotas.iter_mut().filter_map(|counter| {
            let window = counter.window.filter(|window| window.until > now)?;
            counter.take_owed(window.into())
        });
        of_limits.chain(of_quotas).collect()
    }

    pub fn owe(&self, wants: Vec<UnitRequest>) {
        if !wants.is_empty() {
            self.ledger.owe(ReserveRequest { source: self.source.clone(), wants, ended: Vec::new() });
        }
    }

    /// True when tokens or money are counted.
    pub fn counts_bodies(&self) -> bool {
        let limits = self.rules.api_limits.iter().map(|limit| limit.unit());
        let quotas = self.rules.quotas.limits.iter().map(|quota| quota.metric.unit);
        limits.chain(quotas).any(|unit| unit != Unit::Requests)
    }

    pub fn give_back(&self, units: Vec<ReturnedUnits>) {
        if !units.is_empty() {
            self.ledger.give_back(units);
        }
    }

    pub fn max_wait(&self) -> Duration {
        self.rules.queue.max_wait.unwrap_or(MAX_WAIT)
    }

    /// Gives everything back that is in hand, and settles what has ended: the process ends.
    pub fn drain(&self) {
        let mut state = self.state();
        let LimiterState { limits, quotas, .. } = &mut *state;
        let units = limits.iter_mut().chain(quotas).flat_map(Counter::drain).collect();
        drop(state);
        self.give_back(units);
        self.settle();
    }
}

fn about(kind: CounterKind, name: String, window: &str, unit: Unit) -> CounterAbout {
    CounterAbout {
        kind,
        name,
        window: window.to_owned(),
        unit: unit.name().to_owned(),
        limit: None,
        warn: None,
        pause: None,
        hard_stop: None,
        currency: None,
    }
}

/// Whole seconds until a moment, and one or more.
pub(crate) fn seconds_until(moment: Timestamp, now: Timestamp) -> u64 {
    let milliseconds = moment.duration_since(now).as_millis().max(1);
    u64::try_from(milliseconds.div_euclid(1000) + i128::from(milliseconds % 1000 > 0)).unwrap_or(1).max(1)
}
