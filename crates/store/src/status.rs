//! How a store is: what `store status` shows, and whether it answers at all.
//!
//! Nothing in; counts of one state of the store out. It changes nothing.

use crate::error::StoreError;
use crate::migrations::known_version;
use crate::store::Store;
use crate::transaction::{StoreTask, Transaction};

/// How a store is.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct StoreStatus {
    /// `sqlite` or `postgres`.
    pub engine: &'static str,
    /// The version of its tables.
    pub version: i64,
    /// Tokens that can still be used.
    pub live_tokens: i64,
    /// Questions that wait for the operator.
    pub waiting_approvals: i64,
    /// Confirmed calls that run now.
    pub running_calls: i64,
    /// Callers with a good token.
    pub callers: i64,
    /// Whether the operator has a passphrase.
    pub has_passphrase: bool,
    /// Lines of the audit.
    pub audit_lines: i64,
    /// The last of them that is sealed.
    pub sealed_through: i64,
}

struct CountRows(&'static str);

impl StoreTask for CountRows {
    type Output = StoreStatus;
    const READS_ONLY: bool = true;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<StoreStatus, StoreError> {
        let now = transaction.now();
        let sql = "SELECT \
            (SELECT count(DISTINCT token) FROM confirmations \
             WHERE expires_at > $1 AND used < allowed AND revoked_at IS NULL), \
            (SELECT count(*) FROM approvals WHERE state = 'waiting' AND expires_at > $1), \
            (SELECT count(*) FROM started_calls), \
            (SELECT count(DISTINCT name) FROM callers \
             WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $1)), \
            (SELECT count(*) FROM operator), seq, sealed_seq FROM audit_head WHERE id = 1";
        let row = transaction.query_one(sql, &[now.into()]).await?;
        let row = row.ok_or_else(|| StoreError::Damaged("the end of the audit is missing".to_owned()))?;
        Ok(StoreStatus {
            engine: self.0,
            version: known_version(),
            live_tokens: row.int(0)?,
            waiting_approvals: row.int(1)?,
            running_calls: row.int(2)?,
            callers: row.int(3)?,
            has_passphrase: row.int(4)? > 0,
            audit_lines: row.int(5)?,
            sealed_through: row.int(6)?,
        })
    }
}

/// Asks for nothing.
#[derive(Debug)]
pub(crate) struct Ping;

impl StoreTask for Ping {
    type Output = ();
    const READS_ONLY: bool = true;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<(), StoreError> {
        transaction.query("SELECT 1", &[]).await.map(|_| ())
    }
}

impl Store {
    /// How the store is.
    pub async fn status(&self) -> Result<StoreStatus, StoreError> {
        self.perform(CountRows(self.engine_name())).await
    }

    /// Fails when the store cannot be reached.
    pub async fn ping(&self) -> Result<(), StoreError> {
        self.perform(Ping).await
    }
}
