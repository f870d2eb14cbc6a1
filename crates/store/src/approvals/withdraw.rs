//! Approvals that no one answered in time, or whose session has ended.
//!
//! Each gets the state `expired`, with those of its calls that could still run, and a line of the audit for each of these.

use super::call_of;
use crate::audit::chain;
use crate::audit::entry::{AuditEntry, event};
use crate::call::{KeyedCall, Requester};
use crate::error::StoreError;
use crate::store::Store;
use crate::transaction::{StoreTask, Transaction};
use crate::value::Row;

/// Notes what has expired; a line for each call.
pub(crate) async fn expire_overdue<T: Transaction>(
    transaction: &mut T,
) -> Result<Vec<AuditEntry>, StoreError> {
    let now = transaction.now();
    let sql = "UPDATE approvals SET state = 'expired' WHERE state IN ('waiting', 'approved') AND expires_at <= $1 \
               RETURNING id, session, caller, rule, approver";
    let rows = transaction.query(sql, &[now.into()]).await?;
    close(transaction, &rows, "nobody answered in time, or the call was not repeated in time").await
}

/// Notes that one question has expired, so that it does not stand in the way of the same one asked anew.
pub(super) async fn expire_question<T: Transaction>(
    transaction: &mut T,
    session: &str,
    fingerprint: &str,
) -> Result<Vec<AuditEntry>, StoreError> {
    let now = transaction.now();
    let sql = "UPDATE approvals SET state = 'expired' \
               WHERE session = $1 AND fingerprint = $2 AND state = 'waiting' AND expires_at <= $3 \
               RETURNING id, session, caller, rule, approver";
    let rows = transaction.query(sql, &[session.into(), fingerprint.into(), now.into()]).await?;
    close(transaction, &rows, "nobody answered in time").await
}

/// Takes back everything of a caller that was not used; a line for each call.
pub(crate) async fn withdraw_of_caller<T: Transaction>(
    transaction: &mut T,
    caller: &str,
) -> Result<Vec<AuditEntry>, StoreError> {
    let sql = "UPDATE approvals SET state = 'expired' WHERE state IN ('waiting', 'approved') AND caller = $1 \
               RETURNING id, session, caller, rule, approver";
    let rows = transaction.query(sql, &[caller.into()]).await?;
    close(transaction, &rows, "the caller was revoked").await
}

async fn close<T: Transaction>(
    transaction: &mut T,
    rows: &[Row],
    why: &str,
) -> Result<Vec<AuditEntry>, StoreError> {
    let mut lines = Vec::new();
    for row in rows {
        let id = row.text(0)?;
        // Of a plan, some may have run.
        let sql = "UPDATE approval_calls SET state = 'expired' WHERE approval = $1 AND used < allowed \
                   RETURNING source, operation, params, resolved";
        let left = transaction.query(sql, &[id.as_str().into()]).await?;
        let mut left = left.iter().map(call_of).collect::<Result<Vec<KeyedCall>, _>>()?;
        left.sort();
        let asker = Requester { session: row.text(1)?, caller: row.text(2)? };
        for call in left {
            lines.push(AuditEntry {
                rule: row.optional_text(3)?,
                approver: row.optional_text(4)?,
                token: Some(id.clone()),
                ..AuditEntry::new(event::APPROVAL_EXPIRED, "expired")
                    .by(&asker)
                    .about_kept(&call)
                    .because(why)
            });
        }
    }
    if !rows.is_empty() {
        transaction.notify().await?;
    }
    Ok(lines)
}

struct Withdraw(String);

impl StoreTask for Withdraw {
    type Output = ();

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<(), StoreError> {
        let sql = "UPDATE approvals SET state = 'expired' WHERE state IN ('waiting', 'approved') AND session = $1 \
                   RETURNING id, session, caller, rule, approver";
        let rows = transaction.query(sql, &[self.0.as_str().into()]).await?;
        let lines = close(transaction, &rows, "the session has ended").await?;
        chain::append(transaction, lines).await
    }
}

impl Store {
    /// Takes back what a session has asked for and not used: tokens and approvals.
    pub async fn end_session(&self, session: &str) -> Result<(), StoreError> {
        self.revoke_tokens_of_session(session).await?;
        self.perform(Withdraw(session.to_owned())).await
    }

    /// The same, for code that cannot wait.
    pub fn end_session_soon(&self, session: &str) {
        let (store, session) = (self.clone(), session.to_owned());
        // What fails is logged; what it should take back expires by itself.
        self.spawn_detached(async move {
            store.end_session(&session).await.ok();
        });
    }
}
