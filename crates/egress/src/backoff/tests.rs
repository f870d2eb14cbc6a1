//! Tests of `backoff`.

use super::Backoff;
use backon::BackoffBuilder;
use std::time::Duration;

const BACKOFF: Backoff = Backoff { first: Duration::from_millis(200), longest: Duration::from_secs(30) };

/// Waits double from the first to the longest and stay there, each up to twice as long by chance.
#[test]
fn waits_double_up_to_the_longest() {
    let at_least = [200, 400, 800, 1_600, 3_200, 6_400, 12_800, 15_000, 15_000, 15_000];
    for (wait, at_least) in BACKOFF.waits().zip(at_least) {
        let wait = wait.as_millis();
        assert!((at_least..=2 * at_least + 1).contains(&wait), "{wait} {at_least}");
    }
    assert!(BACKOFF.waits().skip(1_000).take(100).all(|wait| wait <= BACKOFF.longest));
}

#[test]
fn chance_differs() {
    let first: std::collections::BTreeSet<_> = (0..20).filter_map(|_| BACKOFF.waits().next()).collect();
    assert!(first.len() > 1, "{first:?}");
}

#[test]
fn retries_are_counted() {
    assert_eq!(BACKOFF.retries(3).build().count(), 3);
    assert_eq!(BACKOFF.retries(0).build().count(), 0);
}
