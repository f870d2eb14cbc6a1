//! Confirmation tokens: what they are good for, and every way in which they are not.

use crate::support::{Place, asker, call, count_events, issue, on_both_engines, redeem, refusal, request};
use aqueduct_operations::clock::Clock;
use aqueduct_store::approvals::ClaimTerms;
use aqueduct_store::audit::AuditFilter;
use aqueduct_store::confirmations::{Coverage, Issue, Redemption, StoredTokenRefusal};
use aqueduct_store::{CallKey, Store};
use jiff::SignedDuration;
use secrecy::{ExposeSecret, SecretString};
use std::time::Duration;

on_both_engines!(
    good_once,
    refusals_are_told_apart,
    expiry_has_a_grace,
    a_cooldown_is_waited_for,
    a_plan_covers_exactly_its_calls,
    a_plan_is_looked_at_without_using_it,
    a_plan_that_may_not_run,
    revoked,
    a_session_ends,
    issuing_is_limited,
    failures_are_limited,
    a_source_keeps_a_bounded_number,
    no_session_pays_for_another,
    no_minute_has_more,
    nothing_kept_is_a_plain_digest,
    dead_tokens_are_forgotten,
    nothing_prints_or_keeps_a_token,
);

async fn good_once(place: Place) {
    let store = place.open();
    let token = issue(&store, "s1", vec![call("delete_book")]).await;
    assert!(token.expose_secret().starts_with("conf_") && token.expose_secret().len() == 69);
    assert_eq!(refusal(&store, &token, "s1", call("delete_book")).await, None);
    let again = refusal(&store, &token, "s1", call("delete_book")).await;
    assert_eq!(again, Some(StoredTokenRefusal::AlreadyUsed { at: place.clock.now() }));
    assert_eq!(count_events(&store, "TOKEN_ISSUED").await, 1);
    assert_eq!(count_events(&store, "TOKEN_VALIDATED").await, 1);
    assert_eq!(count_events(&store, "TOKEN_REJECTED").await, 1);
    assert_eq!(count_events(&store, "CALL_FINISHED").await, 1);
}

async fn refusals_are_told_apart(place: Place) {
    let store = place.open();
    let token = issue(&store, "s1", vec![call("delete_book")]).await;
    let made_up = SecretString::from("conf_no_such_token");
    assert_eq!(refusal(&store, &made_up, "s1", call("delete_book")).await, Some(StoredTokenRefusal::Unknown));
    assert_eq!(refusal(&store, &token, "s2", call("delete_book")).await, Some(StoredTokenRefusal::Unknown));
    let other = Some(StoredTokenRefusal::OtherCall { operation: "delete_book".to_owned() });
    assert_eq!(refusal(&store, &token, "s1", call("delete_all")).await, other);
    let params = CallKey { params: "p2".to_owned(), ..call("delete_book") };
    assert_eq!(refusal(&store, &token, "s1", params).await, other);
    let source = CallKey { source: "shelves".to_owned(), ..call("delete_book") };
    assert_eq!(refusal(&store, &token, "s1", source).await, other);
    let changed = CallKey { resolved: "r2".to_owned(), ..call("delete_book") };
    assert_eq!(refusal(&store, &token, "s1", changed).await, Some(StoredTokenRefusal::OperationChanged));
    // None of this has used it up.
    assert_eq!(refusal(&store, &token, "s1", call("delete_book")).await, None);
}

async fn expiry_has_a_grace(place: Place) {
    let store = place.open();
    let token = issue(&store, "s1", vec![call("a")]).await;
    let other = issue(&store, "s1", vec![call("b")]).await;
    let end = place.clock.now() + SignedDuration::from_secs(300);
    place.clock.advance(Duration::from_secs(329));
    assert_eq!(refusal(&store, &token, "s1", call("a")).await, None);
    place.clock.advance(Duration::from_secs(1));
    let expired = Some(StoredTokenRefusal::Expired { at: end });
    assert_eq!(refusal(&store, &other, "s1", call("b")).await, expired);
}

async fn a_cooldown_is_waited_for(place: Place) {
    let store = place.open();
    let mut request = request("s1", vec![call("a")]);
    request.cooldown = Duration::from_secs(10);
    let Issue::Issued(issued) = store.issue_token(request).await.unwrap() else { panic!() };
    let until = place.clock.now() + SignedDuration::from_secs(10);
    assert_eq!(issued.usable_at, until);
    let early = refusal(&store, &issued.token, "s1", call("a")).await;
    assert_eq!(early, Some(StoredTokenRefusal::CoolingDown { until }));
    place.clock.advance(Duration::from_secs(10));
    assert_eq!(refusal(&store, &issued.token, "s1", call("a")).await, None);
}

