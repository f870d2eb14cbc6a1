//! What each instance says about itself: a small row, replaced every few seconds while it runs, for the operator's page.
//!
//! A report in, whose content is the program's own affair; the reports of all that were heard of lately out. Nothing is decided by
//! them, so that they are no part of the audit.

use crate::error::StoreError;
use crate::store::Store;
use crate::transaction::{StoreTask, Transaction};
use crate::value::{Row, Value};
use aqueduct_operations::clock::earlier;
use jiff::Timestamp;
use std::time::Duration;

/// How long an instance counts as running after it was last heard of.
pub const SILENCE: Duration = Duration::from_secs(20);

/// How long the row of an instance that was killed stays, at most.
const KEPT: Duration = Duration::from_secs(120);

/// An instance that runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instance {
    /// Its id, for as long as it runs.
    pub id: String,
    /// When it was started.
    pub started_at: Timestamp,
    /// When it was last heard of.
    pub seen_at: Timestamp,
    /// What it says about itself.
    pub report: serde_json::Value,
}

struct SaveReport {
    id: String,
    started_at: Timestamp,
    report: String,
}

impl StoreTask for SaveReport {
    type Output = ();

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<(), StoreError> {
        let now = transaction.now();
        let old = Value::from(earlier(now, KEPT));
        transaction.execute("DELETE FROM instances WHERE seen_at < $1", &[old]).await?;
        let sql = "INSERT INTO instances (id, started_at, seen_at, report) VALUES ($1, $2, $3, $4) \
                   ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, report = excluded.report";
        let values = [Value::from(&self.id), self.started_at.into(), now.into(), Value::from(&self.report)];
        transaction.execute(sql, &values).await.map(|_| ())
    }
}

/// Says that an instance runs, without a report.
pub(crate) async fn touch_instance<T: Transaction>(transaction: &mut T, id: &str) -> Result<(), StoreError> {
    let now = transaction.now();
    let sql = "INSERT INTO instances (id, started_at, seen_at, report) VALUES ($1, $2, $2, '') \
               ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at";
    transaction.execute(sql, &[id.into(), now.into()]).await.map(|_| ())
}

struct Forget(String);

impl StoreTask for Forget {
    type Output = ();

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<(), StoreError> {
        let sql = "DELETE FROM instances WHERE id = $1";
        transaction.execute(sql, &[Value::from(&self.0)]).await.map(|_| ())
    }
}

struct Running;

impl StoreTask for Running {
    type Output = Vec<Instance>;
    const READS_ONLY: bool = true;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<Vec<Instance>, StoreError> {
        let since = Value::from(earlier(transaction.now(), SILENCE));
        let sql = "SELECT id, started_at, seen_at, report FROM instances WHERE seen_at >= $1 AND report <> '' \
                   ORDER BY started_at, id";
        let instance = |row: &Row| {
            Ok(Instance {
                id: row.text(0)?,
                started_at: row.moment(1)?,
                seen_at: row.moment(2)?,
                report: row.json(3)?,
            })
        };
        transaction.query(sql, &[since]).await?.iter().map(instance).collect()
    }
}

impl Store {
    /// Says that an instance runs, and what it has to say about itself.
    pub async fn report_instance(
        &self,
        id: &str,
        started_at: Timestamp,
        report: &serde_json::Value,
    ) -> Result<(), StoreError> {
        self.perform(SaveReport { id: id.to_owned(), started_at, report: report.to_string() }).await
    }

    /// An instance has ended.
    pub async fn forget_instance(&self, id: &str) -> Result<(), StoreError> {
        self.perform(Forget(id.to_owned())).await
    }

    /// The instances that run and have said something about themselves, those that began first first.
    pub async fn instances(&self) -> Result<Vec<Instance>, StoreError> {
        self.perform(Running).await
    }
}
