//! Taking tokens back: one, all of a session that ends, or all of a caller who may not ask any more.
//!
//! A token that is taken back stays known until it would have expired, so that its use is told from a guess.

use crate::audit::chain;
use crate::audit::entry::{AuditEntry, event};
use crate::error::StoreError;
use crate::secret;
use crate::store::Store;
use crate::transaction::{StoreTask, Transaction};
use crate::value::Value;
use secrecy::{ExposeSecret, SecretString};
use std::collections::BTreeMap;

/// Which tokens.
enum RevokeTokens {
    /// The one with this hash, if it is of this session.
    One { hash: String, session: String },
    /// All of this session.
    Session(String),
}

impl StoreTask for RevokeTokens {
    type Output = u64;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<u64, StoreError> {
        let now = Value::from(transaction.now());
        let (session, token, rows) = match self {
            RevokeTokens::One { hash, session } => {
                let sql = "UPDATE confirmations SET revoked_at = $1 \
                           WHERE token = $2 AND session = $3 AND revoked_at IS NULL AND used < allowed RETURNING caller";
                let values = [now, Value::from(&*hash), Value::from(&*session)];
                (session, Some(secret::id_of_hash(hash)), transaction.query(sql, &values).await?)
            }
            RevokeTokens::Session(session) => {
                let sql = "UPDATE confirmations SET revoked_at = $1 \
                           WHERE session = $2 AND revoked_at IS NULL AND used < allowed AND expires_at > $1 \
                           RETURNING caller";
                let values = [now, Value::from(&*session)];
                let rows = transaction.query(sql, &values).await?;
                (session, None, rows)
            }
        };
        let mut calls_of = BTreeMap::<String, u64>::new();
        for row in &rows {
            *calls_of.entry(row.text(0)?).or_default() += 1;
        }
        let lines = calls_of.iter().map(|(caller, changed)| {
            let line = AuditEntry {
                session: Some(session.clone()),
                caller: Some(caller.clone()),
                token: token.clone(),
                ..AuditEntry::new(event::TOKEN_REVOKED, "success")
            };
            line.because(format!("{changed} calls can no longer be confirmed"))
        });
        let lines = lines.collect();
        chain::append(transaction, lines).await?;
        Ok(calls_of.values().sum())
    }
}

/// Takes all tokens of a caller back; the line that says so, if there were some.
pub(crate) async fn revoke_of_caller<T: Transaction>(
    transaction: &mut T,
    caller: &str,
) -> Result<Option<AuditEntry>, StoreError> {
    let sql = "UPDATE confirmations SET revoked_at = $1 \
               WHERE caller = $2 AND revoked_at IS NULL AND used < allowed AND expires_at > $1";
    let values = [transaction.now().into(), Value::from(caller)];
    let changed = transaction.execute(sql, &values).await?;
    let line =
        AuditEntry { caller: Some(caller.to_owned()), ..AuditEntry::new(event::TOKEN_REVOKED, "success") };
    let why = format!("the caller was revoked; {changed} calls can no longer be confirmed");
    Ok((changed > 0).then(|| line.because(why)))
}

impl Store {
    /// Takes a token of this session back; true if it was good for something.
    pub async fn revoke_token(&self, token: &SecretString, session: &str) -> Result<bool, StoreError> {
        let hash = secret::hash(token.expose_secret());
        let changed = self.perform(RevokeTokens::One { hash, session: session.to_owned() }).await?;
        Ok(changed > 0)
    }

    /// Takes all tokens of a session back.
    pub async fn revoke_tokens_of_session(&self, session: &str) -> Result<(), StoreError> {
        self.perform(RevokeTokens::Session(session.to_owned())).await?;
        Ok(())
    }
}
