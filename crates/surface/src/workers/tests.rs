//! Tests of `workers`.

use super::WorkerThreads;
use std::collections::HashSet;

#[tokio::test]
async fn every_worker_has_its_turn() {
    let workers = WorkerThreads::start(2).unwrap();
    let mut seen = HashSet::new();
    for _ in 0..workers.handles.len() {
        let name = workers.next().spawn(async { std::thread::current().name().map(str::to_owned) });
        seen.insert(name.await.unwrap().unwrap());
    }
    assert_eq!(seen.len(), workers.handles.len());
    let ended = workers.next().spawn(std::future::pending::<()>());
    drop(workers);
    assert!(ended.await.unwrap_err().is_cancelled());
}
