//! Tests of `body_budget`.

use super::{Buffers, FREE};
use std::sync::atomic::Ordering;

#[test]
fn the_sum_is_bounded() {
    let buffers = Buffers::new(100);
    let (mut one, mut two, mut small) = (buffers.begin(), buffers.begin(), buffers.begin());
    assert!(one.grow(FREE + 60));
    assert!(two.grow(FREE + 40));
    assert!(!two.grow(FREE + 41));
    assert!(!one.grow(FREE + 61));
    assert!(small.grow(FREE), "who sends little has room in any case");
    drop(one);
    assert!(two.grow(FREE + 100));
    two.give_back();
    drop((two, small));
    assert_eq!(buffers.held.load(Ordering::Relaxed), 0);
}
