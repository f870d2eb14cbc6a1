//! How long executions last: ended ones for a time and up to a number, open ones that no instance serves until their time is over, and those
//! of a caller until the caller is revoked.

use super::{COLUMNS, body_of, saved_of};
use crate::error::StoreError;
use crate::transaction::Transaction;
use crate::value::Value;
use aqueduct_operations::clock::earlier;
use aqueduct_operations::execution::{
    CancelledBy, ExecutionEvent, ExecutionOwner, ExecutionState, JobStop, SavedExecution,
};
use serde_json::json;
use std::time::Duration;

/// How long an execution that no instance follows stays open after its time is over.
const GRACE: Duration = Duration::from_secs(600);

/// Forgets the oldest ended executions of an owner, so that with the next one there are so many.
pub(super) async fn forget_surplus<T: Transaction>(
    transaction: &mut T,
    owner: &str,
    most: u64,
) -> Result<(), StoreError> {
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let sql = "DELETE FROM executions WHERE owner = $1 AND finished_at IS NOT NULL AND id NOT IN (SELECT id FROM executions \
               WHERE owner = $1 AND finished_at IS NOT NULL ORDER BY finished_at DESC, id LIMIT $2)";
    transaction.execute(sql, &[owner.into(), Value::Int(most)]).await.map(drop)
}

/// Forgets what ended long ago, and closes what no instance serves any more.
pub(crate) async fn tidy<T: Transaction>(transaction: &mut T) -> Result<(), StoreError> {
    let now = transaction.now();
    let keep = transaction.context().limits.executions_kept;
    let sql = "DELETE FROM executions WHERE finished_at < $1";
    transaction.execute(sql, &[earlier(now, keep).into()]).await?;
    let sql = format!(
        "SELECT {COLUMNS} FROM executions WHERE state IN ('pending', 'running') AND gives_up_at < $1 AND (lease_until IS NULL OR \
         lease_until < $2)"
    );
    for row in transaction.query(&sql, &[earlier(now, GRACE).into(), now.into()]).await? {
        let mut saved = saved_of(&row)?;
        let execution = &mut saved.execution;
        match execution.state() {
            ExecutionState::Running => {
                let message = "Nobody followed the job to its end in time.";
                execution.fail(json!({"code": "TRANSPORT_TIMEOUT", "message": message}), now);
            }
            // The table has it for one that is pending.
            _ => drop(execution.apply(ExecutionEvent::Cancel, now)),
        }
        write_end(transaction, &saved).await?;
    }
    Ok(())
}

/// Cancels what goes on for a caller who may not call any more. Its follower sees that, asks no further, and tells its API.
pub(crate) async fn cancel_of_caller<T: Transaction>(
    transaction: &mut T,
    name: &str,
) -> Result<(), StoreError> {
    let owner = ExecutionOwner { session: String::new(), caller: Some(name.to_owned()), scopes: None };
    let now = transaction.now();
    let sql =
        format!("SELECT {COLUMNS} FROM executions WHERE owner = $1 AND state IN ('pending', 'running')");
    for key in owner.keys() {
        for row in transaction.query(&sql, &[key.into()]).await? {
            let mut saved = saved_of(&row)?;
            if saved.execution.apply(ExecutionEvent::Cancel, now).is_ok() {
                write_cancelled(transaction, &mut saved, CancelledBy::Revocation).await?;
            }
        }
    }
    Ok(())
}

/// Writes that somebody else than its owner has cancelled one; false when it was changed meanwhile. One that has a job keeps its lease:
/// its holder tells its API.
pub(super) async fn write_cancelled<T: Transaction>(
    transaction: &mut T,
    saved: &mut SavedExecution,
    by: CancelledBy,
) -> Result<bool, StoreError> {
    let execution = &mut saved.execution;
    execution.cancelled_by = Some(by);
    execution.stop = execution.has_job().then_some(JobStop::Due);
    let lease = if execution.stop.is_some() { "coalesce(lease_until, 0)" } else { "NULL" };
    let sql = format!(
        "UPDATE executions SET state = $3, version = version + 1, body = $4, finished_at = $5, lease_until = {lease} \
         WHERE id = $1 AND version = $2"
    );
    Ok(transaction.execute(&sql, &end_values(saved)?).await? == 1)
}

async fn write_end<T: Transaction>(transaction: &mut T, saved: &SavedExecution) -> Result<(), StoreError> {
    let sql = "UPDATE executions SET state = $3, version = version + 1, body = $4, finished_at = $5, lease_until = NULL \
               WHERE id = $1 AND version = $2";
    transaction.execute(sql, &end_values(saved)?).await.map(drop)
}

/// What is written of one that has ended.
fn end_values(saved: &SavedExecution) -> Result<[Value; 5], StoreError> {
    let execution = &saved.execution;
    Ok([
        (&execution.spec.id).into(),
        Value::Int(saved.version),
        execution.state().name().into(),
        body_of(execution)?.into(),
        execution.finished_at().into(),
    ])
}
