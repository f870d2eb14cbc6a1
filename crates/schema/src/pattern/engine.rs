//! What runs a pattern: an engine of linear time, one that backtracks, or none.
//!
//! The text of a pattern in; an engine, and what a match with a text can take at most, out.

use super::size::{self, PatternSize};
use super::{Dialect, LONGEST_PATTERN, PatternError, PatternMatch};
use regex::{Regex, RegexBuilder};
use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};

/// Transitions of a pattern that is compiled: a class of all letters a few hundred times over.
const MOST_TRANSITIONS: u64 = 1_000_000;
/// Bytes of a compiled pattern.
const MOST_BYTES: usize = 32 * 1024 * 1024;
/// Transitions of all compiled patterns together: some hundred megabytes.
const MOST_IN_ALL: u64 = 8_000_000;
/// Bytes of the parts of a pattern that looks around, and of its text.
const MOST_LOOKING_BYTES: usize = 1024 * 1024;
const LONGEST_LOOKING: usize = 2_000;
/// Repetitions that a pattern that looks around may name, multiplied.
const MOST_REPETITIONS: u64 = 100_000;
/// Steps back that one match may take, with short texts and with longer ones.
const STEPS_BACK: usize = 100_000;
const STEPS_BACK_IN_LONG: usize = 2_000;
/// Bytes of short texts, and of the longest that is looked into.
const SHORT_TEXT: usize = 256;
const LONGEST_TEXT: usize = 10_000;

/// A pattern that can be run, or why it cannot.
pub(super) enum PatternEngine {
    Linear { regex: Regex, size: PatternSize, _share: MemoryShare },
    Looking { short: Box<fancy_regex::Regex>, long: Box<fancy_regex::Regex> },
    TooLarge,
    Unknown,
}

impl PatternEngine {
    pub(super) fn of(text: &str, dialect: Dialect) -> PatternEngine {
        if text.len() > LONGEST_PATTERN {
            return PatternEngine::TooLarge;
        }
        let text = match dialect {
            Dialect::Plain => Cow::Borrowed(text),
            Dialect::Ecma => match jsonschema_regex::to_rust_regex(text) {
                Ok(text) => text,
                Err(()) => return PatternEngine::Unknown,
            },
        };
        match (linear(&text), dialect) {
            (Ok(engine), _) => engine,
            (Err(PatternError::TooLarge), _) => PatternEngine::TooLarge,
            (Err(PatternError::Invalid(_)), Dialect::Ecma) => looking(&text),
            (Err(PatternError::Invalid(_)), Dialect::Plain) => PatternEngine::Unknown,
        }
    }

    /// How much memory it takes, in steps.
    pub(super) fn size(&self) -> u64 {
        match self {
            PatternEngine::Linear { size, .. } => size.transitions,
            PatternEngine::Looking { .. } => 10_000,
            PatternEngine::TooLarge | PatternEngine::Unknown => 0,
        }
    }

    /// What a match can take at most.
    pub(super) fn work(&self, text: &str) -> u64 {
        match self {
            PatternEngine::Linear { size, .. } => size.positions.saturating_mul(text.len() as u64),
            // Bounded by its own limits.
            PatternEngine::Looking { .. } => 32 * text.len().min(LONGEST_TEXT) as u64,
            PatternEngine::TooLarge | PatternEngine::Unknown => 0,
        }
    }

    pub(super) fn matches(&self, text: &str) -> PatternMatch {
        let decided = |matches: bool| if matches { PatternMatch::Yes } else { PatternMatch::No };
        match self {
            PatternEngine::Linear { regex, .. } => decided(regex.is_match(text)),
            PatternEngine::Looking { .. } if text.len() > LONGEST_TEXT => PatternMatch::Undecided,
            PatternEngine::Looking { short, long } => {
                let regex = if text.len() <= SHORT_TEXT { short } else { long };
                // The engine is known to panic with some patterns; one that does is not decided.
                let run = catch_unwind(AssertUnwindSafe(|| regex.is_match(text)));
                run.ok().and_then(Result::ok).map_or(PatternMatch::Undecided, decided)
            }
            PatternEngine::TooLarge => PatternMatch::Undecided,
            PatternEngine::Unknown => PatternMatch::Unknown,
        }
    }
}

