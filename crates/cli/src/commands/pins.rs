//! `pins`: what of MCP servers is not what it was when it was first seen.
//!
//! Names in; what has changed, each with its mark, or what was approved, out. With a mark exactly what was shown is
//! approved. A server that is running takes an approval within seconds.

use crate::report::{self, CommandError, Exit};
use crate::state;
use aqueduct_mcp_client::{PendingPin, Pins, PinsError};
use serde_json::Value;
use std::ffi::OsStr;

/// Parts of definitions that people are shown.
const PARTS: [&str; 7] =
    ["title", "description", "inputSchema", "outputSchema", "annotations", "instructions", "server"];

/// Shows what waits, or approves some of it.
pub fn pins(approve: &[String], state_dir: Option<&OsStr>) -> Result<Exit, CommandError> {
    let path = state::pins_file(state_dir).ok_or_else(state::no_directory)?;
    let pins = Pins::new(path);
    if approve.is_empty() {
        return show(&pins);
    }
    for wanted in approve {
        let approved = pins.approve(|waiting| is_meant(waiting, wanted)).map_err(io)?;
        if approved.is_empty() {
            return Err(CommandError::invalid(format!("nothing of '{wanted}' waits for approval")));
        }
        for each in &approved {
            report::note(&report::terminal_safe(&format!("approved: {}", name(each))));
            differences(each).iter().for_each(|line| report::note(line));
        }
    }
    Ok(Exit::Done)
}

fn io(error: PinsError) -> CommandError {
    let advice = match error {
        PinsError::Damaged { .. } => "; repair it or move it away",
        PinsError::Unreadable { .. } | PinsError::Unwritable { .. } => "",
    };
    CommandError::io(format!("{error}{advice}"))
}

/// A server's name, with or without the mark of how it is reached; a tool of it, with or without the mark of what it is.
fn is_meant(waiting: &PendingPin, wanted: &str) -> bool {
    let PendingPin { server, name, mark, .. } = waiting;
    let bare = server.rsplit_once('@').map(|(bare, _)| bare);
    bare.into_iter().chain([server.as_str()]).any(|server| {
        let tool = wanted.strip_prefix(server).and_then(|rest| rest.strip_prefix('/'));
        let is_tool = |tool: &str| {
            let exactly = tool.rsplit_once('@').is_some_and(|(tool, given)| tool == name && given == mark);
            tool == name || exactly
        };
        wanted == server || tool.is_some_and(is_tool)
    })
}

fn name(waiting: &PendingPin) -> String {
    format!("{}/{}@{}", waiting.server, waiting.name, waiting.mark)
}

fn show(pins: &Pins) -> Result<Exit, CommandError> {
    let waiting = pins.waiting().map_err(io)?;
    if waiting.is_empty() {
        report::note("nothing waits for approval");
    }
    for each in waiting {
        report::data(&report::terminal_safe(&name(&each)));
        differences(&each).iter().for_each(|line| report::data(line));
    }
    Ok(Exit::Done)
}

/// In what it differs from what was approved, a line each.
fn differences(waiting: &PendingPin) -> Vec<String> {
    let PendingPin { before, now, .. } = waiting;
    let is_new = before.is_null();
    let mut lines: Vec<String> = is_new.then(|| "  is new".to_owned()).into_iter().collect();
    for part in PARTS.into_iter().filter(|part| before[part] != now[part]) {
        if !is_new {
            lines.push(report::terminal_safe(&format!("  {part} was: {}", shown(&before[part]))));
        }
        lines.push(report::terminal_safe(&format!("  {part} is:  {}", shown(&now[part]))));
    }
    lines
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "(none)".to_owned(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests;
