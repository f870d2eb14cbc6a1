//! A ledger in memory: for a program without a store, and for sources without limits. Its counts end with the process.
//!
//! Reservations in; units out, never more than a window has.

use aqueduct_operations::clock::Clock;
use aqueduct_operations::handler::Boxed;
use aqueduct_operations::rate_limits::ledger::{
    CountSpan, LearnedState, Ledger, LedgerLost, Reservation, ReserveRequest, Reserved, ReturnedUnits,
    UnitRequest, granted,
};
use jiff::Timestamp;
use std::collections::HashMap;
use std::future::ready;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The slice of what others have used, as the API says.
const FOREIGN: i64 = -1;

/// Counts in memory.
#[derive(Debug)]
pub struct MemoryLedger {
    clock: Arc<dyn Clock>,
    counters: Mutex<HashMap<String, Slices>>,
}

#[derive(Debug, Default)]
struct Slices {
    units: HashMap<i64, (u64, Timestamp)>,
    resets_at: Option<Timestamp>,
    span: Option<CountSpan>,
}

impl MemoryLedger {
    /// Nothing counts yet.
    pub fn new(clock: Arc<dyn Clock>) -> MemoryLedger {
        MemoryLedger { clock, counters: Mutex::default() }
    }

    fn counters(&self) -> MutexGuard<'_, HashMap<String, Slices>> {
        self.counters.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn reserve_now(&self, want: &UnitRequest) -> Reserved {
        let now = self.clock.now();
        let mut counters = self.counters();
        let slices = counters.entry(want.counter.clone()).or_default();
        slices.span = Some(want.span);
        let used = slices.used(now);
        let available = want.ceiling.map_or(u64::MAX, |ceiling| ceiling.saturating_sub(used + want.owed));
        let granted = granted(available, want.needed, want.ask);
        let life = want.span.life(now, slices.resets_at.filter(|resets_at| *resets_at > now));
        let added = granted + want.owed;
        if added > 0 {
            let slice = slices.units.entry(life.slice).or_insert((0, life.counts_until));
            *slice = (slice.0 + added, slice.1.max(life.counts_until));
        }
        let next_free = slices.units.values().map(|(_, until)| *until).min();
        Reserved { granted, used: used + added, life, next_free, continued: false }
    }

    fn learn_now(&self, learned: &LearnedState) {
        let now = self.clock.now();
        let mut counters = self.counters();
        let slices = counters.entry(learned.counter.clone()).or_default();
        if let (true, Some(span)) = (learned.is_new_window, slices.span) {
            let current = span.life(now, None).slice;
            slices.units.retain(|slice, _| *slice >= current - 1);
        }
        let available = learned.limit.saturating_sub(slices.used(now));
        let foreign = available.saturating_sub(learned.remaining);
        if foreign > 0 {
            let slice = slices.units.entry(FOREIGN).or_insert((0, learned.resets_at));
            *slice = (slice.0 + foreign, learned.resets_at);
        }
        slices.resets_at = Some(learned.resets_at);
    }
}

impl Slices {
    /// What counts now; what no longer does is forgotten.
    fn used(&mut self, now: Timestamp) -> u64 {
        self.units.retain(|_, (_, until)| *until > now);
        self.units.values().map(|(units, _)| *units).sum()
    }
}

impl Ledger for MemoryLedger {
    fn reserve<'a>(&'a self, request: ReserveRequest) -> Boxed<'a, Result<Reservation, LedgerLost>> {
        let counters = request.wants.iter().map(|want| self.reserve_now(want)).collect();
        Box::pin(ready(Ok(Reservation { counters, held_until: None })))
    }

    fn give_back(&self, units: Vec<ReturnedUnits>) {
        let mut counters = self.counters();
        for returned in units {
            let slices = counters.get_mut(&returned.counter).map(|slices| &mut slices.units);
            if let Some((units, _)) = slices.and_then(|slices| slices.get_mut(&returned.slice)) {
                *units = units.saturating_sub(returned.units);
            }
        }
    }

    fn learn(&self, learned: LearnedState) {
        self.learn_now(&learned);
    }

    fn hold(&self, _source: &str, _until: Timestamp) {
        // The limiter of the source knows it, and nobody else counts here.
    }
}
