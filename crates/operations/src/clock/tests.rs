//! Tests of `clock`.

use super::{earlier, iso8601, later, parse_moment};
use jiff::Timestamp;
use std::time::Duration;

/// C4.7.2-2: timestamps go out in UTC with the Z suffix.
#[test]
fn utc_with_z() {
    let moment: Timestamp = "2026-02-04T10:30:00+05:30".parse().unwrap();
    assert_eq!(iso8601(moment), "2026-02-04T05:00:00Z");
}

#[test]
fn moments_and_days() {
    let read = |text: &str| parse_moment(text).map(iso8601);
    assert_eq!(read("2026-02-04T10:30:00+05:30").as_deref(), Some("2026-02-04T05:00:00Z"));
    assert_eq!(read("2026-02-04").as_deref(), Some("2026-02-04T00:00:00Z"));
    for text in ["", "soon", "2026-02-30", "2026-02-04T10:30:00"] {
        assert_eq!(read(text), None, "{text}");
    }
}

/// A wait that a caller has set to any length ends at the last moment, and not in a panic.
#[test]
fn sums_stay_in_bounds() {
    let moment: Timestamp = "2026-02-04T05:00:00Z".parse().unwrap();
    let hour = Duration::from_secs(3600);
    assert_eq!(iso8601(later(moment, hour)), "2026-02-04T06:00:00Z");
    assert_eq!(iso8601(earlier(moment, hour)), "2026-02-04T04:00:00Z");
    for by in [Duration::from_secs(u64::from(u32::MAX) * 1_000), Duration::MAX] {
        assert_eq!(later(moment, by), Timestamp::MAX);
        assert_eq!(earlier(moment, by), Timestamp::MIN);
    }
}
