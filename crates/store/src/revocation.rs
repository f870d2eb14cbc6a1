//! What an operator takes back: tokens that were not used yet, and approvals that wait or were not used yet.
//!
//! One of them by its name, or all of a session or a caller, in; how many calls can no longer run by them, and a line of the audit
//! for each, out. Calls that run already are not stopped.

use crate::audit::chain;
use crate::audit::entry::{AuditEntry, event};
use crate::call::{CallKey, Requester};
use crate::error::StoreError;
use crate::secret;
use crate::store::Store;
use crate::transaction::{StoreTask, Transaction};
use crate::value::{Row, Value};

/// What is taken back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Revocation {
    /// The token, or the approval, whose name in the audit begins so.
    Named(String),
    /// Everything of a session.
    Session(String),
    /// Everything of a caller.
    Caller(String),
}

/// What became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Revoked {
    /// These can no longer run anything, by their names in the audit; none if there was nothing.
    Done(Vec<String>),
    /// Several begin so, by their names; nothing was taken back.
    Ambiguous(Vec<String>),
}

struct RevokeNow {
    what: Revocation,
    reason: Option<String>,
    approver: String,
}

/// A token or an approval that can still run something.
struct RunnableItem {
    /// The hash of a token, or the id of an approval.
    key: String,
    name: String,
    is_token: bool,
}

impl StoreTask for RevokeNow {
    type Output = Revoked;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<Revoked, StoreError> {
        let live = live(transaction, &self.what).await?;
        let names: Vec<String> = live.iter().map(|one| one.name.clone()).collect();
        if matches!(self.what, Revocation::Named(_)) && names.len() > 1 {
            return Ok(Revoked::Ambiguous(names));
        }
        let mut lines = Vec::new();
        for one in &live {
            lines.extend(if one.is_token {
                self.revoke_token(transaction, one).await?
            } else {
                self.revoke_approval(transaction, one).await?
            });
        }
        if !lines.is_empty() {
            transaction.notify().await?;
            chain::append(transaction, lines).await?;
        }
        Ok(Revoked::Done(names))
    }
}

impl RevokeNow {
    async fn revoke_token<T: Transaction>(
        &self,
        transaction: &mut T,
        token: &RunnableItem,
    ) -> Result<Vec<AuditEntry>, StoreError> {
        let sql = "UPDATE confirmations SET revoked_at = $1 WHERE token = $2 AND revoked_at IS NULL AND used < allowed \
                   RETURNING session, caller, source, operation, params, resolved";
        let now = transaction.now();
        let rows = transaction.query(sql, &[now.into(), Value::from(&token.key)]).await?;
        rows.iter().map(|row| self.line(row, event::TOKEN_REVOKED, token)).collect()
    }

    /// The caller is told of a no from now on.
    async fn revoke_approval<T: Transaction>(
        &self,
        transaction: &mut T,
        approval: &RunnableItem,
    ) -> Result<Vec<AuditEntry>, StoreError> {
        let now = transaction.now();
        let sql = "UPDATE approvals SET state = 'denied', decided_at = $1, approver = $2, reason = $3 \
                   WHERE id = $4 AND state IN ('waiting', 'approved')";
        let values =
            [now.into(), Value::from(&self.approver), Value::from(&self.reason), Value::from(&approval.key)];
        transaction.execute(sql, &values).await?;
        let sql = "UPDATE approval_calls SET state = 'denied' WHERE approval = $1 AND used < allowed \
                   RETURNING session, '', source, operation, params, resolved";
        let rows = transaction.query(sql, &[Value::from(&approval.key)]).await?;
        let sql = "SELECT caller FROM approvals WHERE id = $1";
        let caller = transaction.query_one(sql, &[Value::from(&approval.key)]).await?;
        let caller = caller.map(|row| row.text(0)).transpose()?;
        let mut lines = Vec::new();
        for row in &rows {
            lines.push(AuditEntry {
                caller: caller.clone(),
                ..self.line(row, event::APPROVAL_REVOKED, approval)?
            });
        }
        Ok(lines)
    }

    fn line(&self, row: &Row, event: &str, revoked: &RunnableItem) -> Result<AuditEntry, StoreError> {
        let asker = Requester { session: row.text(0)?, caller: row.text(1)? };
        let call = CallKey {
            source: row.text(2)?,
            operation: row.text(3)?,
            params: row.text(4)?,
            resolved: row.text(5)?,
        };
        Ok(AuditEntry {
            token: Some(revoked.name.clone()),
            approver: Some(self.approver.clone()),
            detail: self.reason.clone(),
            ..AuditEntry::new(event, "success").by(&asker).about(&call)
        })
    }
}

/// What can still run something, of those that are meant.
async fn live<T: Transaction>(
    transaction: &mut T,
    what: &Revocation,
) -> Result<Vec<RunnableItem>, StoreError> {
    let begins_so = |key: &str| format!("substr({key}, 1, length(CAST($2 AS TEXT))) = CAST($2 AS TEXT)");
    let (token_is_meant, approval_is_meant, text) = match what {
        // Of a hash only the begin is a name.
        Revocation::Named(name) => {
            let is_name = format!("length(CAST($2 AS TEXT)) <= {}", secret::ID_LENGTH);
            (format!("{} AND {is_name}", begins_so("token")), begins_so("id"), name)
        }
        Revocation::Session(session) => {
            let is_of = "session = CAST($2 AS TEXT)".to_owned();
            (is_of.clone(), is_of, session)
        }
        Revocation::Caller(caller) => {
            let is_of = "caller = CAST($2 AS TEXT)".to_owned();
            (is_of.clone(), is_of, caller)
        }
    };
    let now = transaction.now();
    let values = [now.into(), Value::from(text)];
    let sql = format!(
        "SELECT DISTINCT token FROM confirmations \
         WHERE expires_at > CAST($1 AS BIGINT) AND used < allowed AND revoked_at IS NULL AND {token_is_meant} ORDER BY token"
    );
    let mut found = Vec::new();
    for row in transaction.query(&sql, &values).await? {
        let key = row.text(0)?;
        found.push(RunnableItem { name: secret::id_of_hash(&key), key, is_token: true });
    }
    let sql = format!(
        "SELECT id FROM approvals \
         WHERE expires_at > CAST($1 AS BIGINT) AND state IN ('waiting', 'approved') AND {approval_is_meant} ORDER BY id"
    );
    for row in transaction.query(&sql, &values).await? {
        let key = row.text(0)?;
        found.push(RunnableItem { name: key.clone(), key, is_token: false });
    }
    Ok(found)
}

impl Store {
    /// Takes back what an operator names; the reason is in the answer to a repeated call.
    pub async fn revoke(
        &self,
        what: Revocation,
        reason: Option<String>,
        approver: &str,
    ) -> Result<Revoked, StoreError> {
        self.perform(RevokeNow { what, reason, approver: approver.to_owned() }).await
    }
}
