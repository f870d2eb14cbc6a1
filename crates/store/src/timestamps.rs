//! Times that are reckoned with: never past the end of what a time can be.

use jiff::{SignedDuration, Timestamp};
use std::time::Duration;

/// So much later.
pub(crate) fn later(moment: Timestamp, by: Duration) -> Timestamp {
    let by = SignedDuration::try_from(by).unwrap_or(SignedDuration::MAX);
    moment.checked_add(by).unwrap_or(Timestamp::MAX)
}

/// So much earlier.
pub(crate) fn earlier(moment: Timestamp, by: Duration) -> Timestamp {
    let by = SignedDuration::try_from(by).unwrap_or(SignedDuration::MAX);
    moment.checked_sub(by).unwrap_or(Timestamp::MIN)
}
