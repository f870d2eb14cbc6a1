//! Calls that were confirmed and run now: none of them ends without a line in the audit.
//!
//! A row is written in the transaction that uses the token or the approval up. `StartedCall` takes it away again with the call's
//! outcome. When its process is killed, another one finds the lease run out, and writes that the call was lost.

use crate::audit::chain;
use crate::audit::entry::{AuditEntry, event};
use crate::call::{Asker, CallKey};
use crate::error::StoreError;
use crate::moments::later;
use crate::store::{Store, WeakStore};
use crate::transaction::{StoreTask, Transaction};
use crate::value::{Row, Value};

/// A confirmed call that runs. Whoever has it reports how it ended.
#[derive(Debug)]
#[must_use = "a call that is dropped is noted as abandoned"]
pub struct StartedCall {
    id: String,
    store: WeakStore,
    is_reported: bool,
}

impl StartedCall {
    pub(crate) fn new(id: String, store: &Store) -> StartedCall {
        store.in_flight().insert(&id);
        StartedCall { id, store: store.downgrade(), is_reported: false }
    }

    /// Notes how the call ended: `success` or `failure`, and why.
    pub async fn finish(mut self, outcome: &str, detail: Option<String>) -> Result<(), StoreError> {
        self.is_reported = true;
        let Some(store) = self.store.upgrade() else { return Ok(()) };
        store.in_flight().remove(&self.id);
        store.perform(Finish { id: self.id.clone(), outcome: outcome.to_owned(), detail }).await
    }
}

impl Drop for StartedCall {
    fn drop(&mut self) {
        if self.is_reported {
            return;
        }
        let Some(store) = self.store.upgrade() else { return };
        store.in_flight().remove(&self.id);
        let detail = Some("nobody waited for its end".to_owned());
        store.perform_detached(Finish { id: self.id.clone(), outcome: "abandoned".to_owned(), detail });
    }
}

/// Writes that a call starts; gives its id.
pub(crate) async fn start<T: Transaction>(
    transaction: &mut T,
    asker: &Asker,
    call: &CallKey,
) -> Result<String, StoreError> {
    let id = uuid::Uuid::new_v4().to_string();
    let now = transaction.now();
    let sql = "INSERT INTO started_calls (id, session, caller, source, operation, params, started_at, lease_until) \
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    let values = [
        Value::from(&id),
        Value::from(&asker.session),
        Value::from(&asker.caller),
        Value::from(&call.source),
        Value::from(&call.operation),
        Value::from(&call.params),
        now.into(),
        later(now, transaction.context().limits.lease).into(),
    ];
    transaction.execute(sql, &values).await?;
    Ok(id)
}

/// The columns of a call, in the order of `line_about`.
const COLUMNS: &str = "session, caller, source, operation, params";

fn line_about(row: &Row, event: &str, outcome: &str) -> Result<AuditEntry, StoreError> {
    Ok(AuditEntry {
        session: row.optional_text(0)?,
        caller: row.optional_text(1)?,
        source: row.optional_text(2)?,
        operation: row.optional_text(3)?,
        params: row.optional_text(4)?,
        ..AuditEntry::new(event, outcome)
    })
}

#[derive(Debug)]
pub(crate) struct Finish {
    id: String,
    outcome: String,
    detail: Option<String>,
}

impl StoreTask for Finish {
    type Output = ();

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<(), StoreError> {
        let sql = format!("DELETE FROM started_calls WHERE id = $1 RETURNING {COLUMNS}");
        let mut line = match transaction.query_one(&sql, &[Value::from(&self.id)]).await? {
            Some(row) => line_about(&row, event::CALL_FINISHED, &self.outcome)?,
            // It was taken for lost, and has ended after all.
            None => AuditEntry::new(event::CALL_FINISHED, &self.outcome),
        };
        line.detail = self.detail.clone();
        chain::append(transaction, vec![line]).await
    }
}

/// Keeps the leases of the calls that run in this process.
#[derive(Debug)]
pub(crate) struct KeepLeases(pub Vec<String>);

impl StoreTask for KeepLeases {
    type Output = ();

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<(), StoreError> {
        let until = later(transaction.now(), transaction.context().limits.lease);
        for id in &self.0 {
            let sql = "UPDATE started_calls SET lease_until = $1 WHERE id = $2";
            transaction.execute(sql, &[until.into(), id.into()]).await?;
        }
        Ok(())
    }
}

/// Takes away the calls whose process was not heard of; a line for each.
pub(crate) async fn take_lost<T: Transaction>(transaction: &mut T) -> Result<Vec<AuditEntry>, StoreError> {
    let now = transaction.now();
    let sql = format!("DELETE FROM started_calls WHERE lease_until < $1 RETURNING {COLUMNS}");
    let rows = transaction.query(&sql, &[now.into()]).await?;
    let lost = |row: &Row| {
        let line = line_about(row, event::CALL_LOST, "unknown")?;
        Ok(line.because("its process ended, or lost the store; whether it was carried out is not known"))
    };
    rows.iter().map(lost).collect()
}
