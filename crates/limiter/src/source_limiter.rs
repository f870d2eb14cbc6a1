//! The limits of one source in this process: units in hand, who waits, what is in flight.
//!
//! Requests ask for their turn under the API limits, then for units of the quotas; both are there at once when units are in hand. The
//! lock is held for a few steps and never while anybody waits.

use crate::counter::{Counter, TakenUnit};
use crate::fair_queue::FairQueue;
use crate::headers;
use crate::pump;
use crate::tally::SourceTally;
use aqueduct_operations::clock::{Clock, iso8601};
use aqueduct_operations::rate_limits::ledger::{
    CountSpan, CounterAbout, CounterKind, LearnedState, Ledger, ReserveRequest, ReturnedUnits, UnitRequest,
};
use aqueduct_operations::rate_limits::metering::{
    ApiRefusal, ApiRefusalReason, LimitRefusal, PauseHandler, PausedQuota, QuotaWarning, ResponseFacts,
};
use aqueduct_operations::rate_limits::status::{CounterStatus, SourceLimitStatus};
use aqueduct_operations::rate_limits::{MAX_WAIT, MAX_WAITING, Quota, RateLimits, Unit};
use jiff::{SignedDuration, Timestamp};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, oneshot};

/// The longest time that an API may make its source wait.
const LONGEST_HOLD: Duration = Duration::from_secs(3_600);

/// The limiter of one source.
#[derive(Debug)]
pub(crate) struct SourceLimiter {
    pub source: String,
    pub rules: Arc<RateLimits>,
    pub ledger: Arc<dyn Ledger>,
    pub clock: Arc<dyn Clock>,
    pub state: Mutex<LimiterState>,
    /// Something has changed that those who wait may wait for.
    pub changed: Notify,
}

