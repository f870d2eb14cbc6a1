//! Tests of `body_budget`.

use super::{BodyBudget, UNCOUNTED_BYTES};
use std::sync::atomic::Ordering;

#[test]
fn the_sum_is_bounded() {
    let buffers = BodyBudget::new(100);
    let (mut one, mut two, mut small) = (buffers.begin(), buffers.begin(), buffers.begin());
    assert!(one.grow(UNCOUNTED_BYTES + 60));
    assert!(two.grow(UNCOUNTED_BYTES + 40));
    assert!(!two.grow(UNCOUNTED_BYTES + 41));
    assert!(!one.grow(UNCOUNTED_BYTES + 61));
    assert!(small.grow(UNCOUNTED_BYTES), "who sends little has room in any case");
    drop(one);
    assert!(two.grow(UNCOUNTED_BYTES + 100));
    two.give_back();
    drop((two, small));
    assert_eq!(buffers.held.load(Ordering::Relaxed), 0);
}
