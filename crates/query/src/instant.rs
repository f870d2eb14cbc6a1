//! Moments in the text of an item: ISO 8601 dates and timestamps.
//!
//! Text in, an instant out, if the text is one. A date is its first moment, and without an offset both are read as
//! UTC.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

/// The instant that this text names: `2024-05-01`, `2024-05-01T10:00:00`, or with `Z` or an offset behind it.
pub(crate) fn instant(text: &str) -> Option<Timestamp> {
    if !starts_with_a_date(text.as_bytes()) {
        return None;
    }
    let civil = if text.len() == "2024-05-01".len() {
        text.parse::<Date>().ok()?.at(0, 0, 0, 0)
    } else if let Ok(timestamp) = text.parse::<Timestamp>() {
        return Some(timestamp);
    } else {
        text.parse::<DateTime>().ok()?
    };
    Some(civil.to_zoned(TimeZone::UTC).ok()?.timestamp())
}

/// Keeps `20240501`, which the parser would take for a date, a plain text; and spares most texts the parser.
fn starts_with_a_date(bytes: &[u8]) -> bool {
    bytes.len() >= 10
        && bytes[..10].iter().enumerate().all(|(index, byte)| match index {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}

#[cfg(test)]
mod tests;
