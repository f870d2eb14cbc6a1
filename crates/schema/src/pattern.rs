//! Regular expressions, each compiled when it is first needed, once for all that say the same.
//!
//! The text of a pattern in; whether a text matches out, within the steps that a meter has. Patterns run in linear time;
//! one that looks around or back is given to an engine that backtracks, up to a limit, and only for short texts. A
//! pattern that is too large, or that no engine takes, is known by its verdict: nothing here fails.

mod engine;
mod size;

use crate::work::{Meter, WorkResult};
use engine::PatternEngine;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

/// Bytes of a pattern that is compiled.
pub const LONGEST_PATTERN: usize = 10_000;
/// Positions of a pattern times bytes of a text: what one match may take.
pub const MOST_WORK: u64 = 256_000_000;
/// What one step of a meter stands for in a match: most patterns need a fraction of the most that they could.
const WORK_IN_A_STEP: u64 = 32;
/// When the table has grown to this size, patterns that no one uses are dropped.
const SWEEP_AT: usize = 4_096;

/// How a pattern is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// As JSON Schema has it: that of ECMAScript.
    Ecma,
    /// As adapter files have it: that of the engine here.
    Plain,
}

/// A pattern.
#[derive(Clone)]
pub struct Pattern(Arc<PatternEntry>);

struct PatternEntry {
    text: Box<str>,
    dialect: Dialect,
    engine: OnceLock<PatternEngine>,
}

/// Whether a text matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PatternMatch {
    /// It does.
    Yes,
    /// It does not.
    No,
    /// The pattern is too large, or would take too long with this text.
    Undecided,
    /// It is no pattern that is known here.
    Unknown,
}

/// What keeps a pattern from being used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// It is no regular expression that runs in linear time, and why not.
    #[error("{0}")]
    Invalid(String),
    /// It is longer than is read, or its repetitions make it too large.
    #[error("the pattern is too large")]
    TooLarge,
}

type PatternTable = HashMap<(Box<str>, Dialect), Weak<PatternEntry>>;

static KNOWN: OnceLock<Mutex<PatternTable>> = OnceLock::new();

fn known() -> MutexGuard<'static, PatternTable> {
    KNOWN.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner)
}

impl Pattern {
    /// The pattern of this text, shared with all that use it.
    pub fn of(text: &str, dialect: Dialect) -> Pattern {
        let key = (Box::from(text), dialect);
        let mut known = known();
        if let Some(shared) = known.get(&key).and_then(Weak::upgrade) {
            return Pattern(shared);
        }
        if known.len() >= SWEEP_AT && known.len().is_power_of_two() {
            known.retain(|_, shared| shared.strong_count() > 0);
        }
        let shared = Arc::new(PatternEntry { text: text.into(), dialect, engine: OnceLock::new() });
        known.insert(key, Arc::downgrade(&shared));
        Pattern(shared)
    }

    /// A pattern as adapter files have it, looked at before it is used.
    pub fn checked(text: &str) -> Result<Pattern, PatternError> {
        let key = (Box::from(text), Dialect::Plain);
        if let Some(shared) = known().get(&key).and_then(Weak::upgrade) {
            return Ok(Pattern(shared));
        }
        engine::measure(text)?;
        Ok(Pattern::of(text, Dialect::Plain))
    }

    /// What keeps a pattern of JSON Schema from being used, by its text alone: nothing is compiled.
    pub fn fault(text: &str) -> Option<PatternError> {
        engine::fault(text)
    }

    /// Its text.
    pub fn as_str(&self) -> &str {
        &self.0.text
    }

    /// Whether this text matches somewhere.
    pub fn matches(&self, text: &str, meter: &Meter) -> WorkResult<PatternMatch> {
        let engine = match self.0.engine.get() {
            Some(engine) => engine,
            None => {
                // The first caller compiles it.
                meter.spend(500 + 4 * self.0.text.len() as u64)?;
                let engine = self.0.engine.get_or_init(|| PatternEngine::of(&self.0.text, self.0.dialect));
                meter.spend(engine.size() / 4)?;
                engine
            }
        };
        let work = engine.work(text);
        if work > MOST_WORK {
            return Ok(PatternMatch::Undecided);
        }
        meter.spend(work / WORK_IN_A_STEP)?;
        Ok(engine.matches(text))
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Pattern) -> bool {
        self.0.text == other.0.text && self.0.dialect == other.0.dialect
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Pattern").field(&self.as_str()).finish()
    }
}

#[cfg(test)]
mod tests;
