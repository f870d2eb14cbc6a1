//! Confirmed calls: none ends without a line, whatever becomes of its process.

use crate::support::{
    Place, asker, call, count_events, issue, on_both_engines, redeem, redeem_request, settle,
};
use aqueduct_store::audit::{AuditEntry, AuditFilter};
use aqueduct_store::confirmations::{Redemption, StoredTokenRefusal};
use aqueduct_store::{StartedCall, Store};
use std::time::Duration;

on_both_engines!(finished, abandoned, cancelled_before_it_began, lost, late, allowed_by_a_rule);

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
    started.finish("failure", Some("HTTP 500".to_owned()));
    settle(&store).await;
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

/// Anyone who stops waiting while a token is redeemed has used it up, and the audit says that nothing was sent.
async fn cancelled_before_it_began(place: Place) {
    let store = place.open();
    let token = issue(&store, "s1", vec![call("a")]).await;
    let redeemed = store.redeem_token(redeem_request(&token, "s1", call("a")));
    // Polled once, so that it is on its way, and dropped.
    assert!(futures::FutureExt::now_or_never(redeemed).is_none());
    let filter = || AuditFilter { event: Some("CALL_FINISHED".to_owned()), ..AuditFilter::default() };
    let start = std::time::Instant::now();
    let line = loop {
        if let Some(line) = store.audit_lines(filter(), 10).await.unwrap().pop() {
            break line.entry;
        }
        assert!(start.elapsed() < Duration::from_secs(20), "no line");
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    let said = "it was cancelled before anything was sent; its confirmation is used up";
    assert_eq!((line.outcome.as_str(), line.detail.as_deref()), ("cancelled", Some(said)));
    let again = redeem(&store, &token, "s1", call("a")).await;
    assert!(matches!(again, Redemption::Refused(StoredTokenRefusal::AlreadyUsed { .. })), "{again:?}");
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
    started.finish("success", None);
    settle(&slow).await;
    assert_eq!(count_events(&other, "CALL_LOST").await, 1);
    let filter = AuditFilter { event: Some("CALL_FINISHED".to_owned()), ..AuditFilter::default() };
    let late = other.audit_lines(filter, 10).await.unwrap().remove(0).entry;
    // It names whose call it was, though the row is gone.
    assert_eq!((late.session.as_deref(), late.caller.as_deref()), (Some("s1"), Some("alice")));
    assert_eq!((late.source.as_deref(), late.operation.as_deref()), (Some("books"), Some("a")));
    assert!(late.params.is_some() && late.detail.unwrap().contains("taken for lost"));
}

/// A call that a rule lets run has its begin and its end, and is lost like any other.
async fn allowed_by_a_rule(place: Place) {
    let (store, other) = (place.open(), place.open());
    let line = AuditEntry::new("OPERATION_ALLOWED", "allowed");
    let in_progress = store.begin_allowed_call(asker("s1"), call("a"), line.clone()).await.unwrap();
    in_progress.finish("success", None);
    settle(&store).await;
    std::mem::forget(store.begin_allowed_call(asker("s1"), call("b"), line).await.unwrap());
    drop(store);
    place.clock.advance(Duration::from_secs(31));
    other.maintain().await.unwrap();
    let lines = other.audit_lines(AuditFilter::default(), 10).await.unwrap();
    let found: Vec<_> =
        lines.iter().map(|line| (&*line.entry.event, line.entry.operation.as_deref().unwrap())).collect();
    let expected =
        [("OPERATION_ALLOWED", "a"), ("CALL_FINISHED", "a"), ("OPERATION_ALLOWED", "b"), ("CALL_LOST", "b")];
    assert_eq!(found, expected);
}
