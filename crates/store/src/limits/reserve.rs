//! Reserving units of several counters, each as many as are there.
//!
//! Wanted units in; what was given of each out. The row of a counter is locked first, so that no one takes the same unit.

use super::settle::settle;
use super::{add, used};
use crate::error::StoreError;
use crate::store::Store;
use crate::transaction::{StoreTask, Transaction};
use crate::value::Value;
use aqueduct_operations::rate_limits::ledger::{
    CounterState, EndedUnits, Reservation, ReserveRequest, Reserved, UnitRequest,
};

impl StoreTask for ReserveRequest {
    type Output = Reservation;
    // Asked again, it would reserve again: what was lost counts as spent, but no one would have it.
    const REPEATABLE: bool = false;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<Reservation, StoreError> {
        let ReserveRequest { source, wants, ended } = &*self;
        // In one order for everybody, so that no caller waits for each other forever.
        let mut order: Vec<usize> = (0..wants.len()).collect();
        order.sort_by(|one, other| wants[*one].counter.cmp(&wants[*other].counter));
        let mut reserved: Vec<(usize, Reserved)> = Vec::with_capacity(wants.len());
        for index in order {
            reserved.push((index, reserve(transaction, source, &wants[index], ended).await?));
        }
        reserved.sort_by_key(|(index, _)| *index);
        let sql = "SELECT until FROM limit_holds WHERE source = $1";
        let pause_source = transaction.query_one(sql, &[source.into()]).await?;
        let held_until = pause_source.map(|row| row.moment(0)).transpose()?;
        Ok(Reservation { counters: reserved.into_iter().map(|(_, reserved)| reserved).collect(), held_until })
    }
}

async fn reserve<T: Transaction>(
    transaction: &mut T,
    source: &str,
    want: &UnitRequest,
    ended: &[EndedUnits],
) -> Result<Reserved, StoreError> {
    let now = transaction.now();
    let about = serde_json::to_string(&want.about).unwrap_or_default();
    let sql = "INSERT INTO limit_counters (counter, source, about, touched_at) VALUES ($1, $2, $3, $4) \
               ON CONFLICT (counter) DO UPDATE SET about = excluded.about, touched_at = excluded.touched_at \
               RETURNING resets_at, continued_until";
    let values = [Value::from(&want.counter), source.into(), about.into(), now.into()];
    let row = transaction.query_one(sql, &values).await?;
    let row = row.ok_or_else(|| StoreError::Damaged("a counter is missing".to_owned()))?;
    let resets_at = row.optional_moment(0)?.filter(|resets_at| *resets_at > now);
    let continued = row.optional_moment(1)?.is_some_and(|until| until > now);
    let of_counter = ended.iter().filter(|each| each.counter == want.counter);
    settle(transaction, of_counter.cloned().collect(), resets_at).await?;
    let (used, first_ends) = used(transaction, &want.counter).await?;
    let step = want.reserve(now, &CounterState { used, first_ends, resets_at, continued });
    add(transaction, &want.counter, &step.reserved.life, step.reserved.granted).await?;
    add(transaction, &want.counter, &step.owed_life, step.owed).await?;
    Ok(step.reserved)
}

impl Store {
    /// Reserves units.
    pub async fn reserve_units(&self, request: ReserveRequest) -> Result<Reservation, StoreError> {
        self.perform(request).await
    }

    /// Counts units that are owed, where none are wanted. No caller waits for it.
    pub fn owe_units(&self, request: ReserveRequest) {
        self.perform_detached(request);
    }
}
