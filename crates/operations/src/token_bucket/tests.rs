//! Tests of `token_bucket`.

use super::{MAX_KEYS, TokenBuckets};
use std::time::Duration;

#[test]
fn buckets_are_bounded() {
    let buckets = TokenBuckets::new(1.0, 2.0);
    for number in 0..MAX_KEYS * 3 {
        assert!(buckets.take(number, Duration::ZERO));
        assert!(buckets.buckets.lock().unwrap().len() <= MAX_KEYS);
    }
}
