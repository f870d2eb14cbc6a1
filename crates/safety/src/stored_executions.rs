//! Executions in a store: kept when a process is lost, and followed by one instance of several at a time.
//!
//! Records of `operations` in, rows of the store out, and back. The holder of the lease follows; no other instance writes.

use aqueduct_operations::execution::ledger::{Created, LedgerAnswer};
use aqueduct_operations::execution::{
    Execution, ExecutionLedger, ExecutionOwner, ExecutionSettings, LedgerUnavailable, SavedExecution,
};
use aqueduct_store::{Store, StoreError};

/// The executions of a store.
#[derive(Debug)]
pub struct StoredExecutions {
    /// The store.
    pub store: Store,
    /// What is set.
    pub settings: ExecutionSettings,
}

fn lost(error: StoreError) -> LedgerUnavailable {
    LedgerUnavailable(error.to_string())
}

impl ExecutionLedger for StoredExecutions {
    fn create<'a>(&'a self, execution: Execution, instance: &'a str) -> LedgerAnswer<'a, Created> {
        Box::pin(async move {
            self.store.create_execution(execution, instance, self.settings).await.map_err(lost)
        })
    }

    fn get<'a>(&'a self, id: &'a str) -> LedgerAnswer<'a, Option<SavedExecution>> {
        Box::pin(async move { self.store.execution(id).await.map_err(lost) })
    }

    fn of_owner<'a>(&'a self, owner: &'a ExecutionOwner) -> LedgerAnswer<'a, Vec<Execution>> {
        Box::pin(async move { self.store.executions_of(owner).await.map_err(lost) })
    }

    fn of_session<'a>(&'a self, session: &'a str) -> LedgerAnswer<'a, Vec<SavedExecution>> {
        Box::pin(async move { self.store.executions_of_session(session).await.map_err(lost) })
    }

    fn save<'a>(&'a self, changed: SavedExecution, instance: &'a str) -> LedgerAnswer<'a, bool> {
        Box::pin(
            async move { self.store.save_execution(changed, instance, self.settings).await.map_err(lost) },
        )
    }

    fn claim<'a>(
        &'a self,
        instance: &'a str,
        sources: &'a [String],
    ) -> LedgerAnswer<'a, Vec<SavedExecution>> {
        let lease = self.settings.lease;
        Box::pin(async move { self.store.claim_executions(instance, sources, lease).await.map_err(lost) })
    }

    fn unreported<'a>(
        &'a self,
        instance: &'a str,
        sources: &'a [String],
    ) -> LedgerAnswer<'a, Vec<SavedExecution>> {
        let lease = self.settings.lease;
        Box::pin(
            async move { self.store.unreported_executions(instance, sources, lease).await.map_err(lost) },
        )
    }

    fn renew<'a>(&'a self, id: &'a str, instance: &'a str) -> LedgerAnswer<'a, bool> {
        let lease = self.settings.lease;
        Box::pin(async move { self.store.renew_execution(id, instance, lease).await.map_err(lost) })
    }

    fn keep<'a>(&'a self, instance: &'a str) -> LedgerAnswer<'a, ()> {
        let lease = self.settings.lease;
        Box::pin(async move { self.store.keep_executions(instance, lease).await.map_err(lost) })
    }

    fn release<'a>(&'a self, instance: &'a str) -> LedgerAnswer<'a, ()> {
        Box::pin(async move { self.store.release_executions(instance).await.map_err(lost) })
    }
}
