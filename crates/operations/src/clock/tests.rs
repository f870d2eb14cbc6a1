//! Tests of `clock`.

use super::{iso8601, parse_moment};
use jiff::Timestamp;

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
