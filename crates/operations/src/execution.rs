//! Executions: jobs of an API that go on after the call that started them (core specification, section 8.4).
//!
//! `state_machine` has the states and what leads from one to the next, `record` one execution with what is known of it, `ledger`
//! the contract for keeping them. Pure; following a job is elsewhere.

pub mod ledger;
pub mod record;
pub mod settings;
pub mod state_machine;

pub use ledger::{ExecutionLedger, LedgerUnavailable, SavedExecution};
pub use record::{
    CancelledBy, Execution, ExecutionOwner, ExecutionSpec, ExecutionTimes, JobStop, Observation,
};
pub use settings::ExecutionSettings;
pub use state_machine::{ExecutionEvent, ExecutionState, IllegalTransition};
