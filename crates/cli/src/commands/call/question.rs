//! The question put to the person at the terminal: which operation of which source, with which parameters, and why it asks.
//!
//! A call that needs a yes in; the token, or the failure without one, out. A token no one can use is never printed.

use crate::report;
use aqueduct_operations::failure::Failure;
use serde_json::Value;
use std::io::{BufRead, IsTerminal};

/// What the person said.
#[derive(Debug)]
pub enum PersonAnswer {
    /// Yes: the token that lets the call run.
    Yes(Value),
    /// No, or there is no one to say it: why the call did not run.
    No(Failure),
}

/// Asks on the terminal.
pub fn ask(needed: Failure) -> PersonAnswer {
    if let Some(id) = needed.details.get("approval_id").and_then(Value::as_str) {
        report::note(&format!(
            "an operator is asked: see 'aqueduct operator approvals', and run this call again after 'aqueduct operator approve {id}'"
        ));
        return PersonAnswer::No(needed);
    }
    if !std::io::stdin().is_terminal() {
        report::note(
            "this call needs a person's yes, and there is no terminal to ask on; run it in one, with nothing piped in",
        );
        let message =
            "A person must confirm this call, and there is no terminal to ask on. Run it in a terminal.";
        return PersonAnswer::No(without_token(needed, message));
    }
    report::question(&question(&needed));
    let mut line = String::new();
    let answered = std::io::stdin().lock().read_line(&mut line).is_ok();
    let is_yes = answered && ["y", "yes"].contains(&line.trim().to_lowercase().as_str());
    match needed.details.get("confirmation_token").filter(|_| is_yes) {
        Some(token) => PersonAnswer::Yes(token.clone()),
        None => {
            report::note("not confirmed; nothing was sent");
            PersonAnswer::No(without_token(needed, "The person did not confirm this call; nothing was sent."))
        }
    }
}

/// The failure as it is printed: the token is worth nothing once this process ends.
fn without_token(mut failure: Failure, message: &str) -> Failure {
    failure.message = message.to_owned();
    failure.confirmation = None;
    for useless in ["confirmation_token", "expires_at"] {
        failure.details.shift_remove(useless);
    }
    failure
}

/// What would run, as the failure describes it: sensitive values are hidden and long ones cut there already.
fn question(needed: &Failure) -> String {
    let text = |key: &str| needed.details.get(key).and_then(Value::as_str);
    let (operation, source) = (text("operation").unwrap_or_default(), text("source").unwrap_or_default());
    let mut lines = vec![format!("{operation} of {source} needs your yes.")];
    for (key, value) in needed.details.get("params").and_then(Value::as_object).into_iter().flatten() {
        match value {
            Value::Object(fields) if key == "input" => {
                lines.extend(fields.iter().map(|(field, value)| format!("  {key}.{field}: {value}")));
            }
            value => lines.push(format!("  {key}: {value}")),
        }
    }
    let reasons = needed.details.get("reasons").and_then(Value::as_array);
    let reasons: Vec<&str> = reasons.into_iter().flatten().filter_map(Value::as_str).collect();
    let own_words = text("confirmation_message").unwrap_or("Run this call?");
    lines.push(format!("{own_words} ({}) [y/N]", reasons.join("; ")));
    lines.iter().map(|line| report::terminal_safe(line)).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests;
