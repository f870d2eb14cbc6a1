//! What becomes due with time: expired approvals, lost calls, tokens that no one asks about any more, seals.
//!
//! It is looked for first, which takes no lock; it is done by one process at a time.

use crate::agents;
use crate::approvals;
use crate::audit::chain;
use crate::error::StoreError;
use crate::executions;
use crate::limits;
use crate::rates;
use crate::started_calls;
use crate::transaction::{StoreTask, Transaction};
use crate::value::Value;
use aqueduct_operations::clock::{earlier, later};
use std::time::Duration;

/// How long a dead token is remembered, to distinguish "expired" from "unknown".
const MEMORY: Duration = Duration::from_secs(3600);

/// How long approvals stay for the operator to look at.
const HISTORY: Duration = Duration::from_secs(30 * 86_400);

/// What is due.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DueWork {
    pub is_work: bool,
    pub is_seal: bool,
}

/// Looks for what is due.
#[derive(Debug)]
pub(crate) struct FindDueWork;

impl StoreTask for FindDueWork {
    type Output = DueWork;
    const READS_ONLY: bool = true;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<DueWork, StoreError> {
        let now = transaction.now();
        let sql = "SELECT 1 WHERE EXISTS (SELECT 1 FROM started_calls WHERE lease_until < $1) \
                   OR EXISTS (SELECT 1 FROM approvals WHERE state IN ('waiting', 'approved') AND expires_at <= $1) \
                   OR EXISTS (SELECT 1 FROM confirmations WHERE expires_at < $2) \
                   OR EXISTS (SELECT 1 FROM limit_slices WHERE counts_until < $2) \
                   OR EXISTS (SELECT 1 FROM rates WHERE opened_at < $2) \
                   OR EXISTS (SELECT 1 FROM executions WHERE finished_at < $3) \
                   OR EXISTS (SELECT 1 FROM executions WHERE state IN ('pending', 'running') AND gives_up_at < $2) \
                   OR EXISTS (SELECT 1 FROM agent_runs WHERE ended_at < $4 OR state = 'running' AND started_at < $4 \
                   AND NOT EXISTS (SELECT 1 FROM agent_steps WHERE agent_steps.run = agent_runs.id AND agent_steps.at >= $4))";
        let ended = earlier(now, transaction.context().limits.executions_kept);
        let values = [now.into(), earlier(now, MEMORY).into(), ended.into(), earlier(now, HISTORY).into()];
        let is_work = !transaction.query(sql, &values).await?.is_empty();
        let sql = "SELECT min(at) FROM audit WHERE seq > (SELECT sealed_seq FROM audit_head WHERE id = 1)";
        let oldest = transaction.query_one(sql, &[]).await?;
        let oldest = oldest.map(|row| row.optional_moment(0)).transpose()?.flatten();
        let seal_after = transaction.context().limits.seal_after;
        let is_seal = oldest.is_some_and(|oldest| later(oldest, seal_after) <= now);
        Ok(DueWork { is_work, is_seal })
    }
}

/// Does what is due.
#[derive(Debug)]
pub(crate) struct Maintain;

impl StoreTask for Maintain {
    type Output = ();

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<(), StoreError> {
        transaction.lock_schema().await?;
        let now = transaction.now();
        let oldest = Value::from(earlier(now, MEMORY));
        transaction.execute("DELETE FROM confirmations WHERE expires_at < $1", &[oldest]).await?;
        rates::purge(transaction).await?;
        limits::purge(transaction).await?;
        executions::tidy(transaction).await?;
        let history = Value::from(earlier(now, HISTORY));
        let old = "SELECT id FROM approvals WHERE expires_at < $1 AND state IN ('denied', 'expired', 'used')";
        let sql = format!("DELETE FROM approval_calls WHERE approval IN ({old})");
        transaction.execute(&sql, std::slice::from_ref(&history)).await?;
        let sql = "DELETE FROM approvals WHERE expires_at < $1 AND state IN ('denied', 'expired', 'used')";
        transaction.execute(sql, std::slice::from_ref(&history)).await?;
        agents::forget(transaction, history).await?;
        let mut lines = started_calls::take_lost(transaction).await?;
        lines.extend(approvals::expire_overdue(transaction).await?);
        chain::append(transaction, lines).await
    }
}

/// The number of the last line of the audit, which every change adds to.
#[derive(Debug)]
pub(crate) struct AuditPosition;

impl StoreTask for AuditPosition {
    type Output = i64;
    const READS_ONLY: bool = true;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<i64, StoreError> {
        chain::head(transaction).await.map(|head| head.seq)
    }
}
