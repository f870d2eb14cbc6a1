//! Lines of the audit that no caller waits for: refusals, which stay refusals whether they are written or not, and ends of calls.
//!
//! They are kept here, in their order, until they are written, and written together: a caller that is refused without end costs one
//! transaction for many lines. While the store is lost they wait. Of refusals, what goes beyond a bound is counted, and the count is
//! a line of the caller whose they were; none has its place taken by those of others. Ends are all kept, and are as few as calls were
//! confirmed.

use super::chain;
use super::entry::{AuditEntry, event};
use super::repeats::Repeats;
use crate::error::StoreError;
use crate::started_calls::EndedCall;
use crate::transaction::{StoreTask, Transaction};
use jiff::Timestamp;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The most refusals that wait, of callers who have more than their own share.
const MOST_WAITING: usize = 10_000;
/// How many may wait of every caller, however many wait of others.
const SHARE_OF_CALLER: usize = 1_000;
/// The most lines of one transaction.
const MOST_AT_ONCE: usize = 256;

/// A line that waits.
#[derive(Debug, Clone)]
pub(crate) enum PendingLine {
    Note(AuditEntry),
    End(EndedCall),
}

/// The lines that wait.
#[derive(Debug, Default)]
pub(crate) struct PendingLines(Mutex<Waiting>);

#[derive(Debug, Default)]
struct Waiting {
    lines: VecDeque<PendingLine>,
    /// How many of the lines are refusals of a caller.
    notes_of: HashMap<Option<String>, usize>,
    repeats: Repeats,
    /// How many refusals of a caller found no place.
    dropped: BTreeMap<Option<String>, u64>,
    is_writing: bool,
}

impl Waiting {
    fn add_note(&mut self, line: AuditEntry) {
        let own = self.notes_of.get(&line.caller).copied().unwrap_or(0);
        if self.lines.len() < MOST_WAITING || own < SHARE_OF_CALLER {
            self.count(&line);
            self.lines.push_back(PendingLine::Note(line));
        } else {
            *self.dropped.entry(line.caller).or_default() += 1;
        }
    }

    fn count(&mut self, line: &AuditEntry) {
        *self.notes_of.entry(line.caller.clone()).or_default() += 1;
    }

    fn forget(&mut self, line: &AuditEntry) {
        if let Some(own) = self.notes_of.get_mut(&line.caller) {
            *own = own.saturating_sub(1);
            if *own == 0 {
                self.notes_of.remove(&line.caller);
            }
        }
    }

    /// True when somebody has to begin to write.
    fn begin(&mut self) -> bool {
        let has_lines = !self.lines.is_empty() || !self.dropped.is_empty();
        has_lines && !std::mem::replace(&mut self.is_writing, true)
    }
}

impl PendingLines {
    /// Keeps a refusal, unless the same one was kept within the last minute; true when somebody has to begin to write.
    pub(crate) fn note(&self, line: AuditEntry, now: Timestamp) -> bool {
        let mut waiting = self.lock();
        for summary in waiting.repeats.closed(now) {
            waiting.add_note(summary);
        }
        if waiting.repeats.is_new(&line, now) {
            waiting.add_note(line);
        }
        waiting.begin()
    }

    /// Keeps the end of a call; true when somebody has to begin to write.
    pub(crate) fn end(&self, ended: EndedCall) -> bool {
        let mut waiting = self.lock();
        waiting.lines.push_back(PendingLine::End(ended));
        waiting.begin()
    }

    /// True when lines wait and no one writes them. What was repeated up to this moment is told by then.
    pub(crate) fn begin(&self, now: Timestamp) -> bool {
        let mut waiting = self.lock();
        for summary in waiting.repeats.closed(now) {
            waiting.add_note(summary);
        }
        waiting.begin()
    }

    /// The next lines to write; with none left, writing has ended.
    pub(crate) fn take(&self) -> Vec<PendingLine> {
        let mut waiting = self.lock();
        let count = waiting.lines.len().min(MOST_AT_ONCE);
        let mut lines: Vec<PendingLine> = waiting.lines.drain(..count).collect();
        if waiting.lines.is_empty() {
            for (caller, dropped) in std::mem::take(&mut waiting.dropped) {
                let line = AuditEntry { caller, ..AuditEntry::new(event::LINES_DROPPED, "failure") };
                lines.push(PendingLine::Note(
                    line.because(format!("{dropped} refusals could not be written")),
                ));
            }
        }
        for line in &lines {
            if let PendingLine::Note(line) = line {
                waiting.forget(line);
            }
        }
        waiting.is_writing = !lines.is_empty();
        lines
    }

    /// Puts lines back that could not be written; writing has ended.
    pub(crate) fn put_back(&self, lines: Vec<PendingLine>) {
        let mut waiting = self.lock();
        for line in lines.into_iter().rev() {
            if let PendingLine::Note(line) = &line {
                waiting.count(line);
            }
            waiting.lines.push_front(line);
        }
        waiting.is_writing = false;
    }

    /// How many wait.
    pub(crate) fn len(&self) -> usize {
        self.lock().lines.len()
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes lines that waited.
#[derive(Debug)]
pub(crate) struct WritePending(pub Vec<PendingLine>);

impl StoreTask for WritePending {
    type Output = ();

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<(), StoreError> {
        let key = transaction.context().key()?.clone();
        let mut lines = Vec::with_capacity(self.0.len());
        for line in &self.0 {
            match line {
                PendingLine::Note(entry) => lines.push(entry.clone().keyed(&key)),
                PendingLine::End(ended) => lines.extend(ended.line(transaction).await?),
            }
        }
        chain::append(transaction, lines).await
    }
}
