//! Callers and the operator: names, scopes, expiry, rotation; a passphrase that is set once.

use crate::support::{Place, ask, asker, call, count_events, issue, on_both_engines, refusal, request};
use aqueduct_operations::clock::Clock;
use aqueduct_store::Store;
use aqueduct_store::approvals::{ApprovalDecision, ApprovalState, Claim, ClaimTerms};
use aqueduct_store::callers::{Added, NewCaller};
use aqueduct_store::confirmations::{Issue, StoredTokenRefusal};
use secrecy::{ExposeSecret, SecretString};
use std::time::Duration;

on_both_engines!(
    known_by_their_token,
    ever_some,
    rotated,
    a_revoked_caller_has_nothing_left,
    passphrases_are_limited,
    changes_reach_other_instances,
    a_passphrase_is_set_once
);

fn caller(name: &str) -> NewCaller {
    NewCaller { name: name.to_owned(), scopes: vec!["books".to_owned()], lifetime: None, overlap: None }
}

async fn add(store: &Store, caller: NewCaller) -> SecretString {
    match store.add_caller(caller, "olga").await.unwrap() {
        Added::Added(token) => token,
        Added::NameTaken => panic!("taken"),
    }
}

async fn known_by_their_token(place: Place) {
    let store = place.open();
    let alice = add(&store, caller("alice")).await;
    let day = Duration::from_secs(86_400);
    let bob = add(&store, NewCaller { lifetime: Some(day), ..caller("bob") }).await;
    let taken = store.add_caller(caller("alice"), "olga").await.unwrap();
    assert!(matches!(taken, Added::NameTaken));
    let callers = store.callers().await.unwrap();
    let name = |token| callers.find(token, place.clock.now()).map(|caller| caller.name.clone());
    assert_eq!(name(&alice).as_deref(), Some("alice"));
    assert_eq!(name(&bob).as_deref(), Some("bob"));
    assert_eq!(name(&SecretString::from("aq_guess")), None);
    assert!(!format!("{callers:?}").contains(alice.expose_secret()));
    // What was read stays right while time goes on.
    place.clock.advance(day);
    assert!(callers.find(&bob, place.clock.now()).is_none());
    assert!(callers.find(&alice, place.clock.now()).is_some());
    assert!(store.revoke_caller("alice", "olga").await.unwrap());
    assert!(!store.revoke_caller("alice", "olga").await.unwrap());
    let left = store.callers().await.unwrap();
    assert_eq!(left.iter().map(|caller| caller.name.as_str()).collect::<Vec<_>>(), ["bob"], "it has expired");
    assert!(left.find(&bob, place.clock.now()).is_none());
    place.clock.advance(31 * day);
    assert_eq!(store.callers().await.unwrap().iter().count(), 0);
    add(&store, caller("alice")).await;
    assert_eq!(count_events(&store, "CALLER_ADDED").await, 3);
    assert_eq!(count_events(&store, "CALLER_REVOKED").await, 1);
}

/// Those that are gone are remembered: a store that had callers is not one that never had any.
async fn ever_some(place: Place) {
    let store = place.open();
    assert!(!store.callers().await.unwrap().were_ever_some());
    let day = Duration::from_secs(86_400);
    add(&store, NewCaller { lifetime: Some(day), ..caller("alice") }).await;
    add(&store, caller("bob")).await;
    assert!(store.revoke_caller("bob", "olga").await.unwrap());
    place.clock.advance(40 * day);
    store.maintain().await.unwrap();
    let callers = store.callers().await.unwrap();
    assert!(callers.were_ever_some() && callers.iter().count() == 0, "{callers:?}");
}

async fn rotated(place: Place) {
    let store = place.open();
    let before = add(&store, caller("alice")).await;
    let hour = Duration::from_secs(3600);
    let after = add(&store, NewCaller { overlap: Some(hour), ..caller("alice") }).await;
    for (token, is_good) in [(&before, true), (&after, true)] {
        let callers = store.callers().await.unwrap();
        assert_eq!(callers.find(token, place.clock.now()).is_some(), is_good);
    }
    place.clock.advance(hour);
    let callers = store.callers().await.unwrap();
    assert!(callers.find(&before, place.clock.now()).is_none());
    assert!(callers.find(&after, place.clock.now()).is_some());
    assert!(store.revoke_caller("alice", "olga").await.unwrap(), "all of them");
    assert_eq!(store.callers().await.unwrap().iter().count(), 0);
}

