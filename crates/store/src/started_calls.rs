//! Confirmed calls, and dangerous ones that a rule lets run: none of them ends without a line in the audit.
//!
//! A row is written in the transaction that lets the call run. `StartedCall` takes the outcome; no caller waits until it is written.
//! It is kept until it can be, and the call's lease with it. When the process is killed, another one finds the lease run out, and
//! writes that the call was lost.

use crate::audit::chain;
use crate::audit::entry::{AuditEntry, event};
use crate::call::{CallKey, KeyedCall, Requester};
use crate::error::StoreError;
use crate::store::{Store, WeakStore};
use crate::transaction::{StoreTask, Transaction};
use crate::value::{Row, Value};
use aqueduct_operations::clock::later;

/// A call that runs. Its holder reports how it ended.
#[derive(Debug)]
#[must_use = "a call that is dropped is noted as abandoned"]
pub struct StartedCall {
    in_progress: Option<CallInProgress>,
    store: WeakStore,
    /// Somebody has it who can run it.
    is_taken_over: bool,
}

/// What is known of a call that runs.
#[derive(Debug, Clone)]
pub(crate) struct CallInProgress {
    pub id: String,
    asker: Requester,
    call: KeyedCall,
    /// The line of its begin: that of its end comes after.
    line: i64,
}

/// The end of a call, to be written.
#[derive(Debug, Clone)]
pub(crate) struct EndedCall {
    pub call: CallInProgress,
    outcome: String,
    detail: Option<String>,
}

impl StartedCall {
    pub(crate) fn new(in_progress: CallInProgress, store: &Store) -> StartedCall {
        store.in_flight().insert(&in_progress.id);
        StartedCall { in_progress: Some(in_progress), store: store.downgrade(), is_taken_over: false }
    }

    /// Notes that it has reached the caller that asks for it. Until then nothing of it can have been sent.
    pub(crate) fn taken_over(&mut self) {
        self.is_taken_over = true;
    }

    /// Notes how the call ended: `success` or `failure`, and why. It is written soon, or when the store is back.
    pub fn finish(mut self, outcome: &str, detail: Option<String>) {
        self.end(outcome, detail);
    }

    fn end(&mut self, outcome: &str, detail: Option<String>) {
        let (Some(call), Some(store)) = (self.in_progress.take(), self.store.upgrade()) else { return };
        store.note_end(EndedCall { call, outcome: outcome.to_owned(), detail });
    }
}

impl Drop for StartedCall {
    fn drop(&mut self) {
        let (outcome, detail) = if self.is_taken_over {
            ("abandoned", "nobody waited for its end")
        } else {
            ("cancelled", "it was cancelled before anything was sent; its confirmation is used up")
        };
        self.end(outcome, Some(detail.to_owned()));
    }
}

/// Writes that a call starts, with the line that lets it run. Nothing else of the transaction may come after it.
pub(crate) async fn begin<T: Transaction>(
    transaction: &mut T,
    asker: &Requester,
    call: &KeyedCall,
    line: AuditEntry,
) -> Result<CallInProgress, StoreError> {
    // Anyone who looks for a token or an approval in the audit finds the end of its calls too.
    let random = uuid::Uuid::new_v4().simple().to_string();
    let id = line.token.as_ref().map_or(random.clone(), |token| format!("{token}.{random}"));
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
    let line = chain::append_some(transaction, vec![line]).await?;
    Ok(CallInProgress { id, asker: asker.clone(), call: call.clone(), line })
}

impl EndedCall {
    /// Takes the row of the call away; the line of its end, unless it is written already.
    pub(crate) async fn line<T: Transaction>(
        &self,
        transaction: &mut T,
    ) -> Result<Option<AuditEntry>, StoreError> {
        let EndedCall { call, outcome, detail } = self;
        let line = AuditEntry {
            token: Some(call.id.clone()),
            detail: detail.clone(),
            ..AuditEntry::new(event::CALL_FINISHED, outcome).by(&call.asker).about_kept(&call.call)
        };
        let sql = "DELETE FROM started_calls WHERE id = $1";
        if transaction.execute(sql, &[Value::from(&call.id)]).await? == 1 {
            return Ok(Some(line));
        }
        // Whether an earlier attempt was committed was not known then; or the call was taken for lost meanwhile.
        let sql = "SELECT 1 FROM audit WHERE seq > $1 AND event = $2 AND token = $3";
        let values = [call.line.into(), event::CALL_FINISHED.into(), Value::from(&call.id)];
        if transaction.query_one(sql, &values).await?.is_some() {
            return Ok(None);
        }
        let late = "it was taken for lost, and has ended after all";
        let detail = detail.as_ref().map_or(late.to_owned(), |detail| format!("{detail}; {late}"));
        Ok(Some(line.because(detail)))
    }
}

/// A dangerous call that a rule lets run without a confirmation.
struct BeginAllowed {
    asker: Requester,
    call: CallKey,
    line: AuditEntry,
}

impl StoreTask for BeginAllowed {
    type Output = CallInProgress;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<CallInProgress, StoreError> {
        let call = self.call.keyed(transaction.context().key()?);
        let line = self.line.clone().by(&self.asker).about_kept(&call);
        begin(transaction, &self.asker, &call, line).await
    }
}

impl Store {
    /// Writes, before it runs, that a call runs without a confirmation, and keeps its end.
    pub async fn begin_allowed_call(
        &self,
        asker: Requester,
        call: CallKey,
        line: AuditEntry,
    ) -> Result<StartedCall, StoreError> {
        let in_progress = self.perform(BeginAllowed { asker, call, line }).await?;
        let mut call = StartedCall::new(in_progress, self);
        call.taken_over();
        Ok(call)
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
    let sql = "DELETE FROM started_calls WHERE lease_until < $1 \
               RETURNING session, caller, source, operation, params, id";
    let rows = transaction.query(sql, &[now.into()]).await?;
    let lost = |row: &Row| {
        let line = AuditEntry {
            session: row.optional_text(0)?,
            caller: row.optional_text(1)?,
            source: row.optional_text(2)?,
            operation: row.optional_text(3)?,
            params: row.optional_text(4)?,
            token: row.optional_text(5)?,
            ..AuditEntry::new(event::CALL_LOST, "unknown")
        };
        Ok(line.because("its process ended, or lost the store; whether it was carried out is not known"))
    };
    rows.iter().map(lost).collect()
}
