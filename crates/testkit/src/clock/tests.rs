//! Tests of `clock`.

use super::TestClock;
use aqueduct_operations::clock::Clock;
use std::time::Duration;

#[test]
fn moves_only_when_told() {
    let clock = TestClock::default();
    assert_eq!(clock.now().to_string(), "2026-01-01T12:00:00Z");
    clock.clone().advance(Duration::from_secs(90));
    assert_eq!(clock.now().to_string(), "2026-01-01T12:01:30Z");
}
