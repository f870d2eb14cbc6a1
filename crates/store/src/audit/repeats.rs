//! Refusals that come again and again: one line a minute for a session, an operation and a rule, and a count.
//!
//! A line in; whether it is to be written out. What a person has answered is always written. Sessions that come and go cannot make
//! this grow without end.

use super::entry::{AuditEntry, event};
use jiff::{SignedDuration, Timestamp};
use std::collections::HashMap;

const WINDOW: SignedDuration = SignedDuration::from_secs(60);
/// The most refusals that are told apart at one time.
const MOST: usize = 10_000;

/// What is the same in two lines that are counted as one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Refusal {
    event: String,
    outcome: String,
    session: Option<String>,
    caller: Option<String>,
    source: Option<String>,
    operation: Option<String>,
    rule: Option<String>,
}

#[derive(Debug)]
struct RepeatWindow {
    closes_at: Timestamp,
    again: u64,
}

/// Whether a line was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Repetition {
    /// It is to be written.
    New,
    /// It is counted.
    Again,
    /// There are too many different ones.
    TooMany,
}

/// The refusals of the last minute.
#[derive(Debug, Default)]
pub(crate) struct Repeats(HashMap<Refusal, RepeatWindow>);

impl Repeats {
    /// Takes a line.
    pub(crate) fn see(&mut self, line: &AuditEntry, now: Timestamp) -> Repetition {
        if line.approver.is_some() {
            return Repetition::New;
        }
        let refusal = Refusal {
            event: line.event.clone(),
            outcome: line.outcome.clone(),
            session: line.session.clone(),
            caller: line.caller.clone(),
            source: line.source.clone(),
            operation: line.operation.clone(),
            rule: line.rule.clone(),
        };
        if let Some(window) = self.0.get_mut(&refusal) {
            window.again += 1;
            return Repetition::Again;
        }
        if self.0.len() >= MOST {
            return Repetition::TooMany;
        }
        self.0.insert(
            refusal,
            RepeatWindow { closes_at: now.saturating_add(WINDOW).unwrap_or(Timestamp::MAX), again: 0 },
        );
        Repetition::New
    }

    /// Forgets what is a minute old; a line for each that came again.
    pub(crate) fn closed(&mut self, now: Timestamp) -> Vec<AuditEntry> {
        let mut lines = Vec::new();
        self.0.retain(|refusal, window| {
            let is_open = window.closes_at > now;
            if !is_open && window.again > 0 {
                lines.push(summary(refusal, window.again));
            }
            is_open
        });
        lines
    }
}

fn summary(refusal: &Refusal, again: u64) -> AuditEntry {
    AuditEntry {
        session: refusal.session.clone(),
        caller: refusal.caller.clone(),
        source: refusal.source.clone(),
        operation: refusal.operation.clone(),
        rule: refusal.rule.clone(),
        ..AuditEntry::new(event::REPEATED, &refusal.outcome)
    }
    .because(format!("{} came {again} more times within a minute", refusal.event))
}
