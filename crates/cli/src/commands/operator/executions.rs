//! `operator executions` and `cancel`: work of everybody that goes on after its call, and the end of it.
//!
//! In: the store. Out: one line for each execution, newest first, without results. What is ended counts as cancelled at once; its API is
//! told by the server that follows it.

use super::super::pretty;
use super::passphrase::{OPERATOR, unlocked};
use crate::cli::{CancelArgs, ExecutionsArgs, OutputFormat};
use crate::report::{self, CommandError, Exit, terminal_safe};
use crate::store::failed;
use aqueduct::store::executions::OperatorCancelled;
use aqueduct_operations::clock::iso8601;
use aqueduct_operations::execution::{ExecutionState, SavedExecution};
use serde_json::{Value, json};

/// Shows executions.
pub async fn show(args: &ExecutionsArgs) -> Result<Exit, CommandError> {
    let store = unlocked(&args.operator).await?;
    let all = store.all_executions().await.map_err(failed)?;
    if args.format == OutputFormat::Json {
        report::data(&pretty(&all.iter().map(as_json).collect::<Value>()));
        return Ok(Exit::Done);
    }
    let lines: Vec<String> = all.iter().map(|saved| terminal_safe(&line(saved))).collect();
    if lines.is_empty() {
        report::note("there is no execution");
    } else {
        report::data(&lines.join("\n"));
    }
    Ok(Exit::Done)
}

/// Ends one.
pub async fn cancel(args: &CancelArgs) -> Result<Exit, CommandError> {
    let store = unlocked(&args.operator).await?;
    let refused = match store.cancel_execution(&args.id, OPERATOR).await.map_err(failed)? {
        OperatorCancelled::Done(saved) if saved.execution.has_job() => {
            report::note("it is cancelled; the server that follows it tells its API, and the audit has it");
            return Ok(Exit::Done);
        }
        OperatorCancelled::Done(_) => {
            report::note("it is cancelled, before its job was started; the audit has it");
            return Ok(Exit::Done);
        }
        OperatorCancelled::TooLate(saved) => format!("it is {} already", saved.execution.state().name()),
        OperatorCancelled::Unknown => {
            "there is no execution of that name; see 'aqueduct operator executions'".to_owned()
        }
    };
    Err(CommandError::invalid(refused))
}

fn as_json(saved: &SavedExecution) -> Value {
    let execution = &saved.execution;
    let mut shown = execution.to_json();
    shown["source"] = execution.spec.source.as_str().into();
    shown["operation"] = execution.spec.operation.as_str().into();
    shown["caller"] = execution.spec.owner.caller.as_deref().unwrap_or("local").into();
    shown["session"] = execution.spec.owner.session.as_str().into();
    shown["created_at"] = iso8601(execution.created_at()).into();
    shown["asked_at"] = json!(execution.asked_at.map(iso8601));
    shown["cancelled_by"] = json!(execution.cancelled_by);
    shown["job_stop"] = json!(execution.stop);
    shown["followed_by"] = json!(saved.holder.as_ref().filter(|_| !execution.state().is_terminal()));
    shown
}

fn line(saved: &SavedExecution) -> String {
    let execution = &saved.execution;
    let mut line = format!(
        "{}  {}  {:<10} {} {} by {}",
        iso8601(execution.created_at()),
        execution.spec.id,
        execution.status(),
        execution.spec.source,
        execution.spec.operation,
        execution.spec.owner.caller.as_deref().unwrap_or("local"),
    );
    let progress = |key: &str| execution.progress.as_ref().map(|progress| progress[key].clone());
    if let Some(percentage) = progress("percentage").and_then(|share| share.as_f64()) {
        line.push_str(&format!(", {percentage} %"));
    }
    let why = execution.error.as_ref().filter(|_| execution.state() == ExecutionState::Failed);
    if let Some(why) = why.and_then(|error| error["message"].as_str()) {
        line.push_str(&format!(": {why}"));
    }
    line
}
