//! Tests of `side_by_side`.

use super::{LONG_TEXT, both};
use std::sync::Barrier;
use std::thread::{self, ThreadId};

fn who() -> ThreadId {
    thread::current().id()
}

/// Only what is long gets a thread, and both go on at the same time then.
#[test]
fn long_texts_get_a_thread() {
    let own = who();
    assert_eq!(both(LONG_TEXT - 1, who, who), (own, own));
    let meeting = Barrier::new(2);
    let meet = || {
        meeting.wait();
        who()
    };
    let (aside, here) = both(LONG_TEXT, meet, meet);
    assert!(aside != own && here == own);
}

#[test]
fn a_panic_is_not_lost() {
    for length in [0, LONG_TEXT] {
        let panicking = || both(length, || panic!("on purpose"), || ());
        assert!(std::panic::catch_unwind(panicking).is_err(), "{length}");
    }
}