async fn a_plan_covers_exactly_its_calls(place: Place) {
    let store = place.open();
    let token = issue(&store, "s1", vec![call("b"), call("a"), call("b")]).await;
    let outside = refusal(&store, &token, "s1", call("c")).await;
    assert!(matches!(outside, Some(StoredTokenRefusal::OtherCall { .. })));
    for operation in ["b", "a", "b"] {
        assert_eq!(refusal(&store, &token, "s1", call(operation)).await, None, "{operation}");
    }
    for operation in ["a", "b"] {
        let again = refusal(&store, &token, "s1", call(operation)).await;
        assert!(matches!(again, Some(StoredTokenRefusal::AlreadyUsed { .. })), "{operation}");
    }
}

/// Whether the token covers these calls, and for which of them it does not.
async fn coverage(
    store: &Store,
    token: &SecretString,
    session: &str,
    calls: &[&str],
) -> Result<(), (usize, StoredTokenRefusal)> {
    let calls = calls.iter().map(|operation| call(operation)).collect();
    let covered = store.token_covers(token.clone(), asker(session), calls, Duration::from_secs(30)).await;
    match covered.unwrap() {
        Coverage::Whole => Ok(()),
        Coverage::Refused { index, refusal } => Err((index, refusal)),
        Coverage::Limited { .. } => panic!("limited"),
    }
}

async fn a_plan_is_looked_at_without_using_it(place: Place) {
    let store = place.open();
    let token = issue(&store, "s1", vec![call("b"), call("a"), call("b")]).await;
    for calls in [&["b", "a", "b"] as &[&str], &["a"], &["b", "b"], &[]] {
        assert_eq!(coverage(&store, &token, "s1", calls).await, Ok(()), "{calls:?}");
    }
    let oftener = coverage(&store, &token, "s1", &["a", "b", "a"]).await;
    assert_eq!(oftener, Err((2, StoredTokenRefusal::OtherCall { operation: "a".to_owned() })));
    let outside = coverage(&store, &token, "s1", &["a", "c"]).await;
    assert!(matches!(outside, Err((1, StoredTokenRefusal::OtherCall { .. }))), "{outside:?}");
    assert_eq!(coverage(&store, &token, "s2", &["a"]).await, Err((0, StoredTokenRefusal::Unknown)));
    assert_eq!(count_events(&store, "TOKEN_REJECTED").await, 3, "a refusal is counted and noted");
    assert_eq!(refusal(&store, &token, "s1", call("b")).await, None);
    assert_eq!(coverage(&store, &token, "s1", &["a", "b"]).await, Ok(()));
    let used = coverage(&store, &token, "s1", &["a", "b", "b"]).await;
    assert!(matches!(used, Err((2, StoredTokenRefusal::OtherCall { .. }))), "{used:?}");
    place.clock.advance(Duration::from_secs(331));
    let expired = coverage(&store, &token, "s1", &["a"]).await;
    assert!(matches!(expired, Err((0, StoredTokenRefusal::Expired { .. }))), "{expired:?}");
}

/// A plan is refused as a whole for what each of its calls would be refused for: it cools down, would send something else, or was taken
/// back.
async fn a_plan_that_may_not_run(place: Place) {
    let store = place.open();
    let mut request = request("s1", vec![call("a"), call("b")]);
    request.cooldown = Duration::from_secs(10);
    let Issue::Issued(issued) = store.issue_token(request).await.unwrap() else { panic!() };
    let token = issued.token;
    let early = coverage(&store, &token, "s1", &["a", "b"]).await;
    assert_eq!(early, Err((0, StoredTokenRefusal::CoolingDown { until: issued.usable_at })));
    place.clock.advance(Duration::from_secs(10));
    assert_eq!(coverage(&store, &token, "s1", &["a", "b"]).await, Ok(()));
    for (other, refusal) in [
        (CallKey { resolved: "r2".to_owned(), ..call("b") }, StoredTokenRefusal::OperationChanged),
        (
            CallKey { params: "p2".to_owned(), ..call("b") },
            StoredTokenRefusal::OtherCall { operation: "a".to_owned() },
        ),
        (
            CallKey { source: "shelves".to_owned(), ..call("b") },
            StoredTokenRefusal::OtherCall { operation: "a".to_owned() },
        ),
    ] {
        let calls = vec![call("a"), other];
        let covered = store.token_covers(token.clone(), asker("s1"), calls, Duration::ZERO).await.unwrap();
        let Coverage::Refused { index: 1, refusal: found } = covered else { panic!("{covered:?}") };
        assert_eq!(found, refusal);
    }
    assert!(store.revoke_token(&token, "s1").await.unwrap());
    assert_eq!(coverage(&store, &token, "s1", &["a", "b"]).await, Err((0, StoredTokenRefusal::Revoked)));
}

