//! Tests of `settings`.

use super::Backoff;
use std::time::Duration;

/// Waits double from the first to the longest and stay there, a little shorter by chance.
#[test]
fn waits_double_up_to_the_longest() {
    let backoff = Backoff::default();
    let waits: Vec<u128> = (1..=10).map(|n| backoff.wait(n, 0.0).as_millis()).collect();
    assert_eq!(waits, [200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000]);
    assert_eq!(backoff.wait(u32::MAX, 0.0), Duration::from_secs(30));
    assert_eq!(backoff.wait(1, 1.0), Duration::from_millis(150));
}
