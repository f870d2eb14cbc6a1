//! Executions taken in, read, and changed on the condition that no one changed them meanwhile.
//!
//! A change in; whether it was made out. The state that is kept never makes a step that the table of the core specification does not
//! have: the version is compared in the same statement that writes.

use super::{COLUMNS, body_of, retention, saved_of};
use crate::error::StoreError;
use crate::store::Store;
use crate::transaction::{StoreTask, Transaction};
use crate::value::Value;
use aqueduct_operations::clock::later;
use aqueduct_operations::execution::ledger::Created;
use aqueduct_operations::execution::{Execution, ExecutionOwner, ExecutionSettings, JobStop, SavedExecution};

struct Create {
    execution: Execution,
    instance: String,
    settings: ExecutionSettings,
}

impl StoreTask for Create {
    type Output = Created;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<Created, StoreError> {
        let Create { execution, instance, settings } = &*self;
        let owner = execution.owner_key();
        let sql = "SELECT count(*) FROM executions WHERE owner = $1 AND state IN ('pending', 'running')";
        let open = transaction.query_one(sql, &[(&owner).into()]).await?;
        let open = open.map(|row| row.int(0)).transpose()?.unwrap_or_default();
        if u64::try_from(open).unwrap_or_default() >= settings.active_per_caller {
            return Ok(Created::TooMany { most: settings.active_per_caller });
        }
        retention::forget_surplus(transaction, &owner, settings.kept_per_caller).await?;
        let lease = later(transaction.now(), settings.lease);
        let sql = "INSERT INTO executions (id, owner, session, source, carries_on, state, version, body, created_at, gives_up_at, \
                   holder, lease_until) VALUES ($1, $2, $3, $4, $5, $6, 1, $7, $8, $9, $10, $11)";
        let values = [
            (&execution.spec.id).into(),
            owner.into(),
            (&execution.spec.owner.session).into(),
            (&execution.spec.source).into(),
            Value::Int(i64::from(execution.spec.carries_on)),
            execution.state().name().into(),
            body_of(execution)?.into(),
            execution.created_at().into(),
            execution.gives_up_at().into(),
            instance.into(),
            lease.into(),
        ];
        transaction.execute(sql, &values).await?;
        Ok(Created::Done)
    }
}

struct Get(String);

impl StoreTask for Get {
    type Output = Option<SavedExecution>;
    const READS_ONLY: bool = true;

    async fn run<T: Transaction>(
        &mut self,
        transaction: &mut T,
    ) -> Result<Option<SavedExecution>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM executions WHERE id = $1");
        transaction.query_one(&sql, &[(&self.0).into()]).await?.as_ref().map(saved_of).transpose()
    }
}

struct ExecutionsOfOwner(Vec<String>);

impl StoreTask for ExecutionsOfOwner {
    type Output = Vec<Execution>;
    const READS_ONLY: bool = true;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<Vec<Execution>, StoreError> {
        let places: Vec<String> = (1..=self.0.len()).map(|number| format!("${number}")).collect();
        let sql = format!(
            "SELECT body FROM executions WHERE owner IN ({}) ORDER BY created_at DESC, id DESC",
            places.join(", ")
        );
        let keys: Vec<Value> = self.0.iter().map(Value::from).collect();
        transaction.query(&sql, &keys).await?.iter().map(|row| row.json(0)).collect()
    }
}

struct ExecutionsOfSession(String);

impl StoreTask for ExecutionsOfSession {
    type Output = Vec<SavedExecution>;
    const READS_ONLY: bool = true;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<Vec<SavedExecution>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM executions WHERE session = $1 AND carries_on = 0 AND state IN ('pending', 'running')"
        );
        transaction.query(&sql, &[(&self.0).into()]).await?.iter().map(saved_of).collect()
    }
}

struct All;

impl StoreTask for All {
    type Output = Vec<SavedExecution>;
    const READS_ONLY: bool = true;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<Vec<SavedExecution>, StoreError> {
        let sql =
            "SELECT body, version, holder, NULL FROM executions ORDER BY created_at DESC, id DESC LIMIT 1000";
        transaction.query(sql, &[]).await?.iter().map(saved_of).collect()
    }
}

struct Save {
    changed: SavedExecution,
    instance: String,
    settings: ExecutionSettings,
}

impl StoreTask for Save {
    type Output = bool;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<bool, StoreError> {
        let Save { changed: SavedExecution { execution, version, .. }, instance, settings } = &*self;
        let result = execution.result.as_ref().map(ToString::to_string);
        let sql = "UPDATE executions SET state = $3, version = version + 1, body = $4, result = $5, finished_at = $6, gives_up_at = $7 \
                   WHERE id = $1 AND version = $2";
        let values = [
            (&execution.spec.id).into(),
            Value::Int(*version),
            execution.state().name().into(),
            body_of(execution)?.into(),
            Value::from(&result),
            execution.finished_at().into(),
            execution.gives_up_at().into(),
        ];
        if transaction.execute(sql, &values).await? == 0 {
            return Ok(false);
        }
        // An end gives its lease up, so that one that goes on again is followed by the instance that tries it again. One whose API is to be
        // told keeps it: its holder tells.
        if execution.state().is_terminal() && execution.stop == Some(JobStop::Due) {
            return Ok(true);
        }
        if execution.state().is_terminal() {
            let sql = "UPDATE executions SET lease_until = NULL WHERE id = $1";
            transaction.execute(sql, &[(&execution.spec.id).into()]).await?;
        } else {
            let lease = later(transaction.now(), settings.lease);
            let sql =
                "UPDATE executions SET holder = $2, lease_until = $3 WHERE id = $1 AND lease_until IS NULL";
            transaction.execute(sql, &[(&execution.spec.id).into(), instance.into(), lease.into()]).await?;
        }
        Ok(true)
    }
}

impl Store {
    /// Takes an execution in, which this instance follows.
    pub async fn create_execution(
        &self,
        execution: Execution,
        instance: &str,
        settings: ExecutionSettings,
    ) -> Result<Created, StoreError> {
        self.perform(Create { execution, instance: instance.to_owned(), settings }).await
    }

    /// The execution of this name.
    pub async fn execution(&self, id: &str) -> Result<Option<SavedExecution>, StoreError> {
        self.perform(Get(id.to_owned())).await
    }

    /// The executions of an owner, newest first, without their results.
    pub async fn executions_of(&self, owner: &ExecutionOwner) -> Result<Vec<Execution>, StoreError> {
        self.perform(ExecutionsOfOwner(owner.keys())).await
    }

    /// The executions of a session that end with it.
    pub async fn executions_of_session(&self, session: &str) -> Result<Vec<SavedExecution>, StoreError> {
        self.perform(ExecutionsOfSession(session.to_owned())).await
    }

    /// The newest executions of everybody, without their results: for the operator.
    pub async fn all_executions(&self) -> Result<Vec<SavedExecution>, StoreError> {
        self.perform(All).await
    }

    /// Writes a change of the version that was read; false when somebody else was first.
    pub async fn save_execution(
        &self,
        changed: SavedExecution,
        instance: &str,
        settings: ExecutionSettings,
    ) -> Result<bool, StoreError> {
        self.perform(Save { changed, instance: instance.to_owned(), settings }).await
    }
}
