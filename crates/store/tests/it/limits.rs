//! Units of limits and quotas: reserved by several at once, kept when one of them is lost, let go on by the operator.

use crate::support::{Place, on_both_engines};
use aqueduct_operations::rate_limits::ledger::{
    CountSpan, CounterAbout, CounterKind, EndedUnits, LearnedState, RequestEnd, ReserveRequest, Reserved,
    ReturnedUnits, UnitRequest,
};
use aqueduct_store::Store;
use jiff::{SignedDuration, Timestamp};
use std::time::Duration;

on_both_engines!(
    never_more_than_the_limit,
    reserved_units_outlive_a_process,
    returned_units_are_there_again,
    units_of_another_slice_stay,
    a_request_counts_from_its_end,
    settled_with_the_next_reservation,
    nothing_is_settled_twice,
    an_api_that_counts_anew_forgets,
    what_is_owed_is_paid,
    what_is_owed_counts_for_others,
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
    let request = ReserveRequest { source: "shop".to_owned(), wants: vec![want], ended: Vec::new() };
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
        place.clock.advance(Duration::from_secs(93));
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
    // What it sent when it was lost may have arrived later.
    place.clock.advance(Duration::from_secs(75));
    assert_eq!(reserve(&next, want(MINUTE, 10, 1, 1)).await.granted, 0);
    place.clock.advance(Duration::from_secs(18));
    assert_eq!(reserve(&next, want(MINUTE, 10, 1, 1)).await.granted, 1);
}

