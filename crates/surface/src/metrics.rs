//! What a server counts, and the Prometheus text of it.
//!
//! Finished calls, sessions and refused requests in; text out. Labels are names of the registry and of tokens, and closed sets of
//! words: never a parameter, a secret or anything else that a client sent. Their number is bounded.

mod family;
pub mod last_hour;
mod limits;
mod page_counts;
mod text;

pub use family::{Labels, MetricFamily, MetricsSource, Samples};
pub use page_counts::{Follower, PageCounts};

use aqueduct_dispatch::observe::{FinishedCall, Observer};
use aqueduct_limiter::Limiters;
use aqueduct_operations::call::SessionEnd;
use aqueduct_operations::clock::{Clock, SystemClock};
use aqueduct_operations::failure::Code;
use aqueduct_operations::histogram::Histogram;
use last_hour::LastHour;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// Beyond this many operations further ones are counted together.
const MOST_OPERATIONS: usize = 2_000;

/// Beyond this many callers of a source further ones are counted together.
const MOST_CALLERS: usize = 200;

/// The outcome of a call that did not fail.
const SUCCESS: &str = "success";

/// Stands for what has no name of its own.
const OTHER: &str = "other";

/// The counts of one server.
#[derive(Debug, Default)]
pub struct Metrics {
    calls: Mutex<CallCounts>,
    sessions: AtomicU64,
    sessions_opened: AtomicU64,
    sessions_ended: [AtomicU64; 2],
    connections: AtomicU64,
    refused: Mutex<BTreeMap<&'static str, u64>>,
    limits: OnceLock<Arc<Limiters>>,
    /// What the operator's page counts.
    pub page: Arc<PageCounts>,
    others: OnceLock<Arc<dyn MetricsSource>>,
}

#[derive(Debug, Default)]
struct CallCounts {
    by_source: BTreeMap<String, SourceCounts>,
    operations: usize,
    last_hour: LastHour,
}

#[derive(Debug, Default)]
struct SourceCounts {
    took: Histogram,
    upstream: Histogram,
    /// By outcome and danger.
    by_gate: BTreeMap<(&'static str, &'static str), u64>,
    by_operation: BTreeMap<String, OperationCounts>,
    by_caller: BTreeMap<String, BTreeMap<&'static str, u64>>,
}

#[derive(Debug, Default)]
struct OperationCounts {
    took: Duration,
    by_outcome: BTreeMap<&'static str, u64>,
}

impl SourceCounts {
    fn count_caller(&mut self, caller: &str, outcome: &'static str) {
        let is_counted = self.by_caller.contains_key(caller) || self.by_caller.len() < MOST_CALLERS;
        let caller = if is_counted { caller } else { OTHER };
        *self.by_caller.entry(caller.to_owned()).or_default().entry(outcome).or_default() += 1;
    }
}

impl Metrics {
    /// Everything in the text format of Prometheus, with what others count.
    pub async fn whole_text(&self) -> String {
        let families = match self.others.get() {
            Some(others) => others.collect().await,
            None => Vec::new(),
        };
        text::write(self, &families)
    }

    /// What is counted here, in the text format of Prometheus.
    pub fn text(&self) -> String {
        text::write(self, &[])
    }

    /// Shows what somebody else counts too.
    pub fn show_others(&self, others: Arc<dyn MetricsSource>) {
        // One server has one store.
        self.others.get_or_init(|| others);
    }

    /// The calls of the last hour.
    pub fn last_hour(&self) -> LastHour {
        self.calls().last_hour.clone()
    }

    /// Shows limits and quotas too.
    pub fn show_limits(&self, limiters: Arc<Limiters>) {
        // One server has one set of them.
        self.limits.get_or_init(|| limiters);
    }

    pub(crate) fn open_session(&self) {
        self.sessions.fetch_add(1, Ordering::Relaxed);
        self.sessions_opened.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn close_session(&self, end: SessionEnd) {
        self.sessions.fetch_sub(1, Ordering::Relaxed);
        self.sessions_ended[end as usize].fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn open_connection(&self) {
        self.connections.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn close_connection(&self) {
        self.connections.fetch_sub(1, Ordering::Relaxed);
    }

    /// A request was turned away before it was a call.
    pub(crate) fn refuse(&self, reason: &'static str) {
        *self.refused.lock().unwrap_or_else(PoisonError::into_inner).entry(reason).or_default() += 1;
    }

    fn calls(&self) -> MutexGuard<'_, CallCounts> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Metrics {
    fn finished(&self, call: &FinishedCall<'_>) {
        let (source, operation) = match call.entry {
            Some(entry) => (entry.source.name.as_str(), entry.public_name.as_str()),
            None => (OTHER, OTHER),
        };
        let minute = SystemClock.now().as_second().div_euclid(60);
        // That a person is asked is no failure.
        let is_error = ![SUCCESS, Code::ConfirmationRequired.name()].contains(&call.outcome);
        let mut calls = self.calls();
        let CallCounts { by_source, operations, last_hour } = &mut *calls;
        last_hour.add(minute, call.entry.map(|entry| entry.source.name.as_str()), is_error);
        let of_source = by_source.entry(source.to_owned()).or_default();
        of_source.took.add(call.took);
        if let Some(upstream) = call.upstream {
            of_source.upstream.add(upstream);
        }
        if let Some(record) = call.gate {
            *of_source.by_gate.entry((record.outcome().name(), record.danger().name())).or_default() += 1;
        }
        of_source.count_caller(call.caller.name(), call.outcome);
        let known = of_source.by_operation.contains_key(operation);
        let name = if known || *operations < MOST_OPERATIONS { operation } else { OTHER };
        if !of_source.by_operation.contains_key(name) {
            *operations += 1;
        }
        let of_operation = of_source.by_operation.entry(name.to_owned()).or_default();
        of_operation.took += call.took;
        *of_operation.by_outcome.entry(call.outcome).or_default() += 1;
    }
}

#[cfg(test)]
mod tests;
