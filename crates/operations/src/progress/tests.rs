//! Tests of `progress`.

use super::ProgressStage;

/// M5.4-1 M5.4-2 M5.4-3 M5.4-4 M5.4-5 M5.4-6 M5.4-7: each stage has its share, and they only grow.
#[test]
fn shares() {
    let running = |done, steps| ProgressStage::Running { done, steps }.share();
    assert_eq!((ProgressStage::Pending.share(), ProgressStage::Initializing.share()), (0.0, 5.0));
    assert_eq!([running(0, 4), running(1, 4), running(3, 4), running(4, 4)], [10.0, 30.0, 70.0, 90.0]);
    assert_eq!((running(0, 0), running(9, 4)), (10.0, 90.0), "odd counts stay within their bounds");
    assert_eq!((ProgressStage::Completing.share(), ProgressStage::Completed.share()), (95.0, 100.0));
    assert_eq!(ProgressStage::Ended.share(), 0.0);
}
