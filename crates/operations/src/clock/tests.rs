//! Tests of `clock`.

use super::iso8601;
use jiff::Timestamp;

/// C4.7.2-2: timestamps go out in UTC with the Z suffix.
#[test]
fn utc_with_z() {
    let moment: Timestamp = "2026-02-04T10:30:00+05:30".parse().unwrap();
    assert_eq!(iso8601(moment), "2026-02-04T05:00:00Z");
}
