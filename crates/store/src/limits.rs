//! Units of rate limits and quotas, reserved for all processes and machines together (ruling S9).
//!
//! A counter's row is changed first, so that two who reserve of one counter wait for each other; what counts is the sum of its
//! slices. What was reserved stays, whatever becomes of the process that has it.

mod change;
mod ledger;
mod reserve;
mod settle;
mod show;

use crate::error::StoreError;
use crate::transaction::Transaction;
use crate::value::Value;
use aqueduct_operations::rate_limits::ledger::{FirstEnds, UnitLife};

/// How long a counter is remembered that no one asks about.
const MEMORY_MILLISECONDS: i64 = 40 * 86_400_000;

/// What counts now, and when the first of it no longer does.
async fn used<T: Transaction>(transaction: &mut T, counter: &str) -> Result<(u64, FirstEnds), StoreError> {
    let sql = "SELECT CAST(coalesce(sum(units), 0) AS BIGINT), min(CASE WHEN slice < 0 THEN counts_until END), \
               min(CASE WHEN slice >= 0 THEN counts_until END) FROM limit_slices \
               WHERE counter = $1 AND counts_until > $2 AND units > 0";
    let now = transaction.now();
    let row = transaction.query_one(sql, &[counter.into(), now.into()]).await?;
    let row = row.ok_or_else(|| StoreError::Damaged("a sum is missing".to_owned()))?;
    let ends = FirstEnds { settled: row.optional_moment(1)?, unsettled: row.optional_moment(2)? };
    Ok((u64::try_from(row.int(0)?).unwrap_or_default(), ends))
}

/// Adds units to a slice.
async fn add<T: Transaction>(
    transaction: &mut T,
    counter: &str,
    life: &UnitLife,
    units: u64,
) -> Result<(), StoreError> {
    if units == 0 {
        return Ok(());
    }
    let sql = "INSERT INTO limit_slices (counter, slice, units, counts_until) VALUES ($1, $2, $3, $4) \
               ON CONFLICT (counter, slice) DO UPDATE SET units = limit_slices.units + excluded.units, \
               counts_until = CASE WHEN limit_slices.counts_until > excluded.counts_until \
               THEN limit_slices.counts_until ELSE excluded.counts_until END";
    let units = i64::try_from(units).unwrap_or(i64::MAX);
    let values = [counter.into(), life.slice.into(), units.into(), life.counts_until.into()];
    transaction.execute(sql, &values).await.map(|_| ())
}

/// Forgets what no longer counts.
pub(crate) async fn purge<T: Transaction>(transaction: &mut T) -> Result<(), StoreError> {
    let now = transaction.now();
    let old = Value::Int(now.as_millisecond() - MEMORY_MILLISECONDS);
    transaction.execute("DELETE FROM limit_slices WHERE counts_until <= $1", &[now.into()]).await?;
    transaction.execute("DELETE FROM limit_holds WHERE until <= $1", &[now.into()]).await?;
    transaction.execute("DELETE FROM limit_counters WHERE touched_at <= $1", &[old]).await?;
    Ok(())
}
