//! Lines of the audit that nobody waits for: refusals, which stay refusals whether they are written or not.
//!
//! They are kept here, in their order, until they are written, and written together: whoever is refused without end costs one
//! transaction for many lines. While the store is lost they wait. What goes beyond a bound is counted, and the count is a line.

use super::entry::{AuditEntry, event};
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The most lines that wait.
const MOST_WAITING: usize = 10_000;
/// The most lines of one transaction.
const MOST_AT_ONCE: usize = 256;

/// The lines that wait.
#[derive(Debug, Default)]
pub(crate) struct AuditNotes(Mutex<Waiting>);

#[derive(Debug, Default)]
struct Waiting {
    lines: VecDeque<AuditEntry>,
    dropped: u64,
    is_writing: bool,
}

impl AuditNotes {
    /// Keeps a line; true when somebody has to begin to write.
    pub(crate) fn add(&self, line: AuditEntry) -> bool {
        let mut waiting = self.lock();
        if waiting.lines.len() < MOST_WAITING {
            waiting.lines.push_back(line);
        } else {
            waiting.dropped += 1;
        }
        !std::mem::replace(&mut waiting.is_writing, true)
    }

    /// True when lines wait and nobody writes them.
    pub(crate) fn begin(&self) -> bool {
        let mut waiting = self.lock();
        let begins = !waiting.lines.is_empty() && !waiting.is_writing;
        waiting.is_writing |= begins;
        begins
    }

    /// The next lines to write; with none left, writing has ended.
    pub(crate) fn take(&self) -> Vec<AuditEntry> {
        let mut waiting = self.lock();
        let count = waiting.lines.len().min(MOST_AT_ONCE);
        let mut lines: Vec<AuditEntry> = waiting.lines.drain(..count).collect();
        if waiting.lines.is_empty() && waiting.dropped > 0 {
            let dropped = std::mem::take(&mut waiting.dropped);
            let line = AuditEntry::new(event::LINES_DROPPED, "failure");
            lines.push(line.because(format!("{dropped} refusals could not be written")));
        }
        waiting.is_writing = !lines.is_empty();
        lines
    }

    /// Puts lines back that could not be written; writing has ended.
    pub(crate) fn put_back(&self, lines: Vec<AuditEntry>) {
        let mut waiting = self.lock();
        for line in lines.into_iter().rev() {
            waiting.lines.push_front(line);
        }
        waiting.is_writing = false;
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
