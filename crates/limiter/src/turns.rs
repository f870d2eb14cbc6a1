//! The turn of a request under the API limits: at once when units are in hand and no caller waits, else in the line of its caller.
//!
//! A caller and the limits that count its request in; a turn, with a unit of each, or a refusal out. When as many wait as may, a
//! request of a caller with fewer of them takes the place of the last one of the caller that has the most.

use crate::counter::{Counter, TakenUnit};
use crate::pump;
use crate::source_limiter::{LimiterState, SourceLimiter, seconds_until};
use aqueduct_operations::rate_limits::ledger::{RequestEnd, ReturnedUnits};
use aqueduct_operations::rate_limits::metering::{ApiRefusal, ApiRefusalReason, LimitRefusal};
use aqueduct_operations::rate_limits::{MAX_WAITING, RateLimits, Unit};
use jiff::{SignedDuration, Timestamp};
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::oneshot;

/// A request that waits.
#[derive(Debug)]
pub(crate) struct Waiter {
    /// The API limits that count it.
    pub limits: Arc<[usize]>,
    /// When it no longer waits.
    pub deadline: Timestamp,
    /// Tells it to go, or why not.
    pub sender: oneshot::Sender<Result<TakenTurn, Box<LimitRefusal>>>,
}

/// A turn that a request has: the units of each limit that counts requests.
#[derive(Debug, Default)]
pub(crate) struct TakenTurn(Vec<(usize, TakenUnit)>);

impl TakenTurn {
    /// True when a unit of it can no longer be spent.
    pub fn is_over(&self, now: Timestamp) -> bool {
        self.0.iter().any(|(_, unit)| unit.usable_until <= now)
    }
}

impl SourceLimiter {
    /// Waits for the turn of a request under the API limits.
    pub async fn turn(
        self: &Arc<Self>,
        caller: &str,
        limits: &Arc<[usize]>,
    ) -> Result<TakenTurn, Box<LimitRefusal>> {
        let now = self.clock.now();
        let waiting = {
            let mut state = self.state();
            let returned = state.expire(now);
            self.give_back(returned);
            if state.turns.waiting() == 0
                && let Some(taken) = state.take_turn(limits, &self.rules, now)
            {
                return Ok(taken);
            }
            if state.turns.waiting() >= self.rules.queue.max_waiting.unwrap_or(MAX_WAITING) {
                let displaced = state.turns.make_room_for(caller);
                let refused = displaced.as_ref().map_or(limits, |waiter| &waiter.limits);
                let refusal = Box::new(self.refusal(&state, refused, ApiRefusalReason::QueueFull, now));
                let Some(displaced) = displaced else { return Err(refusal) };
                // A caller that has gone needs no answer.
                displaced.sender.send(Err(refusal)).ok();
            }
            let (sender, answer) = oneshot::channel();
            let max_wait = SignedDuration::try_from(self.max_wait()).unwrap_or(SignedDuration::MAX);
            let deadline = now.checked_add(max_wait).unwrap_or(Timestamp::MAX);
            state.turns.push(caller, Waiter { limits: Arc::clone(limits), deadline, sender });
            if !std::mem::replace(&mut state.is_pumped, true) {
                tokio::spawn(pump::serve(Arc::clone(self)));
            }
            answer
        };
        self.changed.notify_one();
        let started = Instant::now();
        let mut waiting = WaitingTurn { answer: waiting, limiter: self };
        let answer = (&mut waiting.answer).await;
        {
            let tally = &mut self.state().tally;
            tally.waited += 1;
            tally.wait_time += started.elapsed();
        }
        // The serving task has ended with its runtime.
        let lost = || Err(Box::new(LimitRefusal::Unavailable("the server ends".to_owned())));
        answer.unwrap_or_else(|_| lost())
    }

