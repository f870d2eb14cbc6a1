//! Calls of the last hour, by minute and source: what the charts of the operator's page are made of.
//!
//! Finished calls in; counts of sixty minutes out. What is older is dropped when something new comes, so that its size is bounded.

use std::collections::{BTreeMap, VecDeque};

/// Minutes that are kept.
const MINUTES: i64 = 60;

/// Calls of one minute.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CallCount {
    /// All that ended.
    pub calls: u64,
    /// Those that failed.
    pub errors: u64,
}

/// The counts.
#[derive(Debug, Clone, Default)]
pub struct LastHour(VecDeque<Minute>);

#[derive(Debug, Clone, Default)]
struct Minute {
    number: i64,
    all: CallCount,
    by_source: BTreeMap<String, CallCount>,
}

impl LastHour {
    /// Counts a call that ended in this minute.
    pub fn add(&mut self, minute: i64, source: Option<&str>, is_error: bool) {
        self.0.retain(|each| each.number > minute - MINUTES);
        if self.0.back().is_none_or(|last| last.number != minute) {
            self.0.push_back(Minute { number: minute, ..Minute::default() });
        }
        let Some(last) = self.0.back_mut() else { return };
        last.all.add(is_error);
        if let Some(source) = source {
            match last.by_source.get_mut(source) {
                Some(count) => count.add(is_error),
                None => last.by_source.entry(source.to_owned()).or_default().add(is_error),
            }
        }
    }

    /// All calls, by minute.
    pub fn all(&self) -> impl Iterator<Item = (i64, CallCount)> {
        self.0.iter().map(|minute| (minute.number, minute.all))
    }

    /// The calls of a source, by minute.
    pub fn of_source(&self, source: &str) -> impl Iterator<Item = (i64, CallCount)> {
        self.0.iter().filter_map(move |minute| Some((minute.number, *minute.by_source.get(source)?)))
    }
}

impl CallCount {
    fn add(&mut self, is_error: bool) {
        self.calls += 1;
        self.errors += u64::from(is_error);
    }
}

#[cfg(test)]
mod tests;
