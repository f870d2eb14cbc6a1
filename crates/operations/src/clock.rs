//! Time enters the program here and nowhere else.
//!
//! The binary passes `SystemClock`; tests pass one they can move.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use std::fmt::Debug;
use std::time::Duration;

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

/// Reads a moment in ISO 8601, or a day, which begins at midnight UTC.
pub fn parse_moment(text: &str) -> Option<Timestamp> {
    let day = || text.parse::<Date>().ok().filter(|_| text.len() == "2026-02-04".len());
    text.parse().ok().or_else(|| Some(day()?.to_zoned(TimeZone::UTC).ok()?.timestamp()))
}

/// A moment so much later, and never past the last one that can be written.
pub fn later(moment: Timestamp, by: Duration) -> Timestamp {
    let by = SignedDuration::try_from(by).unwrap_or(SignedDuration::MAX);
    moment.checked_add(by).unwrap_or(Timestamp::MAX)
}

/// A moment so much earlier, and never before the first one that can be written.
pub fn earlier(moment: Timestamp, by: Duration) -> Timestamp {
    let by = SignedDuration::try_from(by).unwrap_or(SignedDuration::MAX);
    moment.checked_sub(by).unwrap_or(Timestamp::MIN)
}

#[cfg(test)]
mod tests;
