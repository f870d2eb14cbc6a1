//! What an API says of itself: how many are left, when it counts anew, and that it wants to be left alone.
//!
//! The head of a response in; counters that know more, and a ledger that was told, out.

use crate::headers;
use crate::source_limiter::SourceLimiter;
use aqueduct_operations::clock::iso8601;
use aqueduct_operations::rate_limits::ledger::LearnedState;
use aqueduct_operations::rate_limits::metering::ResponseFacts;
use jiff::{SignedDuration, Timestamp};
use std::time::Duration;

/// The longest time that an API may make its source wait.
const LONGEST_HOLD: Duration = Duration::from_secs(3_600);

impl SourceLimiter {
    /// Learns from the head of a response.
    pub fn learn(&self, limits: &[usize], head: &dyn ResponseFacts) {
        let now = self.clock.now();
        if let (429 | 503, Some(wait)) = (head.status(), head.retry_after()) {
            self.pause_source(wait.min(LONGEST_HOLD), now);
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
    fn pause_source(&self, wait: Duration, now: Timestamp) {
        let wait = SignedDuration::try_from(wait).unwrap_or(SignedDuration::MAX);
        let until = now.checked_add(wait).unwrap_or(Timestamp::MAX);
        {
            let mut state = self.state();
            state.tally.held += 1;
            state.held_until = state.held_until.max(Some(until));
        }
        tracing::info!(target: "aqueduct::limits", source = %self.source, until = iso8601(until), "the api asked to wait");
        self.ledger.pause_source(&self.source, until);
    }
}
