//! What a person reads before a call, or a plan of calls, runs.
//!
//! What is shown of the calls in; one text out. What would run comes first, and the words of others last, each on a line of its own
//! that they cannot leave. Of a plan every call is there, or there is no question.

use crate::preview;
use aqueduct_operations::failure::wording::{abridged, shortened};
use aqueduct_operations::gatekeeper::{NeededConfirmation, PlannedCall};
use aqueduct_operations::sanitize::seen;
use serde_json::Value;

/// Characters of a question about one call.
const LONGEST_QUESTION: usize = 6_000;

/// Characters of a question about a plan.
const LONGEST_PLAN: usize = 20_000;

/// Calls of a plan that a person can look through, each with its share of the question.
const MOST_CALLS: usize = 100;

/// Characters that are shown of a value.
const LONGEST_VALUE: usize = 400;

/// Characters that are shown of what would be sent.
const LONGEST_REQUEST: usize = 1_000;

/// The question about one call.
pub fn about_call(shown: &Value, needed: &NeededConfirmation) -> String {
    let (operation, source) = (text(shown, "operation"), text(shown, "source"));
    let mut lines =
        vec![format!("Run {operation} of {source}? Its danger is {}.", needed.danger_level.name())];
    lines.extend(sends(shown).map(|sends| format!("It sends: {sends}")));
    lines.push(format!("You are asked because: {}", needed.reasons.join("; ")));
    lines.extend(needed.message.as_ref().map(|message| format!("The adapter says: {message}")));
    lines.extend(params(shown));
    let whole = on_their_lines(&lines);
    let cut = shortened(&whole, LONGEST_QUESTION);
    if cut == whole { whole } else { format!("{cut}\nThe call is longer than can be shown here.") }
}

/// The question about all calls of a plan; none when they are too many to be looked through.
pub fn about_plan(calls: &[PlannedCall<'_>]) -> Option<String> {
    if calls.len() > MOST_CALLS {
        return None;
    }
    let worst = calls.iter().map(PlannedCall::danger).max()?;
    let room = LONGEST_PLAN / calls.len();
    let mut blocks =
        vec![format!("Run all of these {} calls? The worst danger is {}.", calls.len(), worst.name())];
    for (number, call) in (1..).zip(calls) {
        let shown = call.shown();
        let (operation, source) = (text(&shown, "operation"), text(&shown, "source"));
        let mut lines = vec![format!("{number}. {operation} of {source} ({})", call.danger().name())];
        lines.extend(sends(&shown).map(|sends| format!("  It sends: {sends}")));
        lines.push(format!("  You are asked because: {}", call.reasons().join("; ")));
        lines.extend(call.message().map(|message| format!("  The adapter says: {message}")));
        lines.extend(params(&shown));
        blocks.push(abridged(&on_their_lines(&lines), room));
    }
    Some(blocks.join("\n"))
}

fn text<'s>(shown: &'s Value, key: &str) -> &'s str {
    shown[key].as_str().unwrap_or_default()
}

fn sends(shown: &Value) -> Option<String> {
    let sends = preview::in_words(&shown["request"]);
    (!sends.is_empty()).then(|| abridged(&sends, LONGEST_REQUEST))
}

fn params(shown: &Value) -> impl Iterator<Item = String> + '_ {
    let params = shown["params"].as_object().into_iter().flatten();
    params.map(|(name, value)| format!("  {name}: {}", abridged(&value.to_string(), LONGEST_VALUE)))
}

fn on_their_lines(lines: &[String]) -> String {
    let lines: Vec<String> = lines.iter().map(|line| line.chars().map(seen).collect()).collect();
    lines.join("\n")
}