/// What is wrong with a pattern in the engine's own dialect, by its syntax.
pub(super) fn measure(text: &str) -> Result<PatternSize, PatternError> {
    if text.len() > LONGEST_PATTERN {
        return Err(PatternError::TooLarge);
    }
    let tree =
        regex_syntax::parse(text).map_err(|error| PatternError::Invalid(reason(&error.to_string())))?;
    let size = size::of(&tree);
    if size.transitions > MOST_TRANSITIONS { Err(PatternError::TooLarge) } else { Ok(size) }
}

/// What will keep a pattern of JSON Schema from being used.
pub(super) fn fault(text: &str) -> Option<PatternError> {
    if text.len() > LONGEST_PATTERN {
        return Some(PatternError::TooLarge);
    }
    let unknown = || PatternError::Invalid("it is no pattern that is known here".to_owned());
    let Ok(text) = jsonschema_regex::to_rust_regex(text) else { return Some(unknown()) };
    match measure(&text) {
        Ok(_) => None,
        Err(PatternError::TooLarge) => Some(PatternError::TooLarge),
        Err(PatternError::Invalid(_)) if is_too_large_to_look(&text) => Some(PatternError::TooLarge),
        Err(PatternError::Invalid(_)) => fancy_regex::Expr::parse_tree(&text).err().map(|_| unknown()),
    }
}

/// True for a pattern that looks around and is not even tried.
fn is_too_large_to_look(text: &str) -> bool {
    text.len() > LONGEST_LOOKING || repetitions(text) > MOST_REPETITIONS
}

fn linear(text: &str) -> Result<PatternEngine, PatternError> {
    let size = measure(text)?;
    let share = MemoryShare::take(size.transitions).ok_or(PatternError::TooLarge)?;
    let regex = RegexBuilder::new(text).size_limit(MOST_BYTES).build();
    let regex = regex.map_err(|error| match error {
        regex::Error::CompiledTooBig(_) => PatternError::TooLarge,
        other => PatternError::Invalid(reason(&other.to_string())),
    })?;
    Ok(PatternEngine::Linear { regex, size, _share: share })
}

/// A share of what all compiled patterns may take, given back with its pattern.
pub(super) struct MemoryShare(u64);

static TAKEN: AtomicU64 = AtomicU64::new(0);

impl MemoryShare {
    fn take(transitions: u64) -> Option<MemoryShare> {
        let share = MemoryShare(transitions);
        let before = TAKEN.fetch_add(transitions, Ordering::Relaxed);
        (before.saturating_add(transitions) <= MOST_IN_ALL).then_some(share)
    }
}

impl Drop for MemoryShare {
    fn drop(&mut self) {
        TAKEN.fetch_sub(self.0, Ordering::Relaxed);
    }
}

fn looking(text: &str) -> PatternEngine {
    if is_too_large_to_look(text) {
        return PatternEngine::TooLarge;
    }
    let build = |steps: usize| {
        let mut builder = fancy_regex::RegexBuilder::new(text);
        builder.backtrack_limit(steps).delegate_size_limit(MOST_LOOKING_BYTES).build()
    };
    match (build(STEPS_BACK), build(STEPS_BACK_IN_LONG)) {
        (Ok(short), Ok(long)) => PatternEngine::Looking { short: Box::new(short), long: Box::new(long) },
        _ => PatternEngine::Unknown,
    }
}

/// The counts in braces, multiplied, whether they are in each other or not.
fn repetitions(text: &str) -> u64 {
    let counts = text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(inside, _)| {
        inside.split(',').filter_map(|count| count.trim().parse::<u64>().ok()).max().unwrap_or(1).max(1)
    });
    counts.fold(1, u64::saturating_mul)
}

/// The last line of what the parser says; the lines before show the pattern.
fn reason(message: &str) -> String {
    let last = message.lines().last().unwrap_or_default();
    last.trim_start_matches("error: ").to_owned()
}
