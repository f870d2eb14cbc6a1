//! Tests of `worker_pool`.

use super::WorkerPool;
use aqueduct_schema::work::{Meter, WorkStop};
use futures::FutureExt;
use std::sync::{Arc, mpsc};

/// Counts steps until it is stopped, and tells why it was.
fn endless(told: mpsc::Sender<WorkStop>) -> impl FnOnce(&Meter) + Send + 'static {
    move |meter| {
        let stop = loop {
            if let Err(stop) = meter.spend(0) {
                break stop;
            }
        };
        told.send(stop).unwrap();
    }
}

#[tokio::test]
async fn what_nobody_waits_for_is_stopped() {
    let workers = WorkerPool::default();
    let (told, stopped) = mpsc::channel();
    let meter = Arc::new(Meter::default());
    let mut running = Box::pin(workers.run(&meter, endless(told)));
    assert!(running.as_mut().now_or_never().is_none());
    drop(running);
    assert_eq!(stopped.recv(), Ok(WorkStop::Stopped));
    let other = Arc::new(Meter::default());
    assert_eq!(workers.run(&other, |_| 5).await.unwrap(), 5, "its place is free again");
}

#[tokio::test]
async fn the_end_of_the_server_ends_all() {
    let workers = WorkerPool::default();
    let (told, stopped) = mpsc::channel();
    let meter = Arc::new(Meter::default());
    let mut running = Box::pin(workers.run(&meter, endless(told)));
    assert!(running.as_mut().now_or_never().is_none());
    workers.end();
    assert!(running.await.is_err());
    assert_eq!(stopped.recv(), Ok(WorkStop::Stopped));
}

#[tokio::test]
async fn a_panic_fails_its_own_call() {
    let workers = WorkerPool::default();
    let meter = Arc::new(Meter::default());
    assert!(workers.run(&meter, |_| panic!("for a test")).await.is_err());
    assert_eq!(workers.run(&meter, |_| 5).await.unwrap(), 5);
}
