//! A ledger in memory: for a program without a store, and for sources without limits. Its counts end with the process.
//!
//! Reservations in; units out, never more than a window has.

use aqueduct_operations::clock::Clock;
use aqueduct_operations::handler::Boxed;
use aqueduct_operations::rate_limits::ledger::{
    CountSpan, CounterState, EndedUnits, FOREIGN_SLICE, FirstEnds, LearnedState, Ledger, LedgerLost,
    Reservation, ReserveRequest, Reserved, ReturnedUnits, UnitLife, UnitRequest,
};
use jiff::Timestamp;
use std::collections::HashMap;
use std::future::ready;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Counts in memory.
#[derive(Debug)]
pub struct MemoryLedger {
    clock: Arc<dyn Clock>,
    counters: Mutex<HashMap<String, CounterUnits>>,
}

#[derive(Debug, Default)]
struct CounterUnits {
    units: HashMap<i64, (u64, Timestamp)>,
    resets_at: Option<Timestamp>,
    span: Option<CountSpan>,
}

impl MemoryLedger {
    /// Nothing counts yet.
    pub fn new(clock: Arc<dyn Clock>) -> MemoryLedger {
        MemoryLedger { clock, counters: Mutex::default() }
    }

    fn counters(&self) -> MutexGuard<'_, HashMap<String, CounterUnits>> {
        self.counters.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn reserve_now(&self, want: &UnitRequest) -> Reserved {
        let now = self.clock.now();
        let mut counters = self.counters();
        let slices = counters.entry(want.counter.clone()).or_default();
        slices.span = Some(want.span);
        let counter = CounterState {
            used: slices.used(now),
            first_ends: slices.first_ends(),
            resets_at: slices.resets_at.filter(|resets_at| *resets_at > now),
            continued: false,
        };
        let step = want.reserve(now, &counter);
        slices.add(&step.reserved.life, step.reserved.granted);
        slices.add(&step.owed_life, step.owed);
        step.reserved
    }

    fn settle_now(&self, ended: &[EndedUnits]) {
        let now = self.clock.now();
        let mut counters = self.counters();
        for each in ended {
            let Some(slices) = counters.get_mut(&each.counter) else { continue };
            let life = each.life(now, slices.resets_at.filter(|resets_at| *resets_at > now));
            let Some((units, until)) = slices.units.get_mut(&each.slice) else { continue };
            if *until > now && life.slice != each.slice {
                let moved = each.units.min(*units);
                *units -= moved;
                slices.add(&life, moved);
            }
        }
    }

    fn learn_now(&self, learned: &LearnedState) {
        let now = self.clock.now();
        let mut counters = self.counters();
        let slices = counters.entry(learned.counter.clone()).or_default();
        if let (true, Some(span)) = (learned.is_new_window, slices.span) {
            let (after, before) = span.forgotten(now);
            slices.units.retain(|slice, _| *slice <= after || *slice >= before);
        }
        let available = learned.limit.saturating_sub(slices.used(now));
        let foreign = available.saturating_sub(learned.remaining);
        if foreign > 0 {
            let slice = slices.units.entry(FOREIGN_SLICE).or_insert((0, learned.resets_at));
            *slice = (slice.0 + foreign, learned.resets_at);
        }
        slices.resets_at = Some(learned.resets_at);
    }
}

impl CounterUnits {
    /// What counts now; what no longer does is forgotten.
    fn used(&mut self, now: Timestamp) -> u64 {
        self.units.retain(|_, (_, until)| *until > now);
        self.units.values().map(|(units, _)| *units).sum()
    }

    fn add(&mut self, life: &UnitLife, units: u64) {
        if units > 0 {
            let slice = self.units.entry(life.slice).or_insert((0, life.counts_until));
            *slice = (slice.0 + units, slice.1.max(life.counts_until));
        }
    }

    fn first_ends(&self) -> FirstEnds {
        let counted = || self.units.iter().filter(|(_, (units, _))| *units > 0);
        let first = |is_settled: bool| {
            let of_kind = counted().filter(|(slice, _)| (**slice < 0) == is_settled);
            of_kind.map(|(_, (_, until))| *until).min()
        };
        FirstEnds { settled: first(true), unsettled: first(false) }
    }
}

impl Ledger for MemoryLedger {
    fn reserve<'a>(&'a self, request: ReserveRequest) -> Boxed<'a, Result<Reservation, LedgerLost>> {
        self.settle_now(&request.ended);
        let counters = request.wants.iter().map(|want| self.reserve_now(want)).collect();
        Box::pin(ready(Ok(Reservation { counters, held_until: None })))
    }

    fn owe(&self, request: ReserveRequest) {
        for want in &request.wants {
            self.reserve_now(want);
        }
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

    fn settle(&self, units: Vec<EndedUnits>) {
        self.settle_now(&units);
    }

    fn learn(&self, learned: LearnedState) {
        self.learn_now(&learned);
    }

    fn pause_source(&self, _source: &str, _until: Timestamp) {
        // The limiter of the source knows it, and no one else counts here.
    }

    fn is_first_to_pause<'a>(&'a self, _counter: &'a str, _until: Timestamp) -> Boxed<'a, bool> {
        // The limiter of the source asks once, for the same reason.
        Box::pin(ready(true))
    }
}