/// X-rate-14 X-rate-15: what was spent beyond what was reserved counts, past the ceiling too, though nothing more is wanted and the process ends.
async fn what_is_owed_counts_for_others(place: Place) {
    let ending = place.open();
    let owed = UnitRequest { owed: 12, ..want(MINUTE, 10, 0, 0) };
    let request = ReserveRequest { source: "shop".to_owned(), wants: vec![owed], ended: Vec::new() };
    ending.owe_units(request);
    ending.settle(Duration::from_secs(10)).await;
    drop(ending);
    let other = place.open();
    let reserved = reserve(&other, want(MINUTE, 10, 1, 1)).await;
    assert_eq!((reserved.granted, reserved.used), (0, 12));
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

fn ended(reserved: &Reserved, units: u64, end: RequestEnd) -> EndedUnits {
    let counter = "shop limit".to_owned();
    EndedUnits { counter, span: MINUTE, slice: reserved.life.slice, units, end }
}

/// X-rate-14: a request that was under way for long may have arrived when it was answered, and one that was given up even later.
async fn a_request_counts_from_its_end(place: Place) {
    let store = place.open();
    let reserved = reserve(&store, want(MINUTE, 10, 10, 10)).await;
    place.clock.advance(Duration::from_secs(50));
    store.settle_units(vec![
        ended(&reserved, 4, RequestEnd::Answered),
        ended(&reserved, 3, RequestEnd::GivenUp),
    ]);
    store.settle(Duration::from_secs(10)).await;
    assert_eq!(reserve(&store, want(MINUTE, 10, 10, 10)).await.granted, 0, "all count, once each");
    assert_eq!(store.limits().await.unwrap()[0].counters[0].current, 10.0);
    place.clock.advance(Duration::from_secs(42));
    assert_eq!(
        reserve(&store, want(MINUTE, 10, 10, 10)).await.granted,
        3,
        "92 seconds: those of whom nothing was heard"
    );
    place.clock.advance(Duration::from_secs(19));
    let free = reserve(&store, want(MINUTE, 7, 10, 10)).await;
    assert_eq!(
        (free.granted, free.used),
        (1, 7),
        "61 seconds after the answer; three given up and three new count"
    );
    place.clock.advance(Duration::from_secs(31));
    assert_eq!(reserve(&store, want(MINUTE, 4, 10, 10)).await.granted, 0, "the three and the one of before");
    place.clock.advance(Duration::from_secs(62));
    assert_eq!(reserve(&store, want(MINUTE, 10, 10, 10)).await.granted, 10);
}

/// What has ended is settled before anything is reserved, in one transaction: a unit is never counted nowhere, nor twice.
async fn settled_with_the_next_reservation(place: Place) {
    let store = place.open();
    let reserved = reserve(&store, want(MINUTE, 10, 10, 10)).await;
    let wants = vec![want(MINUTE, 10, 1, 1)];
    let request = ReserveRequest {
        source: "shop".to_owned(),
        wants,
        ended: vec![ended(&reserved, 10, RequestEnd::Answered)],
    };
    let next = store.reserve_units(request).await.unwrap().counters.remove(0);
    assert_eq!((next.granted, next.used), (0, 10));
    let free = next.next_free.unwrap().duration_since(place.clock_now()).as_secs();
    assert!((60..=61).contains(&free), "{free}");
    place.clock.advance(Duration::from_secs(61));
    assert_eq!(reserve(&store, want(MINUTE, 10, 10, 10)).await.granted, 10);
}

/// Units that no longer count are not moved, and no more than there are.
async fn nothing_is_settled_twice(place: Place) {
    let store = place.open();
    let reserved = reserve(&store, want(MINUTE, 10, 4, 4)).await;
    for _ in 0..2 {
        store.settle_units(vec![ended(&reserved, 4, RequestEnd::Answered)]);
        store.settle(Duration::from_secs(10)).await;
    }
    assert_eq!(reserve(&store, want(MINUTE, 10, 10, 10)).await.granted, 6);
    place.clock.advance(Duration::from_secs(95));
    store.settle_units(vec![ended(&reserved, 4, RequestEnd::GivenUp)]);
    store.settle(Duration::from_secs(10)).await;
    assert_eq!(reserve(&store, want(MINUTE, 10, 10, 10)).await.granted, 10);
}

/// A new window of the API: what was settled before is forgotten, what was settled just now stays.
async fn an_api_that_counts_anew_forgets(place: Place) {
    let store = place.open();
    let mut limited = want(MINUTE, 10, 4, 4);
    limited.about.limit = Some(10);
    for _ in 0..2 {
        let reserved = reserve(&store, limited.clone()).await;
        store.settle_units(vec![ended(&reserved, 4, RequestEnd::Answered)]);
        store.settle(Duration::from_secs(10)).await;
        place.clock.advance(Duration::from_secs(3));
    }
    let reserved = reserve(&store, UnitRequest { needed: 2, ask: 2, ..limited.clone() }).await;
    store.settle_units(vec![ended(&reserved, 2, RequestEnd::Answered)]);
    let (counter, resets_at) = ("shop limit".to_owned(), place.clock_now() + SignedDuration::from_secs(60));
    store.settle(Duration::from_secs(10)).await;
    store.learn_limit(LearnedState { counter, limit: 10, remaining: 8, resets_at, is_new_window: true });
    store.settle(Duration::from_secs(10)).await;
    assert_eq!(reserve(&store, UnitRequest { needed: 10, ..limited }).await.granted, 8);
}

/// What was spent beyond what was reserved counts with the next reservation, and leaves less for it and for others.
async fn what_is_owed_is_paid(place: Place) {
    let (store, other) = (place.open(), place.open());
    let owing = UnitRequest { owed: 7, ..want(MINUTE, 10, 5, 5) };
    let reserved = reserve(&store, owing.clone()).await;
    assert_eq!((reserved.granted, reserved.used), (3, 10));
    assert_eq!(reserve(&other, want(MINUTE, 10, 1, 1)).await.granted, 0);
    place.clock.advance(Duration::from_secs(93));
    let beyond = reserve(&store, UnitRequest { owed: 12, ..owing }).await;
    assert_eq!((beyond.granted, beyond.used), (0, 12), "more than there is");
    assert_eq!(reserve(&other, want(MINUTE, 10, 1, 1)).await.granted, 0);
}

/// An API that asks to wait twice has the longer of both.
async fn the_longest_wait_holds(place: Place) {
    let store = place.open();
    let at = |seconds| place.clock_now() + SignedDuration::from_secs(seconds);
    for until in [at(40), at(20)] {
        store.write_source_pause("shop", until);
        store.settle(Duration::from_secs(10)).await;
    }
    let request = || ReserveRequest { source: "shop".to_owned(), wants: Vec::new(), ended: Vec::new() };
    assert_eq!(store.reserve_units(request()).await.unwrap().held_until, Some(at(40)));
    store.write_source_pause("shop", at(60));
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
    store.write_source_pause("shop", resets_at);
    store.settle(Duration::from_secs(10)).await;
    let request = ReserveRequest { source: "shop".to_owned(), wants: Vec::new(), ended: Vec::new() };
    assert_eq!(store.reserve_units(request).await.unwrap().held_until, Some(resets_at));
    place.clock.advance(Duration::from_secs(22));
    assert!(reserve(&store, want(MINUTE, 100, 96, 96)).await.granted > 90);
}

impl Place {
    fn clock_now(&self) -> Timestamp {
        aqueduct_operations::clock::Clock::now(&self.clock)
    }
}
