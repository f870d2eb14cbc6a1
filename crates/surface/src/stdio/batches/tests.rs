//! When the responses of a batch go out.

use super::OpenBatches;
use rmcp::model::NumberOrString::Number;
use std::sync::Arc;
use std::sync::atomic::Ordering;

fn batches() -> OpenBatches {
    OpenBatches::counted_in(Arc::default())
}

/// What waits is counted until its batch goes out, however that comes.
#[test]
fn what_waits_is_counted() {
    let batches = batches();
    let waiting = || batches.unsent.bytes.load(Ordering::Relaxed);
    let (first, second) = (batches.begin(), batches.begin());
    batches.expect(first, Number(1));
    batches.expect(first, Number(2));
    batches.expect(second, Number(3));
    batches.keep(first, vec![b'1'; 10]);
    batches.answer(&Number(1), vec![b'1'; 100]);
    batches.answer(&Number(3), vec![b'1'; 1000]);
    batches.answer(&Number(9), vec![b'1'; 10_000]);
    assert_eq!(waiting(), 1110);
    batches.end(first);
    batches.end(second);
    assert_eq!(waiting(), 110);
    batches.give_up(&Number(2));
    assert_eq!(waiting(), 0);
}

#[test]
fn together_when_nothing_is_missing() {
    let batches = batches();
    let (first, second) = (batches.begin(), batches.begin());
    batches.expect(first, Number(1));
    batches.keep(first, b"x".to_vec());
    batches.expect(first, Number(2));
    batches.expect(second, Number(3));
    assert_eq!(batches.answer(&Number(2), b"2".to_vec()), None);
    assert_eq!((batches.end(first), batches.end(second)), (None, None));
    assert_eq!(batches.answer(&Number(9), b"9".to_vec()), Some(b"9".to_vec()));
    assert_eq!(batches.answer(&Number(3), b"3".to_vec()), Some(b"[3]".to_vec()));
    assert_eq!(batches.answer(&Number(1), b"1".to_vec()), Some(b"[x,2,1]".to_vec()));
    assert_eq!(batches.answer(&Number(1), b"1".to_vec()), Some(b"1".to_vec()));
}

#[test]
fn what_is_cancelled_is_not_waited_for() {
    let batches = batches();
    let batch = batches.begin();
    batches.expect(batch, Number(1));
    batches.expect(batch, Number(2));
    assert_eq!(batches.end(batch), None);
    batches.answer(&Number(1), b"1".to_vec());
    assert_eq!(batches.give_up(&Number(2)), Some(b"[1]".to_vec()));
    let batch = batches.begin();
    batches.expect(batch, Number(3));
    assert_eq!(batches.give_up(&Number(3)), None);
    assert_eq!(batches.end(batch), None, "there is nothing to say");
    let batch = batches.begin();
    batches.keep(batch, b"x".to_vec());
    assert_eq!(batches.end(batch), Some(b"[x]".to_vec()));
}
