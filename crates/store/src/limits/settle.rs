//! Requests have ended: their units count for a whole window from now on.
//!
//! Units by the slice in which they were reserved in; the same units in the slice of now out. Both rows change in one transaction, so
//! that at no moment they count nowhere. What is never settled, because its process was killed, counts until its own end.

use super::add;
use crate::error::StoreError;
use crate::store::Store;
use crate::transaction::{StoreTask, Transaction};
use crate::value::Value;
use aqueduct_operations::rate_limits::ledger::EndedUnits;
use jiff::Timestamp;

#[derive(Debug)]
struct SettleUnits(Vec<EndedUnits>);

impl StoreTask for SettleUnits {
    type Output = ();
    // Asked again, it would move the units of others, whose requests are under way.
    const REPEATABLE: bool = false;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<(), StoreError> {
        // In the order in which reservations lock counters.
        self.0.sort_by(|one, other| one.counter.cmp(&other.counter));
        for of_counter in self.0.chunk_by(|one, other| one.counter == other.counter) {
            let counter = Value::from(&of_counter[0].counter);
            let sql = "UPDATE limit_counters SET touched_at = $2 WHERE counter = $1 RETURNING resets_at";
            let now = transaction.now();
            let Some(row) = transaction.query_one(sql, &[counter, now.into()]).await? else { continue };
            let resets_at = row.optional_moment(0)?.filter(|resets_at| *resets_at > now);
            settle(transaction, of_counter.to_vec(), resets_at).await?;
        }
        Ok(())
    }
}

/// Settles units of one counter, whose row is locked.
pub(super) async fn settle<T: Transaction>(
    transaction: &mut T,
    mut ended: Vec<EndedUnits>,
    resets_at: Option<Timestamp>,
) -> Result<(), StoreError> {
    let now = transaction.now();
    // Rows in one order for everybody, also for those who give units back.
    ended.sort_by_key(|each| each.slice);
    for each in &ended {
        let life = each.life(now, resets_at);
        if life.slice == each.slice {
            continue;
        }
        let row = [Value::from(&each.counter), each.slice.into()];
        let sql = "SELECT units FROM limit_slices WHERE counter = $1 AND slice = $2 AND counts_until > $3";
        let counted = transaction.query_one(sql, &[row[0].clone(), row[1].clone(), now.into()]).await?;
        let counted = counted.map(|row| row.int(0)).transpose()?.unwrap_or_default();
        let moved = each.units.min(u64::try_from(counted).unwrap_or_default());
        add(transaction, &each.counter, &life, moved).await?;
        let sql = "UPDATE limit_slices SET units = CASE WHEN units > $3 THEN units - $3 ELSE 0 END \
                   WHERE counter = $1 AND slice = $2";
        let [counter, slice] = row;
        transaction.execute(sql, &[counter, slice, i64::try_from(moved).unwrap_or(i64::MAX).into()]).await?;
    }
    Ok(())
}

impl Store {
    /// Counts the units of requests that have ended for a whole window from now on. No caller waits for it.
    pub fn settle_units(&self, units: Vec<EndedUnits>) {
        self.perform_detached(SettleUnits(units));
    }
}
