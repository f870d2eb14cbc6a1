//! Time enters the program here and nowhere else.
//!
//! The binary passes `SystemClock`; tests pass one they can move.

use jiff::Timestamp;
use std::fmt::Debug;

/// Tells what time it is.
pub trait Clock: Debug + Send + Sync {
    /// The present moment, UTC.
    fn now(&self) -> Timestamp;
}

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

/// Writes a moment as ISO 8601 in UTC with the `Z` suffix and whole seconds (core specification, section 4.7.2).
pub fn iso8601(moment: Timestamp) -> String {
    moment.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

#[cfg(test)]
mod tests;
