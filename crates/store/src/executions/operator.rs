//! What the operator does about executions: sees those of everybody, and ends one.
//!
//! An execution that is ended here counts as cancelled at once, with its line in the audit. Its API is told by its follower, or by
//! who takes that over: it keeps its lease until then.

use super::retention::write_cancelled;
use super::saved_of;
use crate::audit::chain;
use crate::audit::entry::{AuditEntry, event};
use crate::error::{Outage, StoreError};
use crate::store::Store;
use crate::transaction::{StoreTask, Transaction};
use crate::value::Value;
use aqueduct_operations::execution::{CancelledBy, ExecutionEvent, SavedExecution};

/// What the operator sees of an execution: everything but what it gave.
const WITHOUT_RESULT: &str = "body, version, holder, NULL";

/// How often it is tried to end one that others change meanwhile.
const ATTEMPTS: usize = 8;

/// Those that go on, oldest first, and the last ones that have ended, newest first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ExecutionsOverview {
    /// Those that go on.
    pub open: Vec<SavedExecution>,
    /// How many go on, those that are not in the list too.
    pub open_count: u64,
    /// Those that have ended.
    pub ended: Vec<SavedExecution>,
}

/// What became of ending an execution.
#[derive(Debug, Clone, PartialEq)]
pub enum OperatorCancelled {
    /// It is cancelled.
    Done(Box<SavedExecution>),
    /// It had ended before.
    TooLate(Box<SavedExecution>),
    /// There is none.
    Unknown,
}

struct Overview {
    most_open: i64,
    most_ended: i64,
}

impl StoreTask for Overview {
    type Output = ExecutionsOverview;
    const READS_ONLY: bool = true;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<ExecutionsOverview, StoreError> {
        let sql = "SELECT count(*) FROM executions WHERE state IN ('pending', 'running')";
        let count = transaction.query_one(sql, &[]).await?.map(|row| row.int(0)).transpose()?;
        let sql = format!(
            "SELECT {WITHOUT_RESULT} FROM executions WHERE state IN ('pending', 'running') ORDER BY created_at, id LIMIT $1"
        );
        let open = transaction.query(&sql, &[Value::Int(self.most_open)]).await?;
        let sql = format!(
            "SELECT {WITHOUT_RESULT} FROM executions WHERE finished_at IS NOT NULL ORDER BY finished_at DESC, id LIMIT $1"
        );
        let ended = transaction.query(&sql, &[Value::Int(self.most_ended)]).await?;
        Ok(ExecutionsOverview {
            open: open.iter().map(saved_of).collect::<Result<_, _>>()?,
            open_count: u64::try_from(count.unwrap_or_default()).unwrap_or_default(),
            ended: ended.iter().map(saved_of).collect::<Result<_, _>>()?,
        })
    }
}

struct Cancel {
    id: String,
    approver: String,
}

impl StoreTask for Cancel {
    type Output = OperatorCancelled;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<OperatorCancelled, StoreError> {
        let Some((saved, is_done)) = self.end(transaction).await? else {
            return Ok(OperatorCancelled::Unknown);
        };
        if !is_done {
            return Ok(OperatorCancelled::TooLate(Box::new(saved)));
        }
        let execution = &saved.execution;
        let line = AuditEntry {
            session: Some(execution.spec.owner.session.clone()),
            caller: Some(execution.spec.owner.caller.clone().unwrap_or_else(|| "local".to_owned())),
            source: Some(execution.spec.source.clone()),
            operation: Some(execution.spec.operation.clone()),
            approver: Some(self.approver.clone()),
            ..AuditEntry::new(event::EXECUTION_CANCELLED, "success").because(&execution.spec.id)
        };
        chain::append(transaction, vec![line]).await?;
        transaction.notify().await?;
        Ok(OperatorCancelled::Done(Box::new(saved)))
    }
}

impl Cancel {
    /// Ends it, if it goes on; how it is then, and whether this was the end of it.
    async fn end<T: Transaction>(
        &self,
        transaction: &mut T,
    ) -> Result<Option<(SavedExecution, bool)>, StoreError> {
        let sql = format!("SELECT {WITHOUT_RESULT} FROM executions WHERE id = $1");
        for _ in 0..ATTEMPTS {
            let Some(row) = transaction.query_one(&sql, &[(&self.id).into()]).await? else { return Ok(None) };
            let mut saved = saved_of(&row)?;
            if saved.execution.apply(ExecutionEvent::Cancel, transaction.now()).is_err() {
                return Ok(Some((saved, false)));
            }
            if write_cancelled(transaction, &mut saved, CancelledBy::Operator).await? {
                return Ok(Some((saved, true)));
            }
        }
        Err(StoreError::unavailable(Outage::Busy, "others change the execution all the time"))
    }
}

impl Store {
    /// What goes on for everybody and what has ended last, without results: so many at most of each.
    pub async fn executions_overview(
        &self,
        most_open: u32,
        most_ended: u32,
    ) -> Result<ExecutionsOverview, StoreError> {
        self.perform(Overview { most_open: most_open.into(), most_ended: most_ended.into() }).await
    }

    /// Ends an execution for the operator of this name. Its API is told by its follower.
    pub async fn cancel_execution(&self, id: &str, approver: &str) -> Result<OperatorCancelled, StoreError> {
        self.perform(Cancel { id: id.to_owned(), approver: approver.to_owned() }).await
    }
}
