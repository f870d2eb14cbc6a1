//! Confirmed calls: none ends without a line, whatever becomes of its process.

use crate::support::{Place, call, count_events, issue, on_both_engines, redeem};
use aqueduct_store::confirmations::Redemption;
use aqueduct_store::{StartedCall, Store};
use std::time::Duration;

on_both_engines!(finished, abandoned, lost, late);

async fn start(store: &Store) -> StartedCall {
    let token = issue(store, "s1", vec![call("a")]).await;
    match redeem(store, &token, "s1", call("a")).await {
        Redemption::Redeemed(started) => started,
        other => panic!("{other:?}"),
    }
}

async fn finished(place: Place) {
    let store = place.open();
    let started = start(&store).await;
    assert_eq!(store.status().await.unwrap().running_calls, 1);
    started.finish("failure", Some("HTTP 500".to_owned())).await.unwrap();
    assert_eq!(store.status().await.unwrap().running_calls, 0);
    place.clock.advance(Duration::from_secs(600));
    store.maintain().await.unwrap();
    assert_eq!(count_events(&store, "CALL_LOST").await, 0);
}

async fn abandoned(place: Place) {
    let store = place.open();
    drop(start(&store).await);
    for _ in 0..100 {
        if count_events(&store, "CALL_FINISHED").await == 1 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("no line");
}

async fn lost(place: Place) {
    let (dying, other) = (place.open(), place.open());
    let started = start(&dying).await;
    std::mem::forget(started);
    drop(dying);
    place.clock.advance(Duration::from_secs(31));
    other.maintain().await.unwrap();
    other.maintain().await.unwrap();
    assert_eq!(count_events(&other, "CALL_LOST").await, 1);
    assert_eq!(other.status().await.unwrap().running_calls, 0);
}

async fn late(place: Place) {
    let (slow, other) = (place.open(), place.open());
    let started = start(&slow).await;
    place.clock.advance(Duration::from_secs(31));
    other.maintain().await.unwrap();
    started.finish("success", None).await.unwrap();
    assert_eq!(count_events(&other, "CALL_LOST").await, 1);
    assert_eq!(count_events(&other, "CALL_FINISHED").await, 1);
}