/// A request that waits.
#[derive(Debug)]
pub(crate) struct Waiter {
    /// The API limits that count it.
    pub limits: Arc<[usize]>,
    /// When it no longer waits.
    pub deadline: Timestamp,
    /// Tells it to go, or why not.
    pub tell: oneshot::Sender<Result<TakenTurn, Box<LimitRefusal>>>,
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
        SourceLimiter { source, rules, ledger, clock, state: Mutex::new(state), changed: Notify::new() }
    }

    /// A poisoned lock means a panic between two steps of counting; what was reserved counts as spent in any case.
    pub fn state(&self) -> MutexGuard<'_, LimiterState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

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
                return Err(Box::new(self.refusal(&state, limits, ApiRefusalReason::QueueFull, now)));
            }
            let (tell, told) = oneshot::channel();
            let max_wait = SignedDuration::try_from(self.max_wait()).unwrap_or(SignedDuration::MAX);
            let deadline = now.checked_add(max_wait).unwrap_or(Timestamp::MAX);
            state.turns.push(caller, Waiter { limits: Arc::clone(limits), deadline, tell });
            if !std::mem::replace(&mut state.is_pumped, true) {
                tokio::spawn(pump::serve(Arc::clone(self)));
            }
            told
        };
        self.changed.notify_one();
        let started = Instant::now();
        let mut waiting = WaitingTurn { told: waiting, limiter: self };
        let told = (&mut waiting.told).await;
        {
            let tally = &mut self.state().tally;
            tally.waited += 1;
            tally.wait_time += started.elapsed();
        }
        // Whoever serves has gone with its runtime.
        let lost = || Err(Box::new(LimitRefusal::Unavailable("the server ends".to_owned())));
        told.unwrap_or_else(|_| lost())
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

    /// Takes units of all quotas for one request, asking the ledger where there are none in hand. Those that were taken stay taken
    /// when another one refuses: it is the last requests of a window that this is about.
    pub async fn take_quotas(&self, pause_handler: &dyn PauseHandler) -> Result<(), Box<LimitRefusal>> {
        if self.rules.quotas.limits.is_empty() {
            return Ok(());
        }
        for index in 0..self.rules.quotas.limits.len() {
            self.take_quota(index, pause_handler).await?;
        }
        Ok(())
    }

    async fn take_quota(
        &self,
        index: usize,
        pause_handler: &dyn PauseHandler,
    ) -> Result<(), Box<LimitRefusal>> {
        let Some(quota) = self.rules.quotas.limits.get(index) else { return Ok(()) };
        loop {
            let now = self.clock.now();
            let goes_on = pause_handler.goes_on();
            let mut want = {
                let mut state = self.state();
                let Some(counter) = state.quotas.get_mut(index) else { return Ok(()) };
                let window = counter.window.filter(|(_, until)| *until > now);
                if window.is_none() {
                    counter.begin_window(self.rules.quota_window(quota, now));
                }
                let returned = counter.expire(now);
                self.give_back(returned);
                if counter.has_some() {
                    if counter.unit == Unit::Requests {
                        counter.spend(1);
                    }
                    self.warn_of(quota, counter.current(), pause_handler);
                    return Ok(());
                }
                let (from, until) = counter.window.unwrap_or((now, now));
                counter.want(CountSpan::Fixed { from, until }, 1)
            };
            if goes_on {
                want = UnitRequest { ceiling: quota.hard_stop, ask: 1, ..want };
            }
            let request = ReserveRequest { source: self.source.clone(), wants: vec![want.clone()] };
            let reserved = self.ledger.reserve(request).await;
            let reserved = reserved.map_err(|lost| Box::new(LimitRefusal::Unavailable(lost.0)))?;
            let Some(reserved) = reserved.counters.into_iter().next() else { continue };
            let (used, resets_at) = {
                let mut state = self.state();
                let Some(counter) = state.quotas.get_mut(index) else { return Ok(()) };
                counter.receive(&want, &reserved);
                if goes_on && reserved.granted > 0 {
                    // What is reserved beyond the pause is for this call alone, and spent at once.
                    counter.spend(reserved.granted);
                    self.warn_of(quota, counter.current(), pause_handler);
                    return Ok(());
                }
                (reserved.used, counter.window.map_or(now, |(_, until)| until))
            };
            if reserved.granted > 0 {
                continue;
            }
            if let Some(hard_stop) = quota.hard_stop.filter(|hard_stop| used >= *hard_stop) {
                return Err(Box::new(LimitRefusal::Exhausted {
                    metric: quota.metric.name(),
                    current: quota.shown(used),
                    hard_stop: quota.shown(hard_stop),
                    resets_at,
                    retry_after_seconds: seconds_until(resets_at, now),
                }));
            }
            let pause = PausedQuota {
                source: self.source.clone(),
                metric: quota.metric.name(),
                current: quota.shown(used),
                pause: quota.shown(quota.pause.unwrap_or(used)),
                hard_stop: quota.hard_stop.map(|hard_stop| quota.shown(hard_stop)),
                resets_at,
            };
            pause_handler.decide(&pause).await?;
            self.state().tally.continued += 1;
        }
    }

    fn warn_of(&self, quota: &Quota, current: u64, pause_handler: &dyn PauseHandler) {
        let Some(warn) = quota.warn.filter(|warn| current >= *warn) else { return };
        let shown = |amount: u64| quota.shown(amount);
        tracing::warn!(
            target: "aqueduct::limits", source = %self.source, metric = quota.metric.name(), current = shown(current),
            warn = shown(warn), "a quota is near its end"
        );
        pause_handler.warn(QuotaWarning {
            source: self.source.clone(),
            metric: quota.metric.name(),
            current: shown(current),
            warn: shown(warn),
            pause: quota.pause.map(shown),
            hard_stop: quota.hard_stop.map(shown),
        });
    }

    /// Counts what a request cost: tokens, and money.
    pub fn charge(&self, limits: &[usize], tokens: u64, cost: u64) {
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
    }

    /// True when tokens or money are counted.
    pub fn counts_bodies(&self) -> bool {
        let limits = self.rules.api_limits.iter().map(|limit| limit.unit());
        let quotas = self.rules.quotas.limits.iter().map(|quota| quota.metric.unit);
        limits.chain(quotas).any(|unit| unit != Unit::Requests)
    }

    /// Learns from the head of a response.
    pub fn learn(&self, limits: &[usize], head: &dyn ResponseFacts) {
        let now = self.clock.now();
        if let (429 | 503, Some(wait)) = (head.status(), head.retry_after()) {
            self.hold(wait.min(LONGEST_HOLD), now);
        }
        for index in limits {
            let Some(limit) = self.rules.api_limits.get(*index) else { continue };
            let header = |name: &Option<String>| name.as_deref().and_then(|name| head.header(name));
            let Some(remaining) = header(&limit.remaining_header).and_then(headers::remaining) else {
                continue;
            };
            let reset = header(&limit.reset_header).and_then(|text| headers::reset(text, now));
            let window = SignedDuration::try_from(limit.window.length()).unwrap_or(SignedDuration::MAX);
            let resets_at = reset.or_else(|| now.checked_add(window).ok()).unwrap_or(now);
            self.learn_limit(*index, limit.limit, remaining, resets_at);
        }
    }

    fn learn_limit(&self, index: usize, limit: u64, remaining: u64, resets_at: Timestamp) {
        let learned = {
            let mut state = self.state();
            // This request is in flight still, and the API has counted it.
            let others = u64::from(state.in_flight.saturating_sub(1));
            let Some(counter) = state.limits.get_mut(index) else { return };
            counter.keep(remaining.saturating_sub(others));
            let unreserved = remaining.saturating_sub(others).saturating_sub(counter.in_hand());
            let known = counter.resets_at;
            let is_new_window =
                known.is_some_and(|known| resets_at.duration_since(known) > SignedDuration::from_secs(1));
            let is_less = counter.unreserved().is_none_or(|believed| unreserved < believed);
            if !is_less && !is_new_window && known.is_some() {
                return;
            }
            if is_less || is_new_window {
                counter.correct(unreserved, resets_at);
            } else {
                counter.resets_at = Some(resets_at);
            }
            let counter = counter.key.clone();
            LearnedState { counter, limit, remaining: unreserved, resets_at, is_new_window }
        };
        self.ledger.learn(learned);
    }

    /// Nothing is sent for so long: the API asked for it.
    fn hold(&self, wait: Duration, now: Timestamp) {
        let wait = SignedDuration::try_from(wait).unwrap_or(SignedDuration::MAX);
        let until = now.checked_add(wait).unwrap_or(Timestamp::MAX);
        {
            let mut state = self.state();
            state.tally.held += 1;
            state.held_until = state.held_until.max(Some(until));
        }
        tracing::info!(target: "aqueduct::limits", source = %self.source, until = iso8601(until), "the api asked to wait");
        self.ledger.hold(&self.source, until);
    }

    pub fn give_back(&self, units: Vec<ReturnedUnits>) {
        if !units.is_empty() {
            self.ledger.give_back(units);
        }
    }

    pub fn max_wait(&self) -> Duration {
        self.rules.queue.max_wait.unwrap_or(MAX_WAIT)
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

    /// How far everything is used, as the ledger says.
    pub async fn status(&self) -> Result<SourceLimitStatus, String> {
        let now = self.clock.now();
        let wants: Vec<UnitRequest> = {
            let mut state = self.state();
            for (counter, quota) in state.quotas.iter_mut().zip(&self.rules.quotas.limits) {
                if counter.window.is_none_or(|(_, until)| until <= now) {
                    counter.begin_window(self.rules.quota_window(quota, now));
                }
            }
            let spans = self.rules.api_limits.iter().map(|limit| CountSpan::Sliding(limit.window.length()));
            let limits = state.limits.iter().zip(spans).map(|(counter, span)| counter.want(span, 0));
            let quotas = state.quotas.iter().map(|counter| {
                let (from, until) = counter.window.unwrap_or((now, now));
                counter.want(CountSpan::Fixed { from, until }, 0)
            });
            limits.chain(quotas).map(|want| UnitRequest { ask: 0, owed: 0, ..want }).collect()
        };
        let request = ReserveRequest { source: self.source.clone(), wants: wants.clone() };
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

    /// Gives everything back that is in hand: the process ends.
    pub fn drain(&self) {
        let mut state = self.state();
        let LimiterState { limits, quotas, .. } = &mut *state;
        let units = limits.iter_mut().chain(quotas).flat_map(Counter::drain).collect();
        drop(state);
        self.give_back(units);
    }
}

/// A turn that is waited for. Whoever goes away after it was given gives it back.
struct WaitingTurn<'a> {
    told: oneshot::Receiver<Result<TakenTurn, Box<LimitRefusal>>>,
    limiter: &'a SourceLimiter,
}

impl Drop for WaitingTurn<'_> {
    fn drop(&mut self) {
        if let Ok(Ok(turn)) = self.told.try_recv() {
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
