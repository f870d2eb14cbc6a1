//! Callers over HTTP: a name, scopes and an expiry behind a token of which only the hash is kept.
//!
//! A server reads all of them once, and again when the store tells of a change: no request asks the store. A token is looked up in
//! a time that does not depend on which hash it is close to.

use crate::approvals;
use crate::audit::chain;
use crate::audit::entry::{AuditEntry, event};
use crate::confirmations;
use crate::error::StoreError;
use crate::executions;
use crate::secret;
use crate::store::Store;
use crate::transaction::{StoreTask, Transaction};
use crate::value::{Row, Value};
use aqueduct_operations::clock::{earlier, later};
use jiff::Timestamp;
use secrecy::{ExposeSecret, SecretString};
use std::fmt;
use std::time::Duration;

/// How long an expired token is remembered, to distinguish "expired" from "unknown".
const MEMORY: Duration = Duration::from_secs(30 * 86_400);

/// A caller with a token that was not taken back.
#[derive(Clone, PartialEq, Eq)]
pub struct CallerRecord {
    /// The name.
    pub name: String,
    /// What it may do.
    pub scopes: Vec<String>,
    /// When the token was made.
    pub added_at: Timestamp,
    /// When it stops working, if ever.
    pub expires_at: Option<Timestamp>,
    token: String,
}

impl fmt::Debug for CallerRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CallerRecord { name, scopes, added_at, expires_at, token: _ } = self;
        let mut debug = f.debug_struct("CallerRecord");
        debug.field("name", name).field("scopes", scopes).field("added_at", added_at);
        debug.field("expires_at", expires_at).finish_non_exhaustive()
    }
}

impl CallerRecord {
    /// The SHA-256 of the token, in hexadecimal digits.
    pub fn sha256(&self) -> &str {
        &self.token
    }
}

/// All callers, as they were when they were read.
#[derive(Debug, Clone, Default)]
pub struct CallerRecords {
    known: Vec<CallerRecord>,
    were_ever_some: bool,
}

impl CallerRecords {
    /// The caller with this token, if it is good at this moment.
    pub fn find(&self, token: &SecretString, now: Timestamp) -> Option<&CallerRecord> {
        let hash = secret::hash(token.expose_secret());
        let mut found = None;
        for caller in &self.known {
            if secret::same(&caller.token, &hash) && caller.expires_at.is_none_or(|end| now < end) {
                found = Some(caller);
            }
        }
        found
    }

    /// All of them, by name.
    pub fn iter(&self) -> impl Iterator<Item = &CallerRecord> {
        self.known.iter()
    }

    /// Whether there was ever a caller, though all tokens may be revoked or expired by now.
    pub fn were_ever_some(&self) -> bool {
        self.were_ever_some
    }
}

/// A caller that is added.
#[derive(Debug, Clone)]
pub struct NewCaller {
    /// The name.
    pub name: String,
    /// What it may do.
    pub scopes: Vec<String>,
    /// How long the token works; for ever when nothing is said.
    pub lifetime: Option<Duration>,
    /// When the name is taken: how long its tokens work beside the new one. Without this, a name that is taken is refused.
    pub overlap: Option<Duration>,
}

/// Whether a caller was added.
#[derive(Debug)]
pub enum Added {
    /// Here is its token, which no reader sees again.
    Added(SecretString),
    /// There is one of that name.
    NameTaken,
}

struct Add {
    caller: NewCaller,
    token: SecretString,
    approver: String,
}

