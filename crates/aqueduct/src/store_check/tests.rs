//! Many requests for `/readyz` while the store is slow.

use super::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::Semaphore;

/// A store that answers when it is let, and how often it was asked.
fn slow_store() -> (StoreCheck, Arc<Semaphore>, Arc<AtomicUsize>) {
    let (answers, asked) = (Arc::new(Semaphore::new(0)), Arc::new(AtomicUsize::new(0)));
    let (gate, count) = (Arc::clone(&answers), Arc::clone(&asked));
    let check = StoreCheck::asking(move || {
        let gate = Arc::clone(&gate);
        count.fetch_add(1, Ordering::Relaxed);
        Box::pin(async move {
            gate.acquire().await.unwrap().forget();
            Ok(())
        })
    });
    (check, answers, asked)
}

/// One check asks, however many want to know, and however long they have given up.
#[tokio::test(start_paused = true)]
async fn a_slow_store_is_asked_once() {
    let (check, answers, asked) = slow_store();
    for _ in 0..3 {
        let waiting = futures::future::join_all((0..50).map(|_| check.check()));
        assert!(waiting.await.iter().all(Result::is_err));
    }
    assert_eq!(asked.load(Ordering::Relaxed), 1);
    answers.add_permits(2);
    assert_eq!(check.check().await, Ok(()));
    assert_eq!(asked.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn an_answer_stands_for_a_while() {
    let (check, answers, asked) = slow_store();
    answers.add_permits(1);
    for _ in 0..20 {
        assert_eq!(check.check().await, Ok(()));
    }
    assert_eq!(asked.load(Ordering::Relaxed), 1);
}
