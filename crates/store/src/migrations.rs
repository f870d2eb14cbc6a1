//! The tables and their versions: forward only, one at a time, and never back.
//!
//! Every program that opens a store brings it to the version that it knows, one after the other. It refuses a store that a newer
//! program has changed, and one whose audit was begun with another key.

use crate::error::StoreError;
use crate::secret;
use crate::transaction::{StoreTask, Transaction};
use crate::value::Value;

/// One text for each version, from the first on.
const MIGRATIONS: &[&str] = &[
    include_str!("../migrations/0001_base.sql"),
    include_str!("../migrations/0002_instances.sql"),
    include_str!("../migrations/0003_agents.sql"),
    include_str!("../migrations/0004_limits.sql"),
    include_str!("../migrations/0005_executions.sql"),
    include_str!("../migrations/0006_untold_executions.sql"),
    include_str!("../migrations/0007_agent_releases.sql"),
    include_str!("../migrations/0008_agent_keys.sql"),
];

const KEY_CHECK: &str = "audit_key_check";

/// The version that this program knows.
pub(crate) fn known_version() -> i64 {
    i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX)
}

/// What was done to the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Migrated {
    /// The version that was found; 0 for an empty store.
    pub from: i64,
    /// The version now.
    pub to: i64,
}

/// Brings the tables to the version that this program knows, and compares keys.
#[derive(Debug)]
pub(crate) struct Prepare;

impl StoreTask for Prepare {
    type Output = Migrated;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<Migrated, StoreError> {
        transaction.lock_schema().await?;
        let known = known_version();
        let found = version(transaction).await?;
        if found > known {
            return Err(StoreError::NewerSchema { found, known });
        }
        if found == 0 {
            let sql = "CREATE TABLE schema_versions (version BIGINT PRIMARY KEY, applied_at BIGINT NOT NULL)";
            transaction.script(sql).await?;
        }
        for (version, script) in (1..).zip(MIGRATIONS).skip(usize::try_from(found).unwrap_or_default()) {
            transaction.script(script).await?;
            let now = transaction.now();
            let sql = "INSERT INTO schema_versions (version, applied_at) VALUES ($1, $2)";
            transaction.execute(sql, &[Value::Int(version), now.into()]).await?;
        }
        compare_keys(transaction).await?;
        Ok(Migrated { from: found, to: known })
    }
}

/// Whether the audit of this store has a key already.
#[derive(Debug)]
pub(crate) struct HasKey;

impl StoreTask for HasKey {
    type Output = bool;
    const READS_ONLY: bool = true;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<bool, StoreError> {
        Ok(version(transaction).await? > 0 && key_check(transaction).await?.is_some())
    }
}

async fn version<T: Transaction>(transaction: &mut T) -> Result<i64, StoreError> {
    if !transaction.has_table("schema_versions").await? {
        return Ok(0);
    }
    let row = transaction.query_one("SELECT max(version) FROM schema_versions", &[]).await?;
    Ok(row.map(|row| row.optional_int(0)).transpose()?.flatten().unwrap_or_default())
}

async fn key_check<T: Transaction>(transaction: &mut T) -> Result<Option<String>, StoreError> {
    let row = transaction.query_one("SELECT value FROM meta WHERE name = $1", &[KEY_CHECK.into()]).await?;
    row.map(|row| row.text(0)).transpose()
}

async fn compare_keys<T: Transaction>(transaction: &mut T) -> Result<(), StoreError> {
    let ours = transaction.context().key()?.check();
    match key_check(transaction).await? {
        Some(theirs) if secret::same(&theirs, &ours) => Ok(()),
        Some(_) => Err(StoreError::KeyMismatch),
        None => {
            let sql = "INSERT INTO meta (name, value) VALUES ($1, $2)";
            transaction.execute(sql, &[KEY_CHECK.into(), ours.into()]).await?;
            Ok(())
        }
    }
}
