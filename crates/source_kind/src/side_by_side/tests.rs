//! Tests of `side_by_side`.

use super::{LONG_TEXT, both, both_with};
use std::sync::{Arc, Barrier, Weak};
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

/// What both share is gone when both are done with it, and not only at the end.
#[test]
fn what_is_shared_is_let_go() {
    for length in [0, LONG_TEXT] {
        let shared = Arc::new(7);
        let seen = Arc::downgrade(&shared);
        let let_go = |shared: Arc<i32>| {
            drop(shared);
            while seen.upgrade().is_some() {
                thread::yield_now();
            }
            Weak::strong_count(&seen)
        };
        assert_eq!(both_with(length, shared, |shared| **shared + 1, let_go), (8, 0), "{length}");
    }
}

#[test]
fn a_panic_is_not_lost() {
    for length in [0, LONG_TEXT] {
        let panicking = || both(length, || panic!("on purpose"), || ());
        assert!(std::panic::catch_unwind(panicking).is_err(), "{length}");
    }
}
