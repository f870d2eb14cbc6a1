//! What the page shows of executions: work that goes on after its call.
//!
//! Messages and errors are the APIs' own words, and are escaped by the views. No result is in it.

use aqueduct_operations::execution::{CancelledBy, ExecutionState, JobStop};
use jiff::Timestamp;

/// Work that goes on, and what has ended last.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ExecutionsView {
    /// What goes on, oldest first.
    pub open: Vec<ExecutionView>,
    /// How many go on, those that are not in the list too.
    pub open_count: u64,
    /// What has ended, newest first.
    pub ended: Vec<ExecutionView>,
}

/// One execution.
#[derive(Debug, Clone, PartialEq)]
pub struct ExecutionView {
    /// Its id.
    pub id: String,
    /// The source.
    pub source: String,
    /// The operation's name in its source.
    pub operation: String,
    /// Who started it.
    pub caller: String,
    /// The session that started it.
    pub session: String,
    /// Its core state.
    pub state: ExecutionState,
    /// The state by the name that it has of its own.
    pub status: String,
    /// How far it is, from 0 to 100.
    pub percentage: Option<f64>,
    /// How much of how much is done.
    pub counted: Option<(f64, f64)>,
    /// What its job says about that.
    pub message: Option<String>,
    /// Why it failed.
    pub error: Option<String>,
    /// When it was called.
    pub created_at: Timestamp,
    /// When its job told something last.
    pub asked_at: Option<Timestamp>,
    /// When it ended.
    pub finished_at: Option<Timestamp>,
    /// Who has cancelled it, where it was neither its owner nor its API.
    pub cancelled_by: Option<CancelledBy>,
    /// Whether its API was told to end the job.
    pub stop: Option<JobStop>,
}

/// What became of ending an execution.
#[derive(Debug, Clone, PartialEq)]
pub enum ExecutionCancelled {
    /// It is cancelled.
    Done(ExecutionView),
    /// It had ended before.
    TooLate(ExecutionView),
    /// There is none.
    Unknown,
}

impl ExecutionsView {
    /// There is none, neither now nor lately.
    pub fn is_empty(&self) -> bool {
        self.open.is_empty() && self.ended.is_empty()
    }
}
