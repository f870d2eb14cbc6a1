//! Places are given to callers in turn, to no one who has gone, and never to more than there are.

use super::FairLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

type Order = Arc<Mutex<Vec<String>>>;

/// Somebody who waits, and notes their name when they have their places.
fn waiter(
    lock: &Arc<FairLock>,
    order: &Order,
    caller: &str,
    name: &str,
    wanted: u32,
) -> tokio::task::JoinHandle<()> {
    let (lock, order, caller, name) =
        (Arc::clone(lock), Arc::clone(order), caller.to_owned(), name.to_owned());
    tokio::spawn(async move {
        let place = lock.acquire(&caller, wanted).await;
        order.lock().unwrap().push(name);
        drop(place);
    })
}

async fn waiting(lock: &FairLock, count: usize) {
    while lock.state().turns.waiting() < count {
        tokio::task::yield_now().await;
    }
}

/// X-rate-16: a caller that comes to a line of a thousand calls of another caller is the next but one.
#[tokio::test]
async fn callers_take_turns() {
    let (lock, order) = (Arc::new(FairLock::new(1)), Order::default());
    let held = lock.acquire("busy", 1).await;
    let mut all: Vec<_> =
        (0..1_000).map(|n| waiter(&lock, &order, "busy", &format!("busy {n}"), 1)).collect();
    waiting(&lock, 1_000).await;
    all.extend((0..2).map(|n| waiter(&lock, &order, "other", &format!("other {n}"), 1)));
    waiting(&lock, 1_002).await;
    drop(held);
    for each in all {
        each.await.unwrap();
    }
    let order = order.lock().unwrap();
    assert_eq!(order[..5], ["busy 0", "other 0", "busy 1", "other 1", "busy 2"]);
    assert_eq!(order[1_001], "busy 999", "each in order of arrival");
}

/// A place that comes back after each call goes to the next caller, however many wait.
#[tokio::test]
async fn one_after_the_other() {
    let (lock, order) = (Arc::new(FairLock::new(1)), Order::default());
    let held = lock.acquire("a", 1).await;
    let mut all = Vec::new();
    for caller in ["a", "a", "a", "b", "b", "c"] {
        all.push(waiter(&lock, &order, caller, caller, 1));
        waiting(&lock, all.len()).await;
    }
    drop(held);
    for each in all {
        each.await.unwrap();
    }
    assert_eq!(*order.lock().unwrap(), ["a", "b", "c", "a", "b", "a"]);
}

/// A writer among readers waits for those before it, and those after it wait for it.
#[tokio::test]
async fn who_wants_all_is_not_overtaken() {
    let (lock, order) = (Arc::new(FairLock::new(4)), Order::default());
    let readers = [lock.acquire("a", 1).await, lock.acquire("a", 1).await];
    let writer = waiter(&lock, &order, "b", "writer", 4);
    waiting(&lock, 1).await;
    let late = waiter(&lock, &order, "c", "late reader", 1);
    waiting(&lock, 2).await;
    for reader in readers {
        assert!(order.lock().unwrap().is_empty());
        drop(reader);
    }
    writer.await.unwrap();
    late.await.unwrap();
    assert_eq!(*order.lock().unwrap(), ["writer", "late reader"]);
}

/// Those who go away while they wait, in any number, hold no one up and take no place with them.
#[tokio::test]
async fn who_has_gone_is_passed_over() {
    let (lock, order) = (Arc::new(FairLock::new(1)), Order::default());
    let held = lock.acquire("a", 1).await;
    let gone: Vec<_> = (0..500).map(|_| waiter(&lock, &order, "a", "gone", 1)).collect();
    waiting(&lock, 500).await;
    for each in &gone {
        each.abort();
    }
    for each in gone {
        assert!(each.await.unwrap_err().is_cancelled());
    }
    let last = waiter(&lock, &order, "b", "last", 1);
    while !lock.state().turns.all().any(|waiter| !waiter.sender.is_closed()) {
        tokio::task::yield_now().await;
    }
    drop(held);
    last.await.unwrap();
    assert_eq!(*order.lock().unwrap(), ["last"]);
    let state = lock.state();
    assert_eq!((state.free, state.turns.waiting()), (1, 0));
}

/// However many threads take and give back, no one has more than there is, and everybody is served.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn never_more_than_there_is() {
    let (lock, inside) = (Arc::new(FairLock::new(3)), Arc::new(AtomicU32::new(0)));
    let all: Vec<_> = (0..600_u32)
        .map(|n| {
            let (lock, inside, wanted) = (Arc::clone(&lock), Arc::clone(&inside), n % 3 + 1);
            tokio::spawn(async move {
                let place = lock.acquire(&format!("caller {}", n % 7), wanted).await.unwrap();
                assert!(inside.fetch_add(wanted, Ordering::SeqCst) + wanted <= 3);
                tokio::task::yield_now().await;
                inside.fetch_sub(wanted, Ordering::SeqCst);
                drop(place);
            })
        })
        .collect();
    for each in all {
        each.await.unwrap();
    }
    assert_eq!(lock.state().free, 3);
}
