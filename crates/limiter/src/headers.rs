//! What headers say of a limit: how many are left, and when they are there again. Nonsense says nothing.
//!
//! The headers of a response in; the units that are left and the time of the reset out.

use jiff::{SignedDuration, Timestamp};
use std::time::SystemTime;

/// Seconds since 1970 from which on a number is a moment and not a wait: the year 2001.
const MOMENTS_FROM: f64 = 1e9;

/// The same in milliseconds.
const MILLISECONDS_FROM: f64 = 1e12;

/// No limit waits longer than this.
const LONGEST: SignedDuration = SignedDuration::from_hours(32 * 24);

/// How many are left: a number that is not negative; of a fraction the whole ones.
pub(crate) fn remaining(text: &str) -> Option<u64> {
    let text = text.trim();
    let number: f64 = text.parse().ok()?;
    (number.is_finite() && (0.0..1e15).contains(&number)).then_some(number as u64)
}

/// When they are there again: seconds from now, seconds or milliseconds since 1970, or a date. Never in the past, nor far away.
pub(crate) fn reset(text: &str, now: Timestamp) -> Option<Timestamp> {
    let text = text.trim();
    let moment = match text.parse::<f64>() {
        Ok(number) if !number.is_finite() || number < 0.0 => return None,
        Ok(number) if number >= MILLISECONDS_FROM => Timestamp::from_millisecond(number as i64).ok()?,
        Ok(number) if number >= MOMENTS_FROM => Timestamp::from_millisecond((number * 1e3) as i64).ok()?,
        Ok(seconds) => now.checked_add(SignedDuration::try_from_secs_f64(seconds).ok()?).ok()?,
        Err(_) => date(text)?,
    };
    let wait = moment.duration_since(now);
    (wait > SignedDuration::from_secs(-60) && wait <= LONGEST).then_some(moment.max(now))
}

fn date(text: &str) -> Option<Timestamp> {
    if let Ok(moment) = text.parse() {
        return Some(moment);
    }
    let moment = httpdate::parse_http_date(text).ok()?;
    let since = moment.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    Timestamp::from_second(i64::try_from(since.as_secs()).ok()?).ok()
}