    /// The turn is over: the response was read, or will never come.
    pub fn end_turn(&self) {
        let waits = {
            let mut state = self.state();
            state.in_flight = state.in_flight.saturating_sub(1);
            state.turns.waiting() > 0
        };
        if waits {
            self.changed.notify_one();
        }
    }

    /// A turn that was not used: its units are there again.
    pub fn return_turn(&self, turn: TakenTurn) {
        self.state().put_back(turn);
        self.end_turn();
    }

    /// Why a request is not sent: the limit that is shortest of units.
    pub fn refusal(
        &self,
        state: &LimiterState,
        limits: &[usize],
        reason: ApiRefusalReason,
        now: Timestamp,
    ) -> LimitRefusal {
        let held = state.held_until.filter(|until| *until > now);
        if let Some(until) = held {
            return LimitRefusal::Api(ApiRefusal {
                reason: ApiRefusalReason::AskedToWait,
                limit: None,
                remaining: 0,
                window: None,
                resets_at: Some(until),
                retry_after_seconds: seconds_until(until, now),
            });
        }
        let counters = limits
            .iter()
            .filter_map(|index| Some((state.limits.get(*index)?, self.rules.api_limits.get(*index)?)));
        let short =
            counters.filter(|(counter, _)| !counter.has_some()).max_by_key(|(counter, _)| counter.next_free);
        let resets_at = short.and_then(|(counter, _)| counter.next_free).filter(|free| *free > now);
        LimitRefusal::Api(ApiRefusal {
            reason,
            limit: short.map(|(_, limit)| limit.limit),
            remaining: short.map_or(0, |(counter, limit)| limit.limit.saturating_sub(counter.current())),
            window: short.map(|(_, limit)| limit.window.name()),
            resets_at,
            retry_after_seconds: resets_at.map_or(1, |moment| seconds_until(moment, now)),
        })
    }
}

/// A turn that is waited for. A caller that leaves after it was given gives it back.
struct WaitingTurn<'a> {
    answer: oneshot::Receiver<Result<TakenTurn, Box<LimitRefusal>>>,
    limiter: &'a SourceLimiter,
}

impl Drop for WaitingTurn<'_> {
    fn drop(&mut self) {
        if let Ok(Ok(turn)) = self.answer.try_recv() {
            self.limiter.return_turn(turn);
        }
    }
}

impl LimiterState {
    /// Units that can no longer be spent.
    pub fn expire(&mut self, now: Timestamp) -> Vec<ReturnedUnits> {
        self.limits.iter_mut().flat_map(|counter| counter.expire(now)).collect()
    }

    /// Takes a unit of each of these limits, if all have one and nothing else stands against it.
    pub fn take_turn(&mut self, limits: &[usize], rules: &RateLimits, now: Timestamp) -> Option<TakenTurn> {
        let is_held = self.held_until.is_some_and(|until| until > now);
        let is_full = rules.concurrent_requests.is_some_and(|most| self.in_flight >= most);
        let has_units = limits.iter().all(|index| self.limits.get(*index).is_none_or(Counter::has_some));
        if is_held || is_full || !has_units {
            return None;
        }
        let mut taken = TakenTurn::default();
        for index in limits {
            let counter = self.limits.get_mut(*index).filter(|each| each.unit == Unit::Requests);
            taken.0.extend(counter.and_then(Counter::take).map(|unit| (*index, unit)));
        }
        self.in_flight += 1;
        Some(taken)
    }

    /// The units of a turn that was not used are there again.
    pub fn put_back(&mut self, TakenTurn(units): TakenTurn) {
        for (index, unit) in units {
            if let Some(counter) = self.limits.get_mut(index) {
                counter.put_back(unit);
            }
        }
    }

    /// The request has ended that a turn was taken for.
    pub fn end(&mut self, TakenTurn(units): TakenTurn, end: RequestEnd) {
        for (index, unit) in units {
            if let Some(counter) = self.limits.get_mut(index) {
                counter.end(unit, end);
            }
        }
    }
}
