//! `pins`: tools of MCP servers that are not what they were when they were first seen.
//!
//! Names in; what has changed, or what was approved, out. A server that is running takes an approval within seconds.

use crate::report::{self, Exit, Stop};
use crate::state;
use aqueduct_mcp_client::Pins;
use serde_json::Value;
use std::ffi::OsStr;

/// Shows what waits, or approves some of it.
pub fn pins(approve: &[String], state_dir: Option<&OsStr>) -> Result<Exit, Stop> {
    let io = |problem: String| Stop::new(Exit::Io, problem);
    let path = state::pins_file(state_dir).ok_or_else(|| {
        Stop::new(Exit::Configuration, "there is no directory for state; name one with --state-dir")
    })?;
    let mut pins = Pins::open(path).map_err(|error| io(error.to_string()))?;
    if approve.is_empty() {
        return show(&pins);
    }
    for wanted in approve {
        let (server, tool) = match wanted.split_once('/') {
            Some((server, tool)) => (server, Some(tool)),
            None => (wanted.as_str(), None),
        };
        let waiting: Vec<String> = pins.waiting().into_iter().map(|(key, ..)| key).collect();
        let keys = waiting.into_iter().filter(|key| is_of(key, server));
        let mut approved = Vec::new();
        for key in keys.collect::<std::collections::BTreeSet<_>>() {
            approved.extend(pins.approve(&key, tool).map_err(|error| io(error.to_string()))?);
        }
        if approved.is_empty() {
            return Err(Stop::new(Exit::Invalid, format!("nothing of '{wanted}' waits for approval")));
        }
        report::note(&format!("approved: {}", approved.join(", ")));
    }
    Ok(Exit::Done)
}

/// A server's name, with or without the mark of how it is reached.
fn is_of(key: &str, server: &str) -> bool {
    key == server || key.rsplit_once('@').is_some_and(|(name, _)| name == server)
}

fn show(pins: &Pins) -> Result<Exit, Stop> {
    let waiting = pins.waiting();
    if waiting.is_empty() {
        report::note("no tool waits for approval");
    }
    for (server, tool, before, now) in waiting {
        report::data(&report::harmless(&format!("{server}/{tool}")));
        for part in ["description", "inputSchema", "outputSchema", "annotations"] {
            let (old, new) = (&before[part], &now[part]);
            if old != new {
                report::data(&report::harmless(&format!("  {part} was: {}", shown(old))));
                report::data(&report::harmless(&format!("  {part} is:  {}", shown(new))));
            }
        }
    }
    Ok(Exit::Done)
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "(none)".to_owned(),
        other => other.to_string(),
    }
}
