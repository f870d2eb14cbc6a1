//! Executions as the page shows them, from what the store knows of them.
//!
//! Rows of the store in; views out, with an error in one line. Results are left out.

use aqueduct_operations::execution::{ExecutionState, SavedExecution};
use aqueduct_store::executions::{ExecutionsOverview, OperatorCancelled};
use aqueduct_surface::operator_page::{ExecutionCancelled, ExecutionView, ExecutionsView};

/// All that are shown.
pub fn view(overview: ExecutionsOverview) -> ExecutionsView {
    let ExecutionsOverview { open, open_count, ended } = overview;
    ExecutionsView {
        open: open.into_iter().map(one).collect(),
        open_count,
        ended: ended.into_iter().map(one).collect(),
    }
}

/// What became of ending one.
pub fn cancelled(outcome: OperatorCancelled) -> ExecutionCancelled {
    match outcome {
        OperatorCancelled::Done(saved) => ExecutionCancelled::Done(one(*saved)),
        OperatorCancelled::TooLate(saved) => ExecutionCancelled::TooLate(one(*saved)),
        OperatorCancelled::Unknown => ExecutionCancelled::Unknown,
    }
}

fn one(SavedExecution { execution, .. }: SavedExecution) -> ExecutionView {
    let progress = execution.progress.as_ref();
    let number = |key: &str| progress.and_then(|progress| progress[key].as_f64());
    let message = progress.and_then(|progress| progress["message"].as_str());
    let error = execution.error.as_ref().filter(|_| execution.state() == ExecutionState::Failed);
    let error = error.map(|error| {
        let text = |key: &str| error[key].as_str().unwrap_or_default();
        format!("{}: {}", text("code"), text("message"))
    });
    ExecutionView {
        source: execution.spec.source.clone(),
        operation: execution.spec.operation.clone(),
        caller: execution.spec.owner.caller.clone().unwrap_or_else(|| "local".to_owned()),
        session: execution.spec.owner.session.clone(),
        state: execution.state(),
        status: execution.status().to_owned(),
        percentage: number("percentage"),
        counted: number("current").zip(number("total")),
        message: message.map(str::to_owned),
        error,
        created_at: execution.created_at(),
        asked_at: execution.asked_at,
        finished_at: execution.finished_at(),
        cancelled_by: execution.cancelled_by,
        stop: execution.stop,
        id: execution.spec.id,
    }
}
