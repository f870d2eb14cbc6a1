//! The limiters of all sources of this process, made when a source is first called and again when its limits change.
//!
//! Sources with limits count in the ledger that was given, which is lost when its store is; the others only wait when their API asks
//! for it, and need no store.

use crate::memory::MemoryLedger;
use crate::meter::{CallMeter, MeterOwner};
use crate::source_limiter::SourceLimiter;
use crate::tally::SourceTally;
use aqueduct_operations::clock::Clock;
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::rate_limits::RateLimits;
use aqueduct_operations::rate_limits::ledger::Ledger;
use aqueduct_operations::rate_limits::metering::{PauseListener, RequestMeter};
use aqueduct_operations::rate_limits::status::SourceLimitStatus;
use aqueduct_operations::source::Source;
use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

/// All limiters of this process.
#[derive(Debug)]
pub struct Limiters {
    ledger: Arc<dyn Ledger>,
    /// For sources without limits.
    unlimited: Arc<dyn Ledger>,
    no_rules: Arc<RateLimits>,
    clock: Arc<dyn Clock>,
    listener: Option<Arc<dyn PauseListener>>,
    by_source: RwLock<BTreeMap<String, Arc<SourceLimiter>>>,
}

impl Limiters {
    /// Limiters that count in this ledger.
    pub fn new(ledger: Arc<dyn Ledger>, clock: Arc<dyn Clock>) -> Limiters {
        let unlimited = Arc::new(MemoryLedger::new(Arc::clone(&clock)));
        let (no_rules, by_source) = (Arc::default(), RwLock::default());
        Limiters { ledger, unlimited, no_rules, clock, listener: None, by_source }
    }

    /// The same, which tell this listener of quotas that pause.
    #[must_use]
    pub fn telling(self, listener: Option<Arc<dyn PauseListener>>) -> Limiters {
        Limiters { listener, ..self }
    }

    /// Limiters that count in memory.
    pub fn in_memory(clock: Arc<dyn Clock>) -> Limiters {
        Limiters::new(Arc::new(MemoryLedger::new(Arc::clone(&clock))), clock)
    }

    /// The meter of an operation for one call. `sent` is the text of what is sent, for prices by token.
    pub fn meter(
        &self,
        entry: &RegistryEntry,
        owner: MeterOwner,
        sent: impl FnOnce() -> String,
    ) -> Arc<dyn RequestMeter> {
        Arc::new(CallMeter::new(self.of(&entry.source), &entry.operation, owner, sent))
    }

    /// How far the limits of a source are used; nothing when it has none.
    pub async fn status(&self, source: &Source) -> Option<Result<SourceLimitStatus, String>> {
        source.rate_limits.as_ref()?;
        Some(self.of(source).status().await)
    }

    /// What metrics show, by source.
    pub fn tallies(&self) -> Vec<(String, SourceTally)> {
        let by_source = self.by_source.read().unwrap_or_else(PoisonError::into_inner);
        by_source.iter().map(|(source, limiter)| (source.clone(), limiter.tally())).collect()
    }

    /// Gives back what is in hand: the process ends.
    pub fn drain(&self) {
        let by_source = self.by_source.read().unwrap_or_else(PoisonError::into_inner);
        by_source.values().for_each(|limiter| limiter.drain());
    }

    fn of(&self, source: &Source) -> Arc<SourceLimiter> {
        let rules = source.rate_limits.as_ref().unwrap_or(&self.no_rules);
        let is_current =
            |limiter: &&Arc<SourceLimiter>| Arc::ptr_eq(&limiter.rules, rules) || limiter.rules == *rules;
        let by_source = self.by_source.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(limiter) = by_source.get(&source.name).filter(is_current) {
            return Arc::clone(limiter);
        }
        drop(by_source);
        let mut by_source = self.by_source.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(limiter) = by_source.get(&source.name).filter(is_current) {
            return Arc::clone(limiter);
        }
        let ledger = if source.rate_limits.is_some() { &self.ledger } else { &self.unlimited };
        let name = source.name.clone();
        let mut limiter =
            SourceLimiter::new(name.clone(), Arc::clone(rules), Arc::clone(ledger), Arc::clone(&self.clock));
        limiter.listener = self.listener.clone();
        let limiter = Arc::new(limiter);
        if let Some(before) = by_source.insert(name, Arc::clone(&limiter)) {
            before.drain();
        }
        limiter
    }
}
