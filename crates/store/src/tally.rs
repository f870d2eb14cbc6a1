//! What a process counts of its store: how long tasks take, how they fail, which lines the audit got.
//!
//! Ends of tasks in; counts out, for metrics. Lines are counted when they are committed, by the process that wrote them.

use crate::error::StoreError;
use crate::instances::SILENCE;
use crate::store::Store;
use crate::transaction::{StoreTask, Transaction};
use aqueduct_operations::clock::earlier;
use aqueduct_operations::histogram::Histogram;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Beyond this many events further ones are counted together. There are fewer in the code.
const MOST_EVENTS: usize = 100;

/// The counts.
#[derive(Debug, Clone, Default)]
pub struct StoreTally {
    /// How long tasks took that change nothing.
    pub reads: Histogram,
    /// How long the others took.
    pub writes: Histogram,
    /// Tasks that failed, by a word of a closed set.
    pub failures: BTreeMap<&'static str, u64>,
    /// Lines that this process added to the audit, by event.
    pub audit_lines: BTreeMap<String, u64>,
    /// Lines that wait to be written.
    pub waiting_lines: usize,
    /// The last task failed.
    pub is_lost: bool,
}

/// How many agents there are, over all processes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AgentCounts {
    /// Runs of processes that are heard of.
    pub running: i64,
    /// Runs that wait for a person.
    pub paused: i64,
    /// Agents that are blocked.
    pub blocked: i64,
    /// Challenges that wait for a code.
    pub challenges: i64,
}

/// The counts of one store, as they grow.
#[derive(Debug, Default)]
pub(crate) struct StoreCounter(Mutex<StoreTally>);

impl StoreCounter {
    /// A task has ended.
    pub(crate) fn ended(&self, reads_only: bool, took: Duration, failure: Option<&StoreError>) {
        let mut tally = self.lock();
        let latency = if reads_only { &mut tally.reads } else { &mut tally.writes };
        latency.add(took);
        if let Some(error) = failure {
            *tally.failures.entry(error.word()).or_default() += 1;
        }
    }

    /// Lines of these events were committed.
    pub(crate) fn written(&self, events: Vec<String>) {
        if events.is_empty() {
            return;
        }
        let mut tally = self.lock();
        for event in events {
            let is_counted = tally.audit_lines.contains_key(&event) || tally.audit_lines.len() < MOST_EVENTS;
            let event = if is_counted { event } else { "other".to_owned() };
            *tally.audit_lines.entry(event).or_default() += 1;
        }
    }

    fn lock(&self) -> MutexGuard<'_, StoreTally> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Debug)]
struct CountAgents;

impl StoreTask for CountAgents {
    type Output = AgentCounts;
    const READS_ONLY: bool = true;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<AgentCounts, StoreError> {
        let sql = "SELECT (SELECT count(*) FROM agent_runs WHERE state = 'running' \
                   AND instance IN (SELECT id FROM instances WHERE seen_at >= $2)), \
                   (SELECT count(*) FROM agent_runs WHERE pause IS NOT NULL), \
                   (SELECT count(*) FROM agent_blocks), \
                   (SELECT count(*) FROM agent_challenges WHERE state IN ('waiting', 'open') AND expires_at > $1)";
        let now = transaction.now();
        let row = transaction.query_one(sql, &[now.into(), earlier(now, SILENCE).into()]).await?;
        let row = row.ok_or_else(|| StoreError::Damaged("a count is missing".to_owned()))?;
        Ok(AgentCounts {
            running: row.int(0)?,
            paused: row.int(1)?,
            blocked: row.int(2)?,
            challenges: row.int(3)?,
        })
    }
}

impl Store {
    /// What this process counts. Nothing is asked of the store.
    pub fn tally(&self) -> StoreTally {
        let tally = self.context().counter.lock().clone();
        StoreTally { waiting_lines: self.waiting_lines(), is_lost: self.is_lost(), ..tally }
    }

    /// How many agents there are.
    pub async fn agent_counts(&self) -> Result<AgentCounts, StoreError> {
        self.perform(CountAgents).await
    }
}