impl StoreTask for Add {
    type Output = Added;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<Added, StoreError> {
        let NewCaller { name, scopes, lifetime, overlap } = &self.caller;
        let now = transaction.now();
        // Two that take one name at once come one after the other.
        transaction.lock_schema().await?;
        let sql = "SELECT id FROM callers WHERE name = $1 AND revoked_at IS NULL \
                   AND (expires_at IS NULL OR expires_at > $2)";
        let is_taken = !transaction.query(sql, &[Value::from(name), now.into()]).await?.is_empty();
        match overlap {
            None if is_taken => return Ok(Added::NameTaken),
            Some(overlap) => {
                let sql = "UPDATE callers SET expires_at = $1 WHERE name = $2 AND revoked_at IS NULL \
                           AND (expires_at IS NULL OR expires_at > $1)";
                transaction.execute(sql, &[later(now, *overlap).into(), Value::from(name)]).await?;
            }
            None => {}
        }
        let sql = "INSERT INTO callers (id, name, token, scopes, added_at, expires_at) \
                   VALUES ($1, $2, $3, $4, $5, $6)";
        let values = [
            Value::from(uuid::Uuid::new_v4().to_string()),
            Value::from(name),
            secret::hash_of(&self.token).into(),
            serde_json::json!(scopes).to_string().into(),
            now.into(),
            lifetime.map(|lifetime| later(now, lifetime)).into(),
        ];
        transaction.execute(sql, &values).await?;
        transaction.notify().await?;
        let line = AuditEntry {
            approver: Some(self.approver.clone()),
            caller: Some(name.clone()),
            ..AuditEntry::new(event::CALLER_ADDED, "success")
        };
        chain::append(transaction, vec![line.because(format!("scopes: {}", scopes.join(" ")))]).await?;
        Ok(Added::Added(self.token.clone()))
    }
}

struct RevokeCaller {
    name: String,
    approver: String,
}

impl StoreTask for RevokeCaller {
    type Output = bool;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<bool, StoreError> {
        let now = transaction.now();
        let sql = "UPDATE callers SET revoked_at = $1 WHERE name = $2 AND revoked_at IS NULL";
        if transaction.execute(sql, &[now.into(), Value::from(&self.name)]).await? == 0 {
            return Ok(false);
        }
        // What the caller was given must not outlive its right to ask.
        let mut lines: Vec<AuditEntry> =
            confirmations::revoke_of_caller(transaction, &self.name).await?.into_iter().collect();
        lines.extend(approvals::withdraw_of_caller(transaction, &self.name).await?);
        executions::cancel_of_caller(transaction, &self.name).await?;
        transaction.notify().await?;
        let line = AuditEntry {
            approver: Some(self.approver.clone()),
            caller: Some(self.name.clone()),
            ..AuditEntry::new(event::CALLER_REVOKED, "success")
        };
        lines.insert(0, line);
        chain::append(transaction, lines).await?;
        Ok(true)
    }
}

struct ListCallers;

impl StoreTask for ListCallers {
    type Output = CallerRecords;
    const READS_ONLY: bool = true;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<CallerRecords, StoreError> {
        let now = transaction.now();
        let sql = "SELECT name, scopes, added_at, expires_at, token FROM callers WHERE revoked_at IS NULL \
                   AND (expires_at IS NULL OR expires_at > $1) ORDER BY name, added_at, id";
        let caller = |row: &Row| {
            Ok(CallerRecord {
                name: row.text(0)?,
                scopes: row.json(1)?,
                added_at: row.moment(2)?,
                expires_at: row.optional_moment(3)?,
                token: row.text(4)?,
            })
        };
        let rows = transaction.query(sql, &[earlier(now, MEMORY).into()]).await?;
        let known = rows.iter().map(caller).collect::<Result<_, _>>()?;
        let any = transaction.query_one("SELECT 1 FROM callers LIMIT 1", &[]).await?;
        Ok(CallerRecords { known, were_ever_some: any.is_some() })
    }
}

impl Store {
    /// Adds a caller, or gives one that is there a new token.
    pub async fn add_caller(&self, caller: NewCaller, approver: &str) -> Result<Added, StoreError> {
        let token = secret::generate("aq_")?;
        self.perform(Add { caller, token, approver: approver.to_owned() }).await
    }

    /// Takes all tokens of a caller back, and what it was given and has not used: confirmations and approvals; its executions end. False if it has none.
    pub async fn revoke_caller(&self, name: &str, approver: &str) -> Result<bool, StoreError> {
        self.perform(RevokeCaller { name: name.to_owned(), approver: approver.to_owned() }).await
    }

    /// The callers whose tokens were not taken back; those that have expired not long ago are among them.
    pub async fn callers(&self) -> Result<CallerRecords, StoreError> {
        self.perform(ListCallers).await
    }
}