/// What a caller was given and has not used goes with its token; what others have stays.
async fn a_revoked_caller_has_nothing_left(place: Place) {
    let store = place.open();
    add(&store, caller("alice")).await;
    let token = issue(&store, "s1", vec![call("a")]).await;
    let waiting = ask(&store, "s1", vec![call("b")]).await;
    let approved = ask(&store, "s2", vec![call("c")]).await;
    let yes = ApprovalDecision::Approve { usable_for: Duration::from_secs(60) };
    store.decide_approval(&approved.id, yes, "olga").await.unwrap();
    let mut of_bob = request("s3", vec![call("a")]);
    of_bob.asker.caller = "bob".to_owned();
    let Issue::Issued(of_bob) = store.issue_token(of_bob).await.unwrap() else { panic!() };
    assert!(store.revoke_caller("alice", "olga").await.unwrap());
    assert_eq!(refusal(&store, &token, "s1", call("a")).await, Some(StoredTokenRefusal::Revoked));
    for id in [&waiting.id, &approved.id] {
        assert_eq!(store.approval(id).await.unwrap().unwrap().state, ApprovalState::Expired);
    }
    let claimed = store.claim_approval(&asker("s2"), &call("c"), ClaimTerms::default()).await.unwrap();
    assert!(matches!(claimed, Claim::Nothing), "{claimed:?}");
    assert_eq!(refusal(&store, &of_bob.token, "s3", call("a")).await, None);
    assert_eq!(count_events(&store, "TOKEN_REVOKED").await, 1);
    assert_eq!(count_events(&store, "APPROVAL_EXPIRED").await, 2);
}

/// Attempts while none is looked at have one line a minute, whichever process makes them.
async fn passphrases_are_limited(place: Place) {
    let (one, other) = (place.open(), place.open());
    for _ in 0..5 {
        assert_eq!(one.begin_passphrase_attempt().await.unwrap(), None);
        one.end_passphrase_attempt(false).await.unwrap();
    }
    for store in [&one, &other, &one] {
        assert!(store.begin_passphrase_attempt().await.unwrap().is_some());
    }
    assert_eq!(count_events(&one, "PASSPHRASE_REJECTED").await, 6);
    place.clock.advance(Duration::from_secs(70));
    assert_eq!(one.begin_passphrase_attempt().await.unwrap(), None);
    one.end_passphrase_attempt(true).await.unwrap();
    for _ in 0..5 {
        assert_eq!(one.begin_passphrase_attempt().await.unwrap(), None, "a good one makes it begin anew");
    }
}

async fn changes_reach_other_instances(place: Place) {
    let (one, other) = (place.open(), place.open());
    other.prepare().await.unwrap();
    let mut changes = other.changes();
    // The first look and the begin of listening count as changes too.
    while tokio::time::timeout(Duration::from_secs(1), changes.changed()).await.is_ok() {}
    let token = add(&one, caller("alice")).await;
    tokio::time::timeout(Duration::from_secs(10), changes.changed()).await.unwrap().unwrap();
    assert!(other.callers().await.unwrap().find(&token, place.clock.now()).is_some());
    assert!(one.revoke_caller("alice", "olga").await.unwrap());
    tokio::time::timeout(Duration::from_secs(10), changes.changed()).await.unwrap().unwrap();
    assert!(other.callers().await.unwrap().find(&token, place.clock.now()).is_none());
}

async fn a_passphrase_is_set_once(place: Place) {
    let store = place.open();
    assert!(store.operator_passphrase().await.unwrap().is_none());
    let hash = |text: &str| SecretString::from(text);
    assert!(store.set_operator_passphrase(hash("$argon2id$one")).await.unwrap());
    assert!(!store.set_operator_passphrase(hash("$argon2id$two")).await.unwrap());
    assert!(!store.replace_operator_passphrase(hash("$argon2id$two"), hash("$argon2id$x")).await.unwrap());
    assert!(store.replace_operator_passphrase(hash("$argon2id$one"), hash("$argon2id$x")).await.unwrap());
    let kept = store.operator_passphrase().await.unwrap().unwrap();
    assert_eq!(kept.expose_secret(), "$argon2id$x");
    assert!(store.status().await.unwrap().has_passphrase);
    assert_eq!(count_events(&store, "PASSPHRASE_SET").await, 2);
}
