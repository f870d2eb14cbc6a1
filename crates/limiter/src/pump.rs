//! Serves those who wait for their turn: reserves units for them, gives turns in rotation, and refuses who would wait too long.
//!
//! One of these runs for a source as long as somebody waits. It looks at the clock often, because the clock is not its own.

use crate::source_limiter::{LimiterState, SourceLimiter};
use crate::turns::Waiter;
use aqueduct_operations::rate_limits::ledger::{CountSpan, ReserveRequest, UnitRequest};
use aqueduct_operations::rate_limits::metering::{ApiRefusalReason, LimitRefusal};
use jiff::{SignedDuration, Timestamp};
use std::sync::Arc;
use std::time::Duration;

/// How long it sleeps without looking at the clock.
const NAP: Duration = Duration::from_millis(20);

/// How long it waits at least to ask the ledger again that had nothing.
const AGAIN: SignedDuration = SignedDuration::from_millis(20);

/// How long it relies on what the ledger said: others may give units back.
const STALE: SignedDuration = SignedDuration::from_millis(250);

/// Serves until no caller waits.
pub(crate) async fn serve(limiter: Arc<SourceLimiter>) {
    let mut guard = PumpGuard { limiter: &limiter, is_done: false };
    let mut last_reserve: Option<Timestamp> = None;
    loop {
        let now = limiter.clock.now();
        let round = limiter.round(now, last_reserve);
        match round {
            PumpStep::Done => {
                guard.is_done = true;
                return;
            }
            PumpStep::Reserve(wants) => {
                limiter.reserve_turns(wants).await;
                last_reserve = Some(limiter.clock.now());
            }
            PumpStep::Sleep(nap) => {
                // Woken early when something has changed.
                tokio::time::timeout(nap, limiter.changed.notified()).await.ok();
            }
        }
    }
}

/// What to do next.
enum PumpStep {
    Done,
    Reserve(Vec<(usize, UnitRequest)>),
    Sleep(Duration),
}

impl SourceLimiter {
    /// Gives turns as far as units are in hand; what to do next.
    fn round(&self, now: Timestamp, last_reserve: Option<Timestamp>) -> PumpStep {
        let mut state = self.state();
        let returned = state.expire(now);
        self.give_back(returned);
        state.turns.take_if(|waiter| waiter.sender.is_closed());
        while self.serve_once(&mut state, now) > 0 {}
        self.refuse_late(&mut state, now);
        if state.turns.waiting() == 0 {
            state.is_pumped = false;
            return PumpStep::Done;
        }
        let is_held = state.held_until.is_some_and(|until| until > now);
        let is_full = self.rules.concurrent_requests.is_some_and(|most| state.in_flight >= most);
        let wants = if is_held || is_full { Vec::new() } else { self.wants(&state, now, last_reserve) };
        if wants.is_empty() { PumpStep::Sleep(NAP) } else { PumpStep::Reserve(wants) }
    }

    /// Gives a turn to the first of each line that can have one.
    fn serve_once(&self, state: &mut LimiterState, now: Timestamp) -> usize {
        let mut turns = std::mem::take(&mut state.turns);
        let mut taken = Vec::new();
        let served = turns.serve(|waiter| {
            let turn = state.take_turn(&waiter.limits, &self.rules, now);
            let is_served = turn.is_some();
            taken.extend(turn);
            is_served
        });
        state.turns = turns;
        let count = served.len();
        for (waiter, turn) in served.into_iter().zip(taken) {
            // A caller that has gone away leaves its place and its units.
            if let Err(Ok(turn)) = waiter.sender.send(Ok(turn)) {
                state.in_flight = state.in_flight.saturating_sub(1);
                state.put_back(turn);
            }
        }
        count
    }

    /// Refuses those whose time is over, and those who cannot have a turn before it is.
    fn refuse_late(&self, state: &mut LimiterState, now: Timestamp) {
        let held = state.held_until.filter(|until| *until > now);
        let limits = &state.limits;
        let earliest = |waiter: &Waiter| {
            let short =
                waiter.limits.iter().filter_map(|index| limits.get(*index)).filter(|each| !each.has_some());
            short.filter_map(|counter| counter.next_free).chain(held).max()
        };
        let is_late = |waiter: &Waiter| {
            waiter.deadline <= now || earliest(waiter).is_some_and(|earliest| earliest > waiter.deadline)
        };
        let mut turns = std::mem::take(&mut state.turns);
        let late = turns.take_if(is_late);
        state.turns = turns;
        for waiter in late {
            let refusal = self.refusal(state, &waiter.limits, ApiRefusalReason::TooLong, now);
            // A caller that has gone needs no answer.
            waiter.sender.send(Err(Box::new(refusal))).ok();
        }
    }

    /// What to reserve: of the limits that those who wait are short of, unless the ledger said just now that there is nothing.
    fn wants(
        &self,
        state: &LimiterState,
        now: Timestamp,
        last_reserve: Option<Timestamp>,
    ) -> Vec<(usize, UnitRequest)> {
        let is_after = |wait: SignedDuration| {
            last_reserve.is_none_or(|last_reserve| now.duration_since(last_reserve) >= wait)
        };
        let is_stale = is_after(STALE);
        let short = state.limits.iter().enumerate().filter(|(_, counter)| !counter.has_some());
        let wants = short.filter_map(|(index, counter)| {
            let needed = state.turns.all().filter(|waiter| waiter.limits.contains(&index)).count() as u64;
            // The ledger may have another clock: what it has not freed yet is not asked for without a pause.
            let is_free = |free: Timestamp| free <= now && is_after(AGAIN);
            let may_be_there = is_stale || counter.next_free.is_none_or(is_free);
            let span = CountSpan::Sliding(self.rules.api_limits.get(index)?.window.length());
            (needed > 0 && may_be_there).then(|| (index, counter.want(span, needed)))
        });
        wants.collect()
    }

    /// Reserves, and takes what was reserved; when it is unknown what is left, no one goes.
    async fn reserve_turns(&self, wants: Vec<(usize, UnitRequest)>) {
        let ended = {
            let mut state = self.state();
            wants.iter().flat_map(|(index, _)| self.take_ended(&mut state, *index)).collect()
        };
        let request = ReserveRequest {
            source: self.source.clone(),
            wants: wants.iter().map(|(_, want)| want.clone()).collect(),
            ended,
        };
        let reserved = self.ledger.reserve(request).await;
        let mut state = self.state();
        match reserved {
            Ok(reservation) => {
                state.held_until = state.held_until.max(reservation.held_until);
                for ((index, want), reserved) in wants.iter().zip(&reservation.counters) {
                    if let Some(counter) = state.limits.get_mut(*index) {
                        counter.receive(want, reserved);
                        if reserved.granted > 0 {
                            counter.next_free = None;
                        }
                    }
                }
            }
            Err(lost) => {
                for waiter in state.turns.take_if(|_| true) {
                    // A caller that has gone needs no answer.
                    waiter.sender.send(Err(Box::new(LimitRefusal::Unavailable(lost.0.clone())))).ok();
                }
            }
        }
    }
}

/// Lets another one serve when this one ends before its work is done.
struct PumpGuard<'a> {
    limiter: &'a SourceLimiter,
    is_done: bool,
}

impl Drop for PumpGuard<'_> {
    fn drop(&mut self) {
        if !self.is_done {
            let mut state = self.limiter.state();
            state.is_pumped = false;
            drop(state.turns.take_if(|_| true));
        }
    }
}
