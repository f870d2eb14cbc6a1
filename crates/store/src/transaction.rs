//! What a task of the store is written against: a transaction of either engine.
//!
//! Every task is written once, as a `StoreTask`, in SQL that both engines read (`$1` for a value). An engine runs it in
//! one transaction: all of it happens, or nothing.

use crate::context::Context;
use crate::error::StoreError;
use crate::value::{Row, Value};
use jiff::Timestamp;
use std::future::Future;
use std::time::Duration;

/// A transaction that is under way.
pub(crate) trait Transaction: Send {
    /// What the store was opened with.
    fn context(&self) -> &Context;

    /// Runs a statement; the rows that it gives.
    fn query(
        &mut self,
        sql: &str,
        values: &[Value],
    ) -> impl Future<Output = Result<Vec<Row>, StoreError>> + Send;

    /// Runs a statement; how many rows it changed.
    fn execute(
        &mut self,
        sql: &str,
        values: &[Value],
    ) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// Runs several statements without values.
    fn script(&mut self, sql: &str) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Waits until no one else changes the tables themselves.
    fn lock_schema(&mut self) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Whether a table is there.
    fn has_table(&mut self, name: &str) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Wakes those who wait for a change, in every process, when this is committed.
    fn notify(&mut self) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Counts a line of the audit, when this is committed.
    fn count_line(&mut self, event: &str);

    /// The moment at which the transaction counts, the same from its begin to its end.
    fn now(&self) -> Timestamp;

    /// The only row of an answer, if there is one.
    fn query_one(
        &mut self,
        sql: &str,
        values: &[Value],
    ) -> impl Future<Output = Result<Option<Row>, StoreError>> + Send {
        async move { Ok(self.query(sql, values).await?.into_iter().next()) }
    }
}

/// Something that is done in one transaction.
pub(crate) trait StoreTask: Send + 'static {
    /// What comes out.
    type Output: Send + 'static;

    /// Changes nothing, and sees one state of the whole store.
    const READS_ONLY: bool = false;

    /// Can be run again from the start when it was not committed.
    #[cfg_attr(not(feature = "postgres"), allow(dead_code, reason = "a file is never lost half-way"))]
    const REPEATABLE: bool = true;

    /// How long it may take in all.
    const TIME_LIMIT: Duration = Duration::from_secs(10);

    /// Does it.
    fn run<T: Transaction>(
        &mut self,
        transaction: &mut T,
    ) -> impl Future<Output = Result<Self::Output, StoreError>> + Send;
}
