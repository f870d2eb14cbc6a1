//! Units of limits and quotas: reserved by several at once, kept when one of them is lost, let go on by the operator.

use crate::support::{Place, on_both_engines};
use aqueduct_operations::rate_limits::ledger::{
    CountSpan, CounterAbout, CounterKind, LearnedState, ReserveRequest, Reserved, ReturnedUnits, UnitRequest,
};
use aqueduct_store::Store;
use jiff::{SignedDuration, Timestamp};
use std::time::Duration;

on_both_engines!(
    never_more_than_the_limit,
    reserved_units_outlive_a_process,
    returned_units_are_there_again,
    units_of_another_slice_stay,
    what_is_owed_is_paid,
    the_longest_wait_holds,
    the_operator_lets_a_pause_go_on,
    what_an_api_says_counts,
);

fn about(kind: CounterKind) -> CounterAbout {
    CounterAbout {
        kind,
        name: "requests_per_minute".to_owned(),
        window: "minute".to_owned(),
        unit: "requests".to_owned(),
        limit: None,
        warn: None,
        pause: Some(10),
        hard_stop: Some(15),
        currency: None,
    }
}

fn want(span: CountSpan, ceiling: u64, needed: u64, ask: u64) -> UnitRequest {
    UnitRequest {
        counter: "shop limit".to_owned(),
        about: about(CounterKind::Quota),
        span,
        ceiling: Some(ceiling),
        ceiling_continued: Some(15),
        owed: 0,
        needed,
        ask,
    }
}

const MINUTE: CountSpan = CountSpan::Sliding(Duration::from_secs(60));

async fn reserve(store: &Store, want: UnitRequest) -> Reserved {
    let request = ReserveRequest { source: "shop".to_owned(), wants: vec![want] };
    store.reserve_units(request).await.unwrap().counters.remove(0)
}

/// X-rate-14 X-rate-15: however many reserve at once, through however many instances.
async fn never_more_than_the_limit(place: Place) {
    let stores = [place.open(), place.open(), place.open()];
    for round in 1..=2_u64 {
        let tries: Vec<_> = (0..60)
            .map(|index| {
                let store = stores[index % 3].clone();
                tokio::spawn(async move { reserve(&store, want(MINUTE, 100, 1, 7)).await.granted })
            })
            .collect();
        let mut granted = 0;
        for one in tries {
            granted += one.await.unwrap();
        }
        assert_eq!(granted, 100, "round {round}");
        assert_eq!(reserve(&stores[0], want(MINUTE, 100, 1, 1)).await.granted, 0);
        place.clock.advance(Duration::from_secs(63));
    }
}

/// X-rate-15: what a process had in hand when it was lost counts as spent, until the window is over.
async fn reserved_units_outlive_a_process(place: Place) {
    let lost = place.open();
    assert_eq!(reserve(&lost, want(MINUTE, 10, 10, 10)).await.granted, 10);
    drop(lost);
    let next = place.open();
    assert_eq!(reserve(&next, want(MINUTE, 10, 1, 1)).await.granted, 0);
    let status = next.limits().await.unwrap();
    assert_eq!((status[0].source.as_str(), status[0].counters[0].current), ("shop", 10.0));
    place.clock.advance(Duration::from_secs(63));
    assert_eq!(reserve(&next, want(MINUTE, 10, 1, 1)).await.granted, 1);
}

async fn returned_units_are_there_again(place: Place) {
    let store = place.open();
    let reserved = reserve(&store, want(MINUTE, 10, 10, 10)).await;
    let counter = "shop limit".to_owned();
    store.give_back_units(vec![ReturnedUnits { counter, slice: reserved.life.slice, units: 4 }]);
    store.settle(Duration::from_secs(10)).await;
    assert_eq!(reserve(&store, want(MINUTE, 10, 9, 9)).await.granted, 4);
}

/// Units come back to the slice that they are of: those of another slice were spent, and count.
async fn units_of_another_slice_stay(place: Place) {
    let store = place.open();
    let first = reserve(&store, want(MINUTE, 10, 4, 4)).await;
    place.clock.advance(Duration::from_secs(2));
    let second = reserve(&store, want(MINUTE, 10, 4, 4)).await;
    assert_ne!(first.life.slice, second.life.slice);
    let counter = "shop limit".to_owned();
    store.give_back_units(vec![ReturnedUnits { counter, slice: second.life.slice, units: 4 }]);
    store.settle(Duration::from_secs(10)).await;
    assert_eq!(reserve(&store, want(MINUTE, 10, 10, 10)).await.granted, 6);
}

