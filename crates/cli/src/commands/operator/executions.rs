//! `operator executions`: work of everybody that goes on after its call.
//!
//! In: the store. Out: one line for each execution, newest first, without results.

use super::super::pretty;
use super::passphrase::unlocked;
use crate::cli::{ExecutionsArgs, OutputFormat};
use crate::report::{self, CommandError, Exit, terminal_safe};
use crate::store::failed;
use aqueduct_operations::clock::iso8601;
use aqueduct_operations::execution::SavedExecution;
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

fn as_json(saved: &SavedExecution) -> Value {
    let execution = &saved.execution;
    let mut shown = execution.to_json();
    shown["source"] = execution.source.as_str().into();
    shown["operation"] = execution.operation.as_str().into();
    shown["caller"] = execution.owner.caller.as_deref().unwrap_or("local").into();
    shown["session"] = execution.owner.session.as_str().into();
    shown["created_at"] = iso8601(execution.created_at()).into();
    shown["followed_by"] = json!(saved.holder.as_ref().filter(|_| !execution.state().is_terminal()));
    shown
}

fn line(saved: &SavedExecution) -> String {
    let execution = &saved.execution;
    format!(
        "{}  {}  {:<10} {} {} by {}",
        iso8601(execution.created_at()),
        execution.id,
        execution.status(),
        execution.source,
        execution.operation,
        execution.owner.caller.as_deref().unwrap_or("local"),
    )
}
