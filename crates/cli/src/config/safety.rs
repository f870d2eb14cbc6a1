//! `[safety]`, `--safety` and `MCPAQL_SAFETY_LOOP`: whether agents are watched, and how far they may go.
//!
//! Flag and tree in, settings out. Flag, then environment, then file; off where none of them says something.

use crate::report::{CommandError, Exit};
use aqueduct_documents::node_cursor::NodeCursor;
use aqueduct_operations::autonomy::{AutonomySettings, SafetyMode};
use aqueduct_safety::safety_loop::{CHALLENGE_TTL, LoopSettings, ScorerHook};
use aqueduct_source_kind::autonomy;
use std::time::Duration;

const VARIABLE: &str = "MCPAQL_SAFETY_LOOP";

/// The settings of the loop.
pub(super) fn settings(flag: Option<&str>, root: &NodeCursor<'_>) -> Result<LoopSettings, CommandError> {
    let block = root.get("safety");
    let set = std::env::var_os(VARIABLE).map(|value| value.to_string_lossy().into_owned());
    let below = || set.filter(|text| !text.is_empty()).or_else(|| block.as_ref()?.owned_text("mode"));
    let chosen = flag.map(|text| (text.to_owned(), Exit::Invalid));
    let mode = match chosen.or_else(|| below().map(|text| (text, Exit::Configuration))) {
        None => SafetyMode::Disabled,
        Some((text, at_fault)) => SafetyMode::parse(&text).ok_or_else(|| {
            let message =
                format!("unknown safety mode '{text}'; use enforcing, monitoring, logging or disabled");
            CommandError::new(at_fault, message)
        })?,
    };
    let ttl = block.as_ref().and_then(|block| block.whole("challenge_ttl_seconds"));
    let settings = LoopSettings {
        mode,
        autonomy: block.as_ref().map_or_else(AutonomySettings::default, autonomy::read),
        scorer: block.as_ref().and_then(scorer),
        challenge_ttl: ttl.and_then(|ttl| u64::try_from(ttl).ok()).map_or(CHALLENGE_TTL, Duration::from_secs),
    };
    settings.check().map_err(|error| CommandError::configuration(format!("[safety] {error}")))?;
    Ok(settings)
}

/// A list of words, or one text with spaces between them.
fn scorer(block: &NodeCursor<'_>) -> Option<ScorerHook> {
    let hook = block.get("scorer_hook")?;
    let words: Vec<String> = match hook.node.text() {
        Some(text) => text.split_whitespace().map(str::to_owned).collect(),
        None => hook.elements().filter_map(|each| each.node.text().map(str::to_owned)).collect(),
    };
    ScorerHook::new(&words)
}

#[cfg(test)]
mod tests;
