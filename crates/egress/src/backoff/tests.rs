//! Tests of `backoff`.

use super::Backoff;
use backon::BackoffBuilder;
use std::time::Duration;

const BACKOFF: Backoff = Backoff { first: Duration::from_millis(200), longest: Duration::from_secs(30) };

/// Waits double from the first to the longest and stay there, each up to a half shorter by chance.
#[test]
fn waits_double_up_to_the_longest() {
    let longest = [200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000];
    for (wait, longest) in BACKOFF.waits().zip(longest) {
        let wait = wait.as_millis();
        assert!((longest / 2..=longest).contains(&wait), "{wait} {longest}");
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
