//! Refusals that come again and again: one line a minute for a session, a call and a rule, and a count.
//!
//! A line in; whether it is to be written out. What a person has answered is always written. Each caller has a bounded number of
//! different ones a minute, and what goes beyond it is a count of that caller: sessions that come and go, and parameters that are
//! always new, cannot make this grow without end, and take nothing from others.

use super::entry::{AuditEntry, event};
use jiff::{SignedDuration, Timestamp};
use std::collections::HashMap;

const WINDOW: SignedDuration = SignedDuration::from_secs(60);
/// The most refusals of one caller that are told apart at one time.
const MOST_OF_CALLER: usize = 1_000;

/// A line without what differs in two lines that are counted as one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Refusal(AuditEntry);

impl Refusal {
    fn of(line: &AuditEntry) -> Refusal {
        Refusal(AuditEntry { token: None, detail: None, ..line.clone() })
    }

    fn summary(&self, again: u64) -> AuditEntry {
        let why = format!("{} came {again} more times within a minute", self.0.event);
        AuditEntry { event: event::REPEATED.to_owned(), ..self.0.clone() }.because(why)
    }
}

#[derive(Debug)]
struct RepeatWindow {
    closes_at: Timestamp,
    again: u64,
}

/// What a caller has of the refusals that are told apart.
#[derive(Debug, Default)]
struct CallerShare {
    told_apart: usize,
    /// Those that are not, and until when they are counted together.
    beyond: Option<RepeatWindow>,
}

/// The refusals of the last minute.
#[derive(Debug, Default)]
pub(crate) struct Repeats {
    seen: HashMap<Refusal, RepeatWindow>,
    callers: HashMap<Option<String>, CallerShare>,
}

impl Repeats {
    /// Takes a line; true when it is to be written, false when it is counted.
    pub(crate) fn is_new(&mut self, line: &AuditEntry, now: Timestamp) -> bool {
        if line.approver.is_some() {
            return true;
        }
        let refusal = Refusal::of(line);
        if let Some(window) = self.seen.get_mut(&refusal) {
            window.again += 1;
            return false;
        }
        let window =
            || RepeatWindow { closes_at: now.saturating_add(WINDOW).unwrap_or(Timestamp::MAX), again: 0 };
        let share = self.callers.entry(line.caller.clone()).or_default();
        if share.told_apart >= MOST_OF_CALLER {
            share.beyond.get_or_insert_with(window).again += 1;
            return false;
        }
        share.told_apart += 1;
        self.seen.insert(refusal, window());
        true
    }

    /// Forgets what is a minute old; a line for each that came again, and for each caller of whom there were too many.
    pub(crate) fn closed(&mut self, now: Timestamp) -> Vec<AuditEntry> {
        let (mut lines, callers) = (Vec::new(), &mut self.callers);
        self.seen.retain(|refusal, window| {
            let is_open = window.closes_at > now;
            if !is_open {
                if let Some(share) = callers.get_mut(&refusal.0.caller) {
                    share.told_apart = share.told_apart.saturating_sub(1);
                }
                lines.extend((window.again > 0).then(|| refusal.summary(window.again)));
            }
            is_open
        });
        callers.retain(|caller, share| {
            if let Some(beyond) = share.beyond.take_if(|beyond| beyond.closes_at <= now) {
                let line =
                    AuditEntry { caller: caller.clone(), ..AuditEntry::new(event::LINES_DROPPED, "counted") };
                lines.push(
                    line.because(format!("{} more refusals within a minute have no line each", beyond.again)),
                );
            }
            share.told_apart > 0 || share.beyond.is_some()
        });
        lines
    }
}
