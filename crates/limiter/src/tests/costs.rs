//! Money and tokens: what is known before a request is sent counts before it, so that of all processes one passes the threshold; the
//! rest counts once, and as soon as it is known.

use super::{Refusing, limiter_on, quota};
use crate::memory::MemoryLedger;
use aqueduct_operations::rate_limits::ledger::Ledger;
use aqueduct_testkit::clock::TestClock;
use std::sync::Arc;

/// How many requests of this price eight processes send together before nothing is let out any more.
async fn sent_for(price: u64, hard_stop: u64) -> usize {
    let clock = TestClock::default();
    let ledger: Arc<dyn Ledger> = Arc::new(MemoryLedger::new(Arc::new(clock.clone())));
    let rules = quota("cost_per_day", hard_stop, None, Some(hard_stop));
    let processes: Vec<_> = (0..8).map(|_| limiter_on(Arc::clone(&ledger), rules.clone(), &clock)).collect();
    let pause_handler = Refusing::default();
    let mut sent = 0;
    for _ in 0..20 {
        for process in &processes {
            sent += usize::from(process.take_quotas(price, &pause_handler).await.is_ok());
        }
    }
    sent
}

/// X-rate-12 X-rate-14: a quota of money holds over all processes together. The request that passes it is the only one.
#[tokio::test]
async fn money_is_spent_once() {
    assert_eq!(sent_for(250_000, 1_000_000).await, 4);
    assert_eq!(sent_for(300_000, 1_000_000).await, 4);
    assert_eq!(sent_for(5_000_000, 1_000_000).await, 1);
    // Blocks of several requests lie about where they were not used up: fewer go out then, and never more.
    let many = sent_for(10_000, 1_000_000).await;
    assert!((95..=100).contains(&many), "{many}");
}

/// One process loses nothing to its blocks, and is warned by the request that reaches the threshold.
#[tokio::test]
async fn one_process_spends_all() {
    let clock = TestClock::default();
    let ledger: Arc<dyn Ledger> = Arc::new(MemoryLedger::new(Arc::new(clock.clone())));
    let process = limiter_on(ledger, quota("cost_per_day", 30_000, Some(50_000), None), &clock);
    let pause_handler = Refusing::default();
    for sent in 1..=5_usize {
        process.take_quotas(10_000, &pause_handler).await.unwrap();
        assert_eq!(pause_handler.warned.lock().unwrap().len(), sent.saturating_sub(2), "after {sent}");
    }
    assert!(process.take_quotas(10_000, &pause_handler).await.is_err());
}

/// X-rate-14: what came back counts for the others at once, though whoever asked for it asks for nothing more; and once, however many
/// requests were under way.
#[tokio::test]
async fn tokens_count_for_others_at_once() {
    let clock = TestClock::default();
    let ledger: Arc<dyn Ledger> = Arc::new(MemoryLedger::new(Arc::new(clock.clone())));
    let process = || limiter_on(Arc::clone(&ledger), quota("tokens_per_day", 500, None, Some(1_000)), &clock);
    let pause_handler = Refusing::default();
    let first = process();
    for _ in 0..20 {
        first.take_quotas(0, &pause_handler).await.unwrap();
    }
    (0..20).for_each(|_| first.charge(&[], 45, 0));
    assert_eq!(first.status().await.unwrap().counters[0].current, 900.0);
    // Each of these makes one request, and ends.
    process().take_quotas(0, &pause_handler).await.unwrap();
    let second = process();
    second.take_quotas(0, &pause_handler).await.unwrap();
    second.charge(&[], 100, 0);
    drop(second);
    assert!(process().take_quotas(0, &pause_handler).await.is_err());
    assert!(first.take_quotas(0, &pause_handler).await.is_err());
}
