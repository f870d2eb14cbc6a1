//! Executions: jobs of APIs that go on after the call that started them, and which instance follows each.
//!
//! `changes` keeps them, each change on the condition that no one changed it meanwhile; `leases` says who may ask a job, or has to tell
//! that it is not wanted any more; `operator` has what an operator sees and ends. What an execution is, and which states follow each
//! other, is in `aqueduct_operations::execution`.

mod changes;
mod leases;
mod operator;
mod retention;

pub use operator::{ExecutionsOverview, OperatorCancelled};
pub(crate) use retention::{cancel_of_caller, tidy};

use crate::error::StoreError;
use crate::value::Row;
use aqueduct_operations::execution::{Execution, SavedExecution};

/// The columns of an execution, in the order of `saved_of`.
const COLUMNS: &str = "body, version, holder, result";

fn saved_of(row: &Row) -> Result<SavedExecution, StoreError> {
    let mut execution: Execution = row.json(0)?;
    execution.result = match row.optional_text(3)? {
        Some(_) => Some(row.json(3)?),
        None => None,
    };
    Ok(SavedExecution { execution, version: row.int(1)?, holder: row.optional_text(2)? })
}

fn body_of(execution: &Execution) -> Result<String, StoreError> {
    serde_json::to_string(execution)
        .map_err(|_| StoreError::Damaged("an execution cannot be written".to_owned()))
}
