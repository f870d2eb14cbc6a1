//! What becomes of counters besides reserving: units come back, an API says how it counts, asks to wait, an operator lets a quota go on.
//!
//! Facts about a source in; changed rows out, and an audit line where an operator decided.

use super::{add, used};
use crate::audit::chain;
use crate::audit::entry::{AuditEntry, event};
use crate::error::StoreError;
use crate::store::Store;
use crate::transaction::{StoreTask, Transaction};
use crate::value::Value;
use aqueduct_operations::rate_limits::Window;
use aqueduct_operations::rate_limits::ledger::{
    CountSpan, CounterAbout, CounterKind, FOREIGN_SLICE, LearnedState, ReturnedUnits, UnitLife,
};
use aqueduct_operations::rate_limits::status::CounterStatus;
use jiff::Timestamp;

#[derive(Debug)]
struct ReturnUnits(Vec<ReturnedUnits>);

impl StoreTask for ReturnUnits {
    type Output = ();
    const REPEATABLE: bool = false;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<(), StoreError> {
        self.0.sort_by(|one, other| (&one.counter, one.slice).cmp(&(&other.counter, other.slice)));
        for ReturnedUnits { counter, slice, units } in &self.0 {
            let sql = "UPDATE limit_slices SET units = CASE WHEN units > $3 THEN units - $3 ELSE 0 END \
                       WHERE counter = $1 AND slice = $2";
            let units = i64::try_from(*units).unwrap_or(i64::MAX);
            transaction.execute(sql, &[counter.into(), (*slice).into(), units.into()]).await?;
        }
        Ok(())
    }
}

impl StoreTask for LearnedState {
    type Output = ();

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<(), StoreError> {
        let LearnedState { counter, limit, remaining, resets_at, is_new_window } = &*self;
        let now = transaction.now();
        // The row first: reservations wait.
        let sql = "UPDATE limit_counters SET resets_at = $2 WHERE counter = $1 RETURNING about";
        let Some(row) = transaction.query_one(sql, &[counter.into(), (*resets_at).into()]).await? else {
            return Ok(());
        };
        let about: CounterAbout = row.json(0)?;
        if let (true, Some(window)) = (*is_new_window, Window::parse(&about.window)) {
            // What may still be spent, or has just been, stays.
            let (after, before) = CountSpan::Sliding(window.length()).forgotten(now);
            let sql = "DELETE FROM limit_slices WHERE counter = $1 AND slice > $2 AND slice < $3";
            transaction.execute(sql, &[counter.into(), after.into(), before.into()]).await?;
        }
        let (used, _) = used(transaction, counter).await?;
        let foreign = limit.saturating_sub(used).saturating_sub(*remaining);
        if foreign > 0 {
            let life = UnitLife { slice: FOREIGN_SLICE, usable_until: now, counts_until: *resets_at };
            // What was learned before for a window that is over no longer counts.
            let sql = "DELETE FROM limit_slices WHERE counter = $1 AND slice = $2 AND counts_until <= $3";
            transaction.execute(sql, &[counter.into(), FOREIGN_SLICE.into(), now.into()]).await?;
            add(transaction, counter, &life, foreign).await?;
        }
        Ok(())
    }
}

#[derive(Debug)]
struct PauseSource {
    source: String,
    until: Timestamp,
}

impl StoreTask for PauseSource {
    type Output = ();

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<(), StoreError> {
        let sql = "INSERT INTO limit_holds (source, until) VALUES ($1, $2) ON CONFLICT (source) DO UPDATE SET \
                   until = CASE WHEN limit_holds.until > excluded.until THEN limit_holds.until ELSE excluded.until END";
        transaction.execute(sql, &[Value::from(&self.source), self.until.into()]).await.map(|_| ())
    }
}

/// A quota has paused. Beside the sources that are held, under a name that none of them has, it is forgotten with its window.
#[derive(Debug)]
struct NotePause {
    counter: String,
    until: Timestamp,
}

impl StoreTask for NotePause {
    type Output = bool;
    const REPEATABLE: bool = false;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<bool, StoreError> {
        let sql = "INSERT INTO limit_holds (source, until) VALUES ($1, $2) ON CONFLICT (source) DO UPDATE SET \
                   until = excluded.until WHERE limit_holds.until < excluded.until";
        let name = format!("\u{1}paused {}", self.counter);
        Ok(transaction.execute(sql, &[name.into(), self.until.into()]).await? == 1)
    }
}

/// The operator lets paused quotas of a source go on, until their windows end.
#[derive(Debug)]
struct Continue {
    source: String,
    metric: Option<String>,
    approver: String,
}

impl StoreTask for Continue {
    type Output = Vec<String>;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<Vec<String>, StoreError> {
        let now = transaction.now();
        let sql =
            "SELECT counter, about, continued_until FROM limit_counters WHERE source = $1 ORDER BY counter";
        let rows = transaction.query(sql, &[Value::from(&self.source)]).await?;
        let mut continued = Vec::new();
        let mut lines = Vec::new();
        for row in rows {
            let (counter, about): (String, CounterAbout) = (row.text(0)?, row.json(1)?);
            let is_meant = self.metric.as_ref().is_none_or(|metric| *metric == about.name);
            let (used, ends) = used(transaction, &counter).await?;
            let ends = ends.first();
            // What goes on already, or is used up, is not paused.
            let continued_until = row.optional_moment(2)?.filter(|until| *until > now);
            let is_paused = CounterStatus::of(&about, used, ends, continued_until).status == "paused";
            let (CounterKind::Quota, true, true, Some(ends)) = (about.kind, is_meant, is_paused, ends) else {
                continue;
            };
            let sql = "UPDATE limit_counters SET continued_until = $2, touched_at = $3 WHERE counter = $1";
            transaction.execute(sql, &[Value::from(&counter), ends.into(), now.into()]).await?;
            lines.push(AuditEntry {
                source: Some(self.source.clone()),
                approver: Some(self.approver.clone()),
                ..AuditEntry::new(event::QUOTA_CONTINUED, "success").because(&about.name)
            });
            continued.push(about.name);
        }
        chain::append(transaction, lines).await?;
        if !continued.is_empty() {
            transaction.notify().await?;
        }
        Ok(continued)
    }
}

impl Store {
    /// Takes back units that were not spent. No caller waits for it.
    pub fn give_back_units(&self, units: Vec<ReturnedUnits>) {
        self.perform_detached(ReturnUnits(units));
    }

    /// Takes what an API says of a counter. No caller waits for it.
    pub fn learn_limit(&self, learned: LearnedState) {
        self.perform_detached(learned);
    }

    /// Nothing of a source is sent before that moment. No caller waits for it.
    pub fn write_source_pause(&self, source: &str, until: Timestamp) {
        self.perform_detached(PauseSource { source: source.to_owned(), until });
    }

    /// Notes that a quota has paused until its window ends; true where no one has noted that before.
    pub async fn note_quota_pause(&self, counter: &str, until: Timestamp) -> Result<bool, StoreError> {
        self.perform(NotePause { counter: counter.to_owned(), until }).await
    }

    /// Lets the paused quotas of a source go on until their windows end, all or one; the metrics of those that were paused.
    pub async fn continue_quotas(
        &self,
        source: &str,
        metric: Option<&str>,
        approver: &str,
    ) -> Result<Vec<String>, StoreError> {
        let (metric, approver) = (metric.map(str::to_owned), approver.to_owned());
        self.perform(Continue { source: source.to_owned(), metric, approver }).await
    }
}