async fn revoked(place: Place) {
    let store = place.open();
    let token = issue(&store, "s1", vec![call("a")]).await;
    assert!(!store.revoke_token(&token, "s2").await.unwrap());
    assert!(store.revoke_token(&token, "s1").await.unwrap());
    assert!(!store.revoke_token(&token, "s1").await.unwrap());
    assert_eq!(refusal(&store, &token, "s1", call("a")).await, Some(StoredTokenRefusal::Revoked));
    assert_eq!(count_events(&store, "TOKEN_REVOKED").await, 1);
}

async fn a_session_ends(place: Place) {
    let store = place.open();
    let of_ended = issue(&store, "s1", vec![call("a")]).await;
    let of_other = issue(&store, "s2", vec![call("a")]).await;
    store.end_session("s1").await.unwrap();
    assert_eq!(refusal(&store, &of_ended, "s1", call("a")).await, Some(StoredTokenRefusal::Revoked));
    assert_eq!(refusal(&store, &of_other, "s2", call("a")).await, None);
    let filter = AuditFilter { event: Some("TOKEN_REVOKED".to_owned()), ..AuditFilter::default() };
    let lines = store.audit_lines(filter, 10).await.unwrap();
    let told: Vec<_> =
        lines.iter().map(|it| (it.entry.session.as_deref(), it.entry.caller.as_deref())).collect();
    assert_eq!(told, [(Some("s1"), Some("alice"))], "whose it was");
}

async fn issuing_is_limited(mut place: Place) {
    place.settings.limits.issued_per_minute = 3;
    let (store, other_instance) = (place.open(), place.open());
    let (soonest, latest) = (SignedDuration::from_mins(1), SignedDuration::from_secs(70));
    for _ in 0..3 {
        issue(&store, "s1", vec![call("a")]).await;
    }
    for _ in 0..5 {
        let refused = other_instance.issue_token(request("s1", vec![call("a")])).await.unwrap();
        let Issue::Limited { until } = refused else { panic!("{refused:?}") };
        let wait = until.duration_since(place.clock.now());
        assert!(soonest < wait && wait <= latest, "{wait:?}");
    }
    issue(&store, "s2", vec![call("a")]).await;
    // One line for all five: the caller without end does not fill the audit.
    assert_eq!(count_events(&store, "TOKEN_REJECTED").await, 1);
    place.clock.advance(Duration::from_secs(70));
    issue(&store, "s1", vec![call("a")]).await;
}

/// Wherever a minute begins, it has no more than the limit: not in the seconds around the end of a window either.
async fn no_minute_has_more(mut place: Place) {
    place.settings.limits.issued_per_minute = 4;
    let store = place.open();
    let mut issued = Vec::new();
    for _ in 0..100 {
        if let Issue::Issued(_) = store.issue_token(request("s1", vec![call("a")])).await.unwrap() {
            issued.push(place.clock.now());
        }
        place.clock.advance(Duration::from_secs(3));
    }
    for first in &issued {
        let end = *first + SignedDuration::from_mins(1);
        let within = issued.iter().filter(|at| *first <= **at && **at < end).count();
        assert!(within <= 4, "{within} from {first} on: {issued:?}");
    }
    // What is refused is not counted: 300 seconds have room for four in every 70.
    assert!(issued.len() >= 16, "{issued:?}");
}

async fn failures_are_limited(mut place: Place) {
    place.settings.limits.failures_per_minute = 3;
    let (store, other_instance) = (place.open(), place.open());
    let good = issue(&store, "s1", vec![call("a")]).await;
    let bad = SecretString::from("conf_bad");
    for _ in 0..3 {
        assert_eq!(refusal(&store, &bad, "s1", call("a")).await, Some(StoredTokenRefusal::Unknown));
    }
    for _ in 0..5 {
        let limited = redeem(&other_instance, &good, "s1", call("a")).await;
        assert!(matches!(limited, Redemption::Limited { .. }));
    }
    // Those three, and one line that no more are looked at.
    assert_eq!(count_events(&store, "TOKEN_REJECTED").await, 4);
    let of_other = issue(&store, "s2", vec![call("a")]).await;
    assert_eq!(refusal(&store, &of_other, "s2", call("a")).await, None);
    place.clock.advance(Duration::from_secs(70));
    assert_eq!(refusal(&store, &good, "s1", call("a")).await, None);
}

