//! What callers may see, and what they saw.
//!
//! Versions written and announced in, answers in, counts out.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

/// Examples of what went wrong that are kept.
const EXAMPLES: usize = 5;

/// Counts of one run.
#[derive(Debug, Default)]
pub struct Tally {
    written: AtomicU64,
    announced: AtomicU64,
    calls: AtomicU64,
    failures: AtomicU64,
    stale: AtomicU64,
    examples: Mutex<Vec<String>>,
}

impl Tally {
    /// A version is about to be written.
    pub fn write(&self, version: u64) {
        self.written.store(version, SeqCst);
    }

    /// A version was announced: calls that begin from now on get it, or a later one.
    pub fn announce(&self, version: u64) {
        self.announced.store(version, SeqCst);
    }

    /// The oldest version that a call which begins now may get.
    pub fn floor(&self) -> u64 {
        self.announced.load(SeqCst)
    }

    /// Judges the answer to a call that began when `floor` was the oldest version.
    pub fn judge(&self, floor: u64, answer: &str) {
        self.calls.fetch_add(1, SeqCst);
        match version_in(answer) {
            Some(version) if (floor..=self.written.load(SeqCst)).contains(&version) => {}
            Some(version) => {
                self.stale.fetch_add(1, SeqCst);
                self.keep(format!("version {version} after {floor} was announced"));
            }
            None => {
                self.failures.fetch_add(1, SeqCst);
                self.keep(answer.trim_end().to_owned());
            }
        }
    }

    fn keep(&self, example: String) {
        if let Ok(mut examples) = self.examples.lock()
            && examples.len() < EXAMPLES
        {
            examples.push(example);
        }
    }

    /// How many calls were made.
    pub fn calls(&self) -> u64 {
        self.calls.load(SeqCst)
    }

    /// How many of them failed.
    pub fn failures(&self) -> u64 {
        self.failures.load(SeqCst)
    }

    /// How many were answered by a version that they should not have got.
    pub fn stale(&self) -> u64 {
        self.stale.load(SeqCst)
    }

    /// Some of what went wrong.
    pub fn examples(&self) -> Vec<String> {
        self.examples.lock().map(|examples| examples.clone()).unwrap_or_default()
    }
}

/// The version that a successful answer names: the API answers with the path it was asked for.
fn version_in(answer: &str) -> Option<u64> {
    let (_, rest) = answer.split_once("/v/").filter(|_| answer.contains(r#"\"success\":true"#))?;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

#[cfg(test)]
mod tests;