/// What was spent beyond what was reserved counts with the next reservation, and leaves less for it and for others.
async fn what_is_owed_is_paid(place: Place) {
    let (store, other) = (place.open(), place.open());
    let owing = UnitRequest { owed: 7, ..want(MINUTE, 10, 5, 5) };
    let reserved = reserve(&store, owing.clone()).await;
    assert_eq!((reserved.granted, reserved.used), (3, 10));
    assert_eq!(reserve(&other, want(MINUTE, 10, 1, 1)).await.granted, 0);
    place.clock.advance(Duration::from_secs(63));
    let beyond = reserve(&store, UnitRequest { owed: 12, ..owing }).await;
    assert_eq!((beyond.granted, beyond.used), (0, 12), "more than there is");
    assert_eq!(reserve(&other, want(MINUTE, 10, 1, 1)).await.granted, 0);
}

/// An API that asks to wait twice has the longer of both.
async fn the_longest_wait_holds(place: Place) {
    let store = place.open();
    let at = |seconds| place.clock_now() + SignedDuration::from_secs(seconds);
    for until in [at(40), at(20)] {
        store.hold_source("shop", until);
        store.settle(Duration::from_secs(10)).await;
    }
    let request = || ReserveRequest { source: "shop".to_owned(), wants: Vec::new() };
    assert_eq!(store.reserve_units(request()).await.unwrap().held_until, Some(at(40)));
    store.hold_source("shop", at(60));
    store.settle(Duration::from_secs(10)).await;
    assert_eq!(store.reserve_units(request()).await.unwrap().held_until, Some(at(60)));
}

/// The pause holds until the operator says otherwise, and the stop holds then too; the audit has who said so.
async fn the_operator_lets_a_pause_go_on(place: Place) {
    let store = place.open();
    let from = place.clock_now();
    let span = CountSpan::Fixed { from, until: from + SignedDuration::from_hours(1) };
    assert!(store.continue_quotas("shop", None, "olga").await.unwrap().is_empty());
    assert_eq!(reserve(&store, want(span, 10, 20, 20)).await.granted, 10);
    assert_eq!(reserve(&store, want(span, 10, 20, 20)).await.granted, 0);
    assert_eq!(store.limits().await.unwrap()[0].counters[0].status, "paused");
    let other = place.open();
    assert!(other.continue_quotas("shop", Some("cost_per_day"), "olga").await.unwrap().is_empty());
    assert_eq!(other.continue_quotas("shop", None, "olga").await.unwrap(), ["requests_per_minute"]);
    assert_eq!(reserve(&store, want(span, 10, 20, 20)).await.granted, 5);
    assert_eq!(reserve(&store, want(span, 10, 20, 20)).await.granted, 0);
    assert!(store.verify_audit().await.unwrap().is_whole());
}

/// X-rate-9: what others have used, as the API says, is gone for us too until it resets.
async fn what_an_api_says_counts(place: Place) {
    let store = place.open();
    assert_eq!(reserve(&store, want(MINUTE, 100, 1, 1)).await.granted, 1);
    let resets_at = place.clock_now() + SignedDuration::from_secs(20);
    let counter = "shop limit".to_owned();
    store.learn_limit(LearnedState { counter, limit: 100, remaining: 3, resets_at, is_new_window: false });
    store.settle(Duration::from_secs(10)).await;
    assert_eq!(reserve(&store, want(MINUTE, 100, 50, 50)).await.granted, 3);
    store.hold_source("shop", resets_at);
    store.settle(Duration::from_secs(10)).await;
    let request = ReserveRequest { source: "shop".to_owned(), wants: Vec::new() };
    assert_eq!(store.reserve_units(request).await.unwrap().held_until, Some(resets_at));
    place.clock.advance(Duration::from_secs(22));
    assert!(reserve(&store, want(MINUTE, 100, 96, 96)).await.granted > 90);
}

impl Place {
    fn clock_now(&self) -> Timestamp {
        aqueduct_operations::clock::Clock::now(&self.clock)
    }
}
