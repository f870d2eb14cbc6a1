//! Who waits for a change of another instance on PostgreSQL is woken: by being told alone, and by looking alone.

use crate::support::{ask, call, postgres_settings};
use aqueduct_operations::clock::SystemClock;
use aqueduct_store::approvals::ApprovalDecision;
use aqueduct_store::{Store, StoreSettings};
use aqueduct_testkit::postgres::shared;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::timeout;

const YES: ApprovalDecision = ApprovalDecision::Approve { usable_for: Duration::from_secs(60) };
const HOUR: Duration = Duration::from_secs(3600);
const SOON: Duration = Duration::from_secs(20);

fn open(url: &str, poll_interval: Duration) -> Store {
    let settings = StoreSettings::postgres(postgres_settings(url));
    let settings = StoreSettings { poll_interval: Some(poll_interval), ..settings };
    Store::open(settings, Arc::new(SystemClock)).unwrap()
}

async fn is_woken(changes: &mut watch::Receiver<u64>, within: Duration) -> bool {
    timeout(within, changes.changed()).await.is_ok_and(|woken| woken.is_ok())
}

/// With an hour between two looks, only the database can tell.
#[tokio::test]
async fn told_without_looking() {
    let url = shared().database();
    let (asking, answering) = (open(&url, HOUR), open(&url, HOUR));
    let id = ask(&asking, "s1", vec![call("a")]).await.id;
    let mut changes = asking.changes();
    assert!(is_woken(&mut changes, SOON).await, "the begin of listening counts as a change");
    assert!(!is_woken(&mut changes, Duration::from_millis(500)).await);
    answering.decide_approval(&id, YES, "olga").await.unwrap();
    assert!(is_woken(&mut changes, SOON).await);
}

/// Where every connection that listens is cut at once, only looking finds a change.
#[tokio::test]
async fn found_without_being_told() {
    let (url, cuts) = (shared().database(), Arc::new(AtomicUsize::new(0)));
    let port = without_listening(shared().port(), Arc::clone(&cuts)).await;
    let asking =
        open(&url.replace(&shared().port().to_string(), &port.to_string()), Duration::from_millis(200));
    let answering = open(&url, HOUR);
    let id = ask(&asking, "s1", vec![call("a")]).await.id;
    let mut changes = asking.changes();
    assert!(is_woken(&mut changes, SOON).await, "the first look counts as a change");
    assert!(!is_woken(&mut changes, Duration::from_millis(1500)).await, "nothing else has changed");
    answering.decide_approval(&id, YES, "olga").await.unwrap();
    assert!(is_woken(&mut changes, SOON).await);
    assert!(cuts.load(Ordering::SeqCst) > 1, "it has tried to listen, again and again");
}

/// A way to this port that ends every connection on which somebody wants to listen.
async fn without_listening(to: u16, cuts: Arc<AtomicUsize>) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((near, _)) = listener.accept().await {
            tokio::spawn(carry(near, to, Arc::clone(&cuts)));
        }
    });
    port
}

async fn carry(near: TcpStream, to: u16, cuts: Arc<AtomicUsize>) {
    let far = TcpStream::connect(("127.0.0.1", to)).await.unwrap();
    let ((mut from_near, mut to_near), (mut from_far, mut to_far)) = (near.into_split(), far.into_split());
    let requests = async {
        let mut part = vec![0; 65_536];
        while let Ok(size @ 1..) = from_near.read(&mut part).await {
            if part[..size].windows(7).any(|word| word == b"LISTEN ") {
                cuts.fetch_add(1, Ordering::SeqCst);
                return;
            }
            if to_far.write_all(&part[..size]).await.is_err() {
                return;
            }
        }
    };
    tokio::select! {
        () = requests => {}
        _ = copy(&mut from_far, &mut to_near) => {}
    }
}