async fn a_source_keeps_a_bounded_number(mut place: Place) {
    place.settings.limits.live_tokens_per_source = 8;
    let store = place.open();
    let modest = issue(&store, "modest", vec![call("a")]).await;
    let mut greedy = Vec::new();
    for _ in 0..5 {
        place.clock.advance(Duration::from_secs(1));
        greedy.push(issue(&store, "greedy", vec![call("a")]).await);
    }
    assert_eq!(store.status().await.unwrap().live_tokens, 4, "one caller has half of the room");
    assert_eq!(count_events(&store, "TOKEN_REVOKED").await, 2, "what made room is in the audit");
    assert_eq!(refusal(&store, &modest, "modest", call("a")).await, None);
    for token in &greedy[..2] {
        assert_eq!(refusal(&store, token, "greedy", call("a")).await, Some(StoredTokenRefusal::Unknown));
    }
    assert_eq!(refusal(&store, &greedy[4], "greedy", call("a")).await, None);
}

/// A session without tokens gets none when the room of its caller is full; other callers do.
async fn no_session_pays_for_another(mut place: Place) {
    place.settings.limits.live_tokens_per_source = 4;
    let store = place.open();
    let first = issue(&store, "one", vec![call("a")]).await;
    issue(&store, "two", vec![call("a")]).await;
    for _ in 0..3 {
        let full = store.issue_token(request("three", vec![call("a")])).await.unwrap();
        let Issue::Limited { until } = full else { panic!("{full:?}") };
        assert_eq!(until, place.clock.now() + SignedDuration::from_secs(300), "the first expires then");
    }
    assert_eq!(count_events(&store, "TOKEN_REJECTED").await, 1);
    let mut of_bob = request("four", vec![call("a")]);
    of_bob.asker.caller = "bob".to_owned();
    assert!(matches!(store.issue_token(of_bob).await.unwrap(), Issue::Issued(_)));
    assert_eq!(refusal(&store, &first, "one", call("a")).await, None);
}

/// What a token is good for is kept here, under a random name; of parameters, which may be easily guessed, not
/// even their digest.
async fn nothing_kept_is_a_plain_digest(place: Place) {
    let store = place.open();
    let digest = |text: &str| aqueduct_operations::digest::Digest::of_text(text).hex();
    let call = CallKey { params: digest("pin=0000"), resolved: digest("DELETE /cards/0000"), ..call("a") };
    let token = issue(&store, "s1", vec![call.clone()]).await;
    crate::support::ask(&store, "s1", vec![call.clone()]).await;
    store.claim_approval(&asker("s1"), &call, ClaimTerms::default()).await.unwrap();
    store.note_audit(aqueduct_store::audit::AuditEntry::new("OPERATION_DENIED", "denied").about(&call));
    assert_eq!(refusal(&store, &token, "s1", call.clone()).await, None);
    let mut whole = Vec::new();
    store.export(&mut whole).await.unwrap();
    let whole = String::from_utf8(whole).unwrap();
    assert!(!whole.contains(&call.params) && !whole.contains(&call.resolved));
    let lines = store.audit_lines(AuditFilter::default(), 100).await.unwrap();
    let codes: Vec<_> = lines.iter().filter_map(|line| line.entry.params.clone()).collect();
    assert!(codes.len() >= 5 && codes.iter().all(|code| *code == codes[0] && code.len() == 64), "{codes:?}");
}

async fn dead_tokens_are_forgotten(place: Place) {
    let store = place.open();
    let token = issue(&store, "s1", vec![call("a")]).await;
    place.clock.advance(Duration::from_secs(3600));
    store.maintain().await.unwrap();
    let known = refusal(&store, &token, "s1", call("a")).await;
    assert!(matches!(known, Some(StoredTokenRefusal::Expired { .. })));
    place.clock.advance(Duration::from_secs(600));
    store.maintain().await.unwrap();
    assert_eq!(refusal(&store, &token, "s1", call("a")).await, Some(StoredTokenRefusal::Unknown));
}

async fn nothing_prints_or_keeps_a_token(place: Place) {
    let store = place.open();
    let Issue::Issued(issued) = store.issue_token(request("s1", vec![call("a")])).await.unwrap() else {
        panic!()
    };
    let clear = issued.token.expose_secret().to_owned();
    let random = clear.strip_prefix("conf_").unwrap();
    let shown = format!("{issued:?} {store:?} {:?} {:?}", place.settings, asker("s1"));
    assert!(!shown.contains(random) && !shown.contains("0f0f0f"), "{shown}");
    let mut whole = Vec::new();
    store.export(&mut whole).await.unwrap();
    let whole = String::from_utf8(whole).unwrap();
    assert!(whole.contains("TOKEN_ISSUED") && !whole.contains(random));
}
