//! A second thread runs calls where many are under way, and only there.

use super::{MANY, ReadThreads, TURNS};
use std::collections::HashMap;
use std::thread::ThreadId;

#[tokio::test]
async fn few_calls_stay_on_the_thread_of_their_client() {
    let mut threads = ReadThreads::of_this_runtime();
    for under_way in 0..MANY {
        assert!(threads.elsewhere(under_way).is_none());
    }
    assert!(!matches!(threads, ReadThreads::Two { .. }));
}

#[tokio::test]
async fn of_many_calls_most_run_on_the_second_thread() {
    let mut threads = ReadThreads::NotStarted;
    let mut seen: HashMap<ThreadId, usize> = HashMap::new();
    for _ in 0..10 * TURNS {
        let thread = match threads.elsewhere(MANY) {
            Some(other) => other.spawn(async { std::thread::current().id() }).await.unwrap(),
            None => std::thread::current().id(),
        };
        *seen.entry(thread).or_default() += 1;
    }
    assert_eq!(seen.remove(&std::thread::current().id()), Some(10));
    assert_eq!(seen.into_values().collect::<Vec<_>>(), [10 * (TURNS - 1)]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_runtime_of_several_threads_shares_them_out_by_itself() {
    assert!(ReadThreads::of_this_runtime().elsewhere(100).is_none());
}
