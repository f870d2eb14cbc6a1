//! Tests of `warnings`.

use super::slow;
use std::time::Duration;

/// X-warn-9: low under twice the threshold, medium up to ten times, high beyond; nothing within it.
#[test]
fn how_slow() {
    let severity = |took: u64| {
        let warning = slow("get_x", Duration::from_millis(took), Duration::from_millis(100))?;
        assert_eq!(warning.message, format!("Operation took {took}ms (threshold: 100ms)"));
        warning.severity.map(aqueduct_operations::reply::WarningSeverity::name)
    };
    let found = [99, 100, 101, 199, 200, 1_000, 1_099, 1_100, 9_000].map(severity);
    let expected = [
        None,
        None,
        Some("low"),
        Some("low"),
        Some("medium"),
        Some("medium"),
        Some("medium"),
        Some("high"),
        Some("high"),
    ];
    assert_eq!(found, expected);
}
