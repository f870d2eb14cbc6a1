//! How far limits and quotas are used, of all sources that this store counts for: for the operator.
//!
//! Rows in; a status for each source out.

use super::used;
use crate::error::StoreError;
use crate::store::Store;
use crate::transaction::{StoreTask, Transaction};
use aqueduct_operations::clock::iso8601;
use aqueduct_operations::rate_limits::ledger::{CounterAbout, CounterKind};
use aqueduct_operations::rate_limits::status::{CounterStatus, SourceLimitStatus};
use jiff::Timestamp;

#[derive(Debug)]
struct Show;

impl StoreTask for Show {
    type Output = Vec<SourceLimitStatus>;
    const READS_ONLY: bool = true;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<Self::Output, StoreError> {
        let now = transaction.now();
        let sql = "SELECT counter, source, about, resets_at, continued_until FROM limit_counters ORDER BY source, counter";
        let mut sources: Vec<SourceLimitStatus> = Vec::new();
        for row in transaction.query(sql, &[]).await? {
            let (counter, source, about): (String, String, CounterAbout) =
                (row.text(0)?, row.text(1)?, row.json(2)?);
            let learned = row.optional_moment(3)?.filter(|resets_at| *resets_at > now);
            let continued = row.optional_moment(4)?.filter(|until| *until > now);
            let (used, ends) = used(transaction, &counter).await?;
            let ends = ends.first();
            let resets_at: Option<Timestamp> = match about.kind {
                CounterKind::ApiLimit => learned.or(ends),
                CounterKind::Quota => ends,
            };
            let status = CounterStatus::of(&about, used, resets_at, continued);
            match sources.last_mut().filter(|last| last.source == source) {
                Some(last) => last.counters.push(status),
                None => sources.push(SourceLimitStatus {
                    source,
                    counters: vec![status],
                    held_until: None,
                    waiting: 0,
                }),
            }
        }
        for row in
            transaction.query("SELECT source, until FROM limit_holds WHERE until > $1", &[now.into()]).await?
        {
            let (source, until) = (row.text(0)?, row.moment(1)?);
            if let Some(found) = sources.iter_mut().find(|each| each.source == source) {
                found.held_until = Some(iso8601(until));
            }
        }
        Ok(sources)
    }
}

impl Store {
    /// The limits and quotas of all sources that were called, and how far they are used. What a process has in hand counts as used.
    pub async fn limits(&self) -> Result<Vec<SourceLimitStatus>, StoreError> {
        self.perform(Show).await
    }
}
