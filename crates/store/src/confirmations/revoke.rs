//! Taking tokens back: one, or all of a session that ends.
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

/// Which tokens.
enum Revoke {
    /// The one with this hash, if it is of this session.
    One { hash: String, session: String },
    /// All of this session.
    Session(String),
}

impl StoreTask for Revoke {
    type Output = u64;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<u64, StoreError> {
        let now = Value::from(transaction.now());
        let (session, token, changed) = match self {
            Revoke::One { hash, session } => {
                let sql = "UPDATE confirmations SET revoked_at = $1 \
                           WHERE token = $2 AND session = $3 AND revoked_at IS NULL AND used < allowed";
                let values = [now, Value::from(&*hash), Value::from(&*session)];
                (session, Some(secret::id_of_hash(hash)), transaction.execute(sql, &values).await?)
            }
            Revoke::Session(session) => {
                let sql = "UPDATE confirmations SET revoked_at = $1 \
                           WHERE session = $2 AND revoked_at IS NULL AND used < allowed AND expires_at > $1";
                let values = [now, Value::from(&*session)];
                let changed = transaction.execute(sql, &values).await?;
                (session, None, changed)
            }
        };
        let line = AuditEntry {
            session: Some(session.clone()),
            token,
            ..AuditEntry::new(event::TOKEN_REVOKED, "success")
        };
        let lines =
            (changed > 0).then(|| line.because(format!("{changed} calls can no longer be confirmed")));
        chain::append(transaction, lines.into_iter().collect()).await?;
        Ok(changed)
    }
}

impl Store {
    /// Takes a token of this session back; true if it was good for something.
    pub async fn revoke_token(&self, token: &SecretString, session: &str) -> Result<bool, StoreError> {
        let hash = secret::hash(token.expose_secret());
        let changed = self.perform(Revoke::One { hash, session: session.to_owned() }).await?;
        Ok(changed > 0)
    }

    /// Takes all tokens of a session back.
    pub async fn revoke_tokens_of_session(&self, session: &str) -> Result<(), StoreError> {
        self.perform(Revoke::Session(session.to_owned())).await?;
        Ok(())
    }
}
