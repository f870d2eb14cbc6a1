//! Executions in the store of this process: an instance of its own name, which it has for as long as it runs.

use aqueduct_dispatch::Executions;
use aqueduct_operations::execution::ExecutionSettings;
use aqueduct_safety::stored_executions::StoredExecutions;
use aqueduct_store::Store;
use std::sync::Arc;
use uuid::Uuid;

/// The executions of a store.
pub(crate) fn stored(store: Store, settings: ExecutionSettings) -> Executions {
    let ledger = Arc::new(StoredExecutions { store, settings });
    Executions::new(ledger, settings, Uuid::new_v4().to_string())
}
