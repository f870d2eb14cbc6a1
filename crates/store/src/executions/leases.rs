//! Who follows an execution: an instance has a lease, keeps it while it runs, and loses it when it is not heard of.
//!
//! Each step is one conditional update, so that one instance at a time asks a job.

use super::{COLUMNS, saved_of};
use crate::error::StoreError;
use crate::store::Store;
use crate::transaction::{StoreTask, Transaction};
use crate::value::Value;
use aqueduct_operations::clock::later;
use aqueduct_operations::execution::SavedExecution;
use std::time::Duration;

/// How many are taken over at once.
const MOST: usize = 100;

struct ClaimLeases {
    instance: String,
    sources: Vec<String>,
    lease: Duration,
}

impl StoreTask for ClaimLeases {
    type Output = Vec<SavedExecution>;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<Vec<SavedExecution>, StoreError> {
        let (now, until) = (transaction.now(), later(transaction.now(), self.lease));
        let sql = "SELECT id, source FROM executions WHERE state IN ('pending', 'running') AND (lease_until IS NULL OR lease_until <= $1) \
                   ORDER BY created_at LIMIT 1000";
        let mut ids = Vec::new();
        for row in transaction.query(sql, &[now.into()]).await? {
            if self.sources.contains(&row.text(1)?) {
                ids.push(row.text(0)?);
            }
        }
        let mut claimed = Vec::new();
        for id in ids.into_iter().take(MOST) {
            let sql = format!("SELECT {COLUMNS} FROM executions WHERE id = $1");
            let Some(before) = transaction.query_one(&sql, &[(&id).into()]).await? else { continue };
            let sql = "UPDATE executions SET holder = $2, lease_until = $3 WHERE id = $1 AND state IN ('pending', 'running') \
                       AND (lease_until IS NULL OR lease_until <= $4)";
            let values = [(&id).into(), (&self.instance).into(), until.into(), now.into()];
            if transaction.execute(sql, &values).await? == 1 {
                claimed.push(saved_of(&before)?);
            }
        }
        Ok(claimed)
    }
}

/// Takes ended executions whose API is to be told so: one's own, and those of an instance that is lost.
struct ClaimUnreported {
    instance: String,
    sources: Vec<String>,
    lease: Duration,
}

impl StoreTask for ClaimUnreported {
    type Output = Vec<SavedExecution>;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<Vec<SavedExecution>, StoreError> {
        let (now, until) = (transaction.now(), later(transaction.now(), self.lease));
        let sql = format!(
            "SELECT {COLUMNS}, id, source FROM executions WHERE state NOT IN ('pending', 'running') AND lease_until IS NOT NULL \
             AND (holder = $1 OR lease_until <= $2) ORDER BY lease_until LIMIT {MOST}"
        );
        let mut unreported = Vec::new();
        for row in transaction.query(&sql, &[(&self.instance).into(), now.into()]).await? {
            let (id, source) = (row.text(4)?, row.text(5)?);
            if !self.sources.contains(&source) {
                continue;
            }
            let sql = "UPDATE executions SET holder = $2, lease_until = $3 WHERE id = $1 AND lease_until IS NOT NULL \
                       AND (holder = $2 OR lease_until <= $4)";
            let values = [(&id).into(), (&self.instance).into(), until.into(), now.into()];
            if transaction.execute(sql, &values).await? == 1 {
                unreported.push(saved_of(&row)?);
            }
        }
        Ok(unreported)
    }
}

/// Keeps the lease of one execution, or of all.
struct Renew {
    instance: String,
    id: Option<String>,
    lease: Duration,
}

impl StoreTask for Renew {
    type Output = bool;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<bool, StoreError> {
        let (now, until) = (transaction.now(), later(transaction.now(), self.lease));
        let sql = "UPDATE executions SET lease_until = $3 WHERE holder = $1 AND lease_until > $2 AND state IN ('pending', 'running')";
        let mut values: Vec<Value> = vec![(&self.instance).into(), now.into(), until.into()];
        let sql = match &self.id {
            Some(id) => {
                values.push(id.into());
                format!("{sql} AND id = $4")
            }
            None => sql.to_owned(),
        };
        Ok(transaction.execute(&sql, &values).await? > 0)
    }
}

struct ReleaseLeases(String);

impl StoreTask for ReleaseLeases {
    type Output = ();

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<(), StoreError> {
        let sql = "UPDATE executions SET lease_until = 0 WHERE holder = $1 AND lease_until IS NOT NULL";
        transaction.execute(sql, &[(&self.0).into()]).await.map(drop)
    }
}

impl Store {
    /// Takes over executions of these sources that no instance follows; each with the instance that followed it before.
    pub async fn claim_executions(
        &self,
        instance: &str,
        sources: &[String],
        lease: Duration,
    ) -> Result<Vec<SavedExecution>, StoreError> {
        self.perform(ClaimLeases { instance: instance.to_owned(), sources: sources.to_vec(), lease }).await
    }

    /// Takes ended executions of these sources whose API is to be told so.
    pub async fn unreported_executions(
        &self,
        instance: &str,
        sources: &[String],
        lease: Duration,
    ) -> Result<Vec<SavedExecution>, StoreError> {
        self.perform(ClaimUnreported { instance: instance.to_owned(), sources: sources.to_vec(), lease })
            .await
    }

    /// Keeps the lease of one execution; false when it is lost.
    pub async fn renew_execution(
        &self,
        id: &str,
        instance: &str,
        lease: Duration,
    ) -> Result<bool, StoreError> {
        self.perform(Renew { instance: instance.to_owned(), id: Some(id.to_owned()), lease }).await
    }

    /// Keeps all leases of an instance that are not lost.
    pub async fn keep_executions(&self, instance: &str, lease: Duration) -> Result<(), StoreError> {
        self.perform(Renew { instance: instance.to_owned(), id: None, lease }).await.map(drop)
    }

    /// Gives up all leases of an instance.
    pub async fn release_executions(&self, instance: &str) -> Result<(), StoreError> {
        self.perform(ReleaseLeases(instance.to_owned())).await
    }
}
