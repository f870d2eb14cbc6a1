//! Quotas: budgets of people, which warn, pause and stop.
//!
//! A request in; a unit of each quota spent, or a refusal out. Anyone who decides about a pause is asked here.

use crate::source_limiter::{SourceLimiter, seconds_until};
use aqueduct_operations::rate_limits::ledger::{CountWindow, ReserveRequest, UnitRequest};
use aqueduct_operations::rate_limits::metering::{LimitRefusal, PauseHandler, PausedQuota, QuotaWarning};
use aqueduct_operations::rate_limits::{Quota, Unit};
use std::sync::Arc;

impl SourceLimiter {
    /// Takes units of all quotas for one request, asking the ledger where there are none in hand. Those that were taken stay taken
    /// when another one refuses: it is the last requests of a window that this is about. `cost` is what the request costs in any case.
    pub async fn take_quotas(
        &self,
        cost: u64,
        pause_handler: &dyn PauseHandler,
    ) -> Result<(), Box<LimitRefusal>> {
        if self.rules.quotas.limits.is_empty() {
            return Ok(());
        }
        for index in 0..self.rules.quotas.limits.len() {
            self.take_quota(index, cost, pause_handler).await?;
        }
        Ok(())
    }

    async fn take_quota(
        &self,
        index: usize,
        cost: u64,
        pause_handler: &dyn PauseHandler,
    ) -> Result<(), Box<LimitRefusal>> {
        let Some(quota) = self.rules.quotas.limits.get(index) else { return Ok(()) };
        // What is known before the request is sent. Of the rest one unit has to be there.
        let known = match quota.metric.unit {
            Unit::Requests => 1,
            Unit::Cost => cost,
            Unit::Tokens => 0,
        };
        let needed = known.max(1);
        // Fewer units were left than it needs: of all processes, this one has them, and passes the threshold.
        let mut is_last = false;
        loop {
            let now = self.clock.now();
            let goes_on = pause_handler.goes_on();
            let mut want = {
                let mut state = self.state();
                let Some(counter) = state.quotas.get_mut(index) else { return Ok(()) };
                let window = counter.window.filter(|window| window.until > now);
                if window.is_none() {
                    counter.begin_window(self.rules.quota_window(quota, now));
                }
                let returned = counter.expire(now);
                self.give_back(returned);
                if counter.has(needed) || is_last && counter.has_some() {
                    counter.spend(known);
                    self.warn_of(quota, counter.current(), pause_handler);
                    let owed = self.owed(&mut state);
                    drop(state);
                    self.owe(owed);
                    return Ok(());
                }
                let window = counter.window.unwrap_or(CountWindow { from: now, until: now });
                counter.want(window.into(), needed)
            };
            if goes_on {
                want = UnitRequest { ceiling: quota.hard_stop, ask: needed, ..want };
            }
            let request =
                ReserveRequest { source: self.source.clone(), wants: vec![want.clone()], ended: Vec::new() };
            let reserved = self.ledger.reserve(request).await;
            let reserved = reserved.map_err(|lost| Box::new(LimitRefusal::Unavailable(lost.0)))?;
            let Some(reserved) = reserved.counters.into_iter().next() else { continue };
            let (used, resets_at) = {
                let mut state = self.state();
                let Some(counter) = state.quotas.get_mut(index) else { return Ok(()) };
                counter.receive(&want, &reserved);
                if goes_on && reserved.granted > 0 {
                    // What is reserved beyond the pause is for this call alone, and spent at once.
                    counter.spend(reserved.granted.max(known));
                    self.warn_of(quota, counter.current(), pause_handler);
                    let owed = self.owed(&mut state);
                    drop(state);
                    self.owe(owed);
                    return Ok(());
                }
                (reserved.used, counter.window.map_or(now, |window| window.until))
            };
            if reserved.granted > 0 {
                is_last = reserved.granted < needed;
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
                retry_after_seconds: seconds_until(resets_at, now),
            };
            self.tell_of(index, &pause).await;
            pause_handler.decide(&pause).await?;
            self.state().tally.continued += 1;
        }
    }

    /// Tells whoever listens of a pause, once for each: the next is in the next window.
    async fn tell_of(&self, index: usize, pause: &PausedQuota) {
        let Some(listener) = &self.listener else { return };
        let key = {
            let mut state = self.state();
            let Some(counter) = state.quotas.get_mut(index) else { return };
            if counter.told_of_pause.replace(pause.resets_at) == Some(pause.resets_at) {
                return;
            }
            counter.key.clone()
        };
        // On a task of its own: the call may be cancelled while the pause is noted, and no other one tells of it.
        let (ledger, listener, pause) = (Arc::clone(&self.ledger), Arc::clone(listener), pause.clone());
        let telling = tokio::spawn(async move {
            if ledger.is_first_to_pause(&key, pause.resets_at).await {
                listener.on_pause(&pause);
            }
        });
        if let Err(error) = telling.await {
            tracing::error!(target: "aqueduct::limits", %error, "nobody was told of a pause");
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
}
