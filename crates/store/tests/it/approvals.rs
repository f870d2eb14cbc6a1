//! Approvals: asked once, answered once, run once.

use crate::support::{
    Place, ask, asker, call, count_events, issue, on_both_engines, question, redeem, settle,
};
use aqueduct_operations::clock::Clock;
use aqueduct_store::approvals::{
    Approval, ApprovalDecision, ApprovalState, Claim, ClaimTerms, Decided, PlanState, RequestedApproval,
};
use aqueduct_store::audit::AuditFilter;
use aqueduct_store::callers::NewCaller;
use aqueduct_store::confirmations::{Redemption, StoredTokenRefusal};
use aqueduct_store::revocation::{Revocation, Revoked};
use aqueduct_store::{CallKey, Store};
use std::time::{Duration, Instant};

on_both_engines!(
    a_yes_is_good_for_one_run,
    the_same_question_is_asked_once,
    a_no_is_told,
    the_first_answer_counts,
    nobody_answers,
    a_yes_that_is_not_used,
    a_plan_is_answered_at_once,
    a_plan_is_found_again,
    another_call_is_another_question,
    a_session_ends,
    of_a_plan_only_the_rest_expires,
    the_last_two_of_a_plan_at_once,
    asking_is_limited,
    a_caller_has_a_bounded_number_waiting,
    asked_again_and_again,
    an_answer_on_another_instance_wakes,
    a_yes_cools_down,
    taken_back,
    taken_back_by_session_and_caller,
);

const COOLDOWN: Duration = Duration::from_secs(30);

const YES: ApprovalDecision = ApprovalDecision::Approve { usable_for: Duration::from_secs(60) };

async fn claim(store: &Store, session: &str, call: &CallKey) -> &'static str {
    match store.claim_approval(&asker(session), call, ClaimTerms::default()).await.unwrap() {
        Claim::Claimed { call, approval } => {
            assert_eq!(approval.approver.as_deref(), Some("olga"));
            call.finish("success", None);
            settle(store).await;
            "claimed"
        }
        Claim::CoolingDown { .. } => "cooling down",
        Claim::Waiting(_) => "waiting",
        Claim::Denied(_) => "denied",
        Claim::Nothing => "nothing",
    }
}

/// Waits until an approval is answered or has expired, at most for so long; how far it is then.
async fn wait_for_decision(store: &Store, id: &str, at_most: Duration) -> Option<Approval> {
    let mut changes = store.changes();
    let deadline = tokio::time::Instant::now() + at_most;
    loop {
        // Marked as seen before it is read: a change in between wakes the next wait.
        changes.mark_unchanged();
        let approval = store.approval(id).await.unwrap();
        if approval.as_ref().is_none_or(|found| found.state != ApprovalState::Waiting) {
            return approval;
        }
        if tokio::time::timeout_at(deadline, changes.changed()).await.is_err() {
            return store.approval(id).await.unwrap();
        }
    }
}

async fn state(store: &Store, id: &str) -> ApprovalState {
    store.approval(id).await.unwrap().unwrap().state
}

async fn a_yes_is_good_for_one_run(place: Place) {
    let store = place.open();
    let delete = call("delete_book");
    assert_eq!(claim(&store, "s1", &delete).await, "nothing");
    let approval = ask(&store, "s1", vec![delete.clone()]).await;
    assert_eq!(approval.state, ApprovalState::Waiting);
    assert_eq!(approval.shown["operation"], "delete_book");
    assert_eq!(claim(&store, "s1", &delete).await, "waiting");
    assert_eq!(store.waiting_approvals(10).await.unwrap(), std::slice::from_ref(&approval));
    let decided = store.decide_approval(&approval.id, YES, "olga").await.unwrap();
    assert!(matches!(decided, Decided::Done(done) if done.state == ApprovalState::Approved));
    assert!(store.waiting_approvals(10).await.unwrap().is_empty());
    assert_eq!(claim(&store, "s2", &delete).await, "nothing");
    assert_eq!(claim(&store, "s1", &delete).await, "claimed");
    assert_eq!(state(&store, &approval.id).await, ApprovalState::Used);
    assert_eq!(claim(&store, "s1", &delete).await, "nothing");
    for event in ["APPROVAL_REQUESTED", "APPROVAL_GRANTED", "APPROVAL_USED", "CALL_FINISHED"] {
        assert_eq!(count_events(&store, event).await, 1, "{event}");
    }
}

async fn the_same_question_is_asked_once(place: Place) {
    let (one, other) = (place.open(), place.open());
    one.prepare().await.unwrap();
    let questions = (0..8).map(|index| {
        let store = if index % 2 == 0 { one.clone() } else { other.clone() };
        tokio::spawn(async move { ask(&store, "s1", vec![call("a"), call("b")]).await.id })
    });
    let questions: Vec<_> = questions.collect();
    let mut ids = Vec::new();
    for question in questions {
        ids.push(question.await.unwrap());
    }
    ids.dedup();
    assert_eq!(ids.len(), 1);
    assert_eq!(one.waiting_approvals(10).await.unwrap().len(), 1);
}

async fn a_no_is_told(place: Place) {
    let store = place.open();
    let approval = ask(&store, "s1", vec![call("a")]).await;
    let no = ApprovalDecision::Deny { reason: Some("not on a Friday".to_owned()) };
    store.decide_approval(&approval.id, no, "olga").await.unwrap();
    let denied = store.claim_approval(&asker("s1"), &call("a"), ClaimTerms::default()).await.unwrap();
    let Claim::Denied(denied) = denied else { panic!("{denied:?}") };
    assert_eq!(denied.reason.as_deref(), Some("not on a Friday"));
    // Once its time is over, the question can be put anew.
    place.clock.advance(Duration::from_secs(301));
    assert_eq!(claim(&store, "s1", &call("a")).await, "nothing");
    assert_ne!(ask(&store, "s1", vec![call("a")]).await.id, approval.id);
}

async fn the_first_answer_counts(place: Place) {
    let (one, other) = (place.open(), place.open());
    for _ in 0..5 {
        let id = ask(&one, "s1", vec![call("a")]).await.id;
        let yes = one.decide_approval(&id, YES, "olga");
        let no = other.decide_approval(&id, ApprovalDecision::Deny { reason: None }, "otto");
        let (yes, no) = tokio::join!(yes, no);
        let done = [yes.unwrap(), no.unwrap()].into_iter().filter(|it| matches!(it, Decided::Done(_)));
        assert_eq!(done.count(), 1);
        place.clock.advance(Duration::from_secs(400));
    }
    let unknown = one.decide_approval("no-such-id", YES, "olga").await.unwrap();
    assert!(matches!(unknown, Decided::Unknown));
}

async fn nobody_answers(place: Place) {
    let store = place.open();
    let approval = ask(&store, "s1", vec![call("a")]).await;
    place.clock.advance(Duration::from_secs(301));
    assert_eq!(state(&store, &approval.id).await, ApprovalState::Expired);
    let late = store.decide_approval(&approval.id, YES, "olga").await.unwrap();
    assert!(matches!(late, Decided::TooLate(_)));
    let again = ask(&store, "s1", vec![call("a")]).await;
    assert_ne!(again.id, approval.id);
    place.clock.advance(Duration::from_secs(301));
    store.maintain().await.unwrap();
    store.maintain().await.unwrap();
    assert_eq!(count_events(&store, "APPROVAL_EXPIRED").await, 2);
}

async fn a_yes_that_is_not_used(place: Place) {
    let store = place.open();
    let approval = ask(&store, "s1", vec![call("a")]).await;
    store.decide_approval(&approval.id, YES, "olga").await.unwrap();
    place.clock.advance(Duration::from_secs(61));
    assert_eq!(claim(&store, "s1", &call("a")).await, "nothing");
    store.maintain().await.unwrap();
    assert_eq!(count_events(&store, "APPROVAL_EXPIRED").await, 1);
}

async fn a_plan_is_answered_at_once(place: Place) {
    let store = place.open();
    let plan = vec![call("a"), call("b"), call("a")];
    let approval = ask(&store, "s1", plan).await;
    store.decide_approval(&approval.id, YES, "olga").await.unwrap();
    for operation in ["a", "b", "a"] {
        assert_eq!(state(&store, &approval.id).await, ApprovalState::Approved);
        assert_eq!(claim(&store, "s1", &call(operation)).await, "claimed");
    }
    assert_eq!(state(&store, &approval.id).await, ApprovalState::Used);
    assert_eq!(claim(&store, "s1", &call("a")).await, "nothing");
    assert_eq!(claim(&store, "s1", &call("c")).await, "nothing");
}

async fn plan_state(store: &Store, session: &str, calls: &[&str]) -> &'static str {
    let calls = calls.iter().map(|operation| call(operation)).collect();
    match store.plan_approval(asker(session), calls, Duration::ZERO).await.unwrap() {
        PlanState::Approved => "approved",
        PlanState::CoolingDown { .. } => "cooling down",
        PlanState::Waiting(_) => "waiting",
        PlanState::Denied(_) => "denied",
        PlanState::Nothing => "nothing",
    }
}

async fn a_plan_is_found_again(place: Place) {
    let store = place.open();
    assert_eq!(plan_state(&store, "s1", &["a", "b", "a"]).await, "nothing");
    let approval = ask(&store, "s1", vec![call("a"), call("b"), call("a")]).await;
    assert_eq!(plan_state(&store, "s1", &["b", "a", "a"]).await, "waiting");
    for other in [&["a", "b"] as &[&str], &["a", "b", "a", "c"], &["a"]] {
        assert_eq!(plan_state(&store, "s1", other).await, "nothing", "{other:?}");
    }
    assert_eq!(plan_state(&store, "s2", &["a", "b", "a"]).await, "nothing");
    store.decide_approval(&approval.id, YES, "olga").await.unwrap();
    assert_eq!(plan_state(&store, "s1", &["a", "b", "a"]).await, "approved");
    assert_eq!(plan_state(&store, "s1", &["a", "b", "b"]).await, "nothing", "not as often");
    assert_eq!(plan_state(&store, "s1", &["a", "b", "c"]).await, "nothing");
    assert_eq!(claim(&store, "s1", &call("a")).await, "claimed");
    assert_eq!(plan_state(&store, "s1", &["a", "b", "a"]).await, "nothing", "it has begun");
    assert_eq!(plan_state(&store, "s1", &["a", "b"]).await, "approved", "and can be gone on with");
    let denied = ask(&store, "s1", vec![call("c"), call("d")]).await;
    store.decide_approval(&denied.id, ApprovalDecision::Deny { reason: None }, "olga").await.unwrap();
    assert_eq!(plan_state(&store, "s1", &["c", "d"]).await, "denied");
    place.clock.advance(Duration::from_secs(301));
    assert_eq!(plan_state(&store, "s1", &["c", "d"]).await, "nothing");
    assert_eq!(plan_state(&store, "s1", &["a", "b"]).await, "nothing");
}

/// An answer, and a question that waits for one, is for its call alone: nothing of it is told of, or runs, another.
async fn another_call_is_another_question(place: Place) {
    let store = place.open();
    let others = [
        CallKey { source: "shelves".to_owned(), ..call("a") },
        call("b"),
        CallKey { params: "p2".to_owned(), ..call("a") },
        CallKey { resolved: "r2".to_owned(), ..call("a") },
    ];
    for (verdict, own) in
        [(None, "waiting"), (Some(ApprovalDecision::Deny { reason: None }), "denied"), (Some(YES), "claimed")]
    {
        let approval = ask(&store, "s1", vec![call("a")]).await;
        if let Some(verdict) = verdict {
            store.decide_approval(&approval.id, verdict, "olga").await.unwrap();
        }
        for other in &others {
            assert_eq!(claim(&store, "s1", other).await, "nothing", "{own}: {other:?}");
        }
        assert_eq!(claim(&store, "s1", &call("a")).await, own);
        if own == "waiting" {
            let no = ApprovalDecision::Deny { reason: None };
            store.decide_approval(&approval.id, no, "olga").await.unwrap();
        }
    }
    for other in &others {
        ask(&store, "s1", vec![other.clone()]).await;
    }
    assert_eq!(
        store.waiting_approvals(10).await.unwrap().len(),
        others.len(),
        "each is a question of its own"
    );
}

async fn a_session_ends(place: Place) {
    let store = place.open();
    let waiting = ask(&store, "s1", vec![call("a")]).await;
    let approved = ask(&store, "s1", vec![call("b")]).await;
    store.decide_approval(&approved.id, YES, "olga").await.unwrap();
    store.end_session("s1").await.unwrap();
    for id in [waiting.id, approved.id] {
        assert_eq!(state(&store, &id).await, ApprovalState::Expired);
    }
    assert_eq!(claim(&store, "s1", &call("b")).await, "nothing");
}

/// S12: no line says that a call expired which has run: when the time is over, the session ends, or the caller is revoked.
async fn of_a_plan_only_the_rest_expires(place: Place) {
    let store = place.open();
    let caller = NewCaller { name: "alice".to_owned(), scopes: Vec::new(), lifetime: None, overlap: None };
    store.add_caller(caller, "olga").await.unwrap();
    for (round, session) in ["s1", "s2", "s3"].into_iter().enumerate() {
        let plan = vec![call("a"), call("b"), call("b"), call("c")];
        let approval = ask(&store, session, plan).await;
        store.decide_approval(&approval.id, YES, "olga").await.unwrap();
        for operation in ["a", "b"] {
            assert_eq!(claim(&store, session, &call(operation)).await, "claimed");
        }
        match round {
            0 => {
                place.clock.advance(Duration::from_secs(61));
                store.maintain().await.unwrap();
            }
            1 => store.end_session(session).await.unwrap(),
            _ => assert!(store.revoke_caller("alice", "olga").await.unwrap()),
        }
        assert_eq!(state(&store, &approval.id).await, ApprovalState::Expired);
        let filter = AuditFilter {
            event: Some("APPROVAL_EXPIRED".to_owned()),
            session: Some(session.to_owned()),
            ..AuditFilter::default()
        };
        let lines = store.audit_lines(filter, 10).await.unwrap();
        let expired: Vec<_> = lines.iter().map(|line| line.entry.operation.as_deref()).collect();
        assert_eq!(expired, [Some("b"), Some("c")], "{session}");
    }
}

/// A plan is used up when its last two calls are claimed at once, and never expires then.
async fn the_last_two_of_a_plan_at_once(place: Place) {
    let (one, other) = (place.open(), place.open());
    for round in 0..40 {
        let session = format!("s{round}");
        let approval = ask(&one, &session, vec![call("a"), call("b")]).await;
        one.decide_approval(&approval.id, YES, "olga").await.unwrap();
        let claims = [(&one, "a"), (&other, "b")].map(|(store, operation)| {
            let (store, session) = (store.clone(), session.clone());
            tokio::spawn(async move { claim(&store, &session, &call(operation)).await })
        });
        for claimed in claims {
            assert_eq!(claimed.await.unwrap(), "claimed");
        }
        assert_eq!(state(&one, &approval.id).await, ApprovalState::Used, "round {round}");
        // Asking is limited by the session, and its number of questions by the caller.
        place.clock.advance(Duration::from_secs(61));
    }
    one.maintain().await.unwrap();
    assert_eq!(count_events(&one, "APPROVAL_EXPIRED").await, 0);
}

async fn asking_is_limited(mut place: Place) {
    place.settings.limits.issued_per_minute = 2;
    let store = place.open();
    for operation in ["a", "b"] {
        ask(&store, "s1", vec![call(operation)]).await;
    }
    let limited = store.request_approval(question("s1", vec![call("c")])).await.unwrap();
    assert!(matches!(limited, RequestedApproval::Limited { .. }));
    // What waits already is no new question.
    ask(&store, "s1", vec![call("a")]).await;
}

async fn an_answer_on_another_instance_wakes(place: Place) {
    let (asking, answering) = (place.open(), place.open());
    let id = ask(&asking, "s1", vec![call("a")]).await.id;
    let waits = {
        let (store, id) = (asking.clone(), id.clone());
        tokio::spawn(async move { wait_for_decision(&store, &id, Duration::from_secs(20)).await })
    };
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(!waits.is_finished());
    let since = Instant::now();
    answering.decide_approval(&id, YES, "olga").await.unwrap();
    let approval = waits.await.unwrap().unwrap();
    assert_eq!(approval.state, ApprovalState::Approved);
    // Looking for changes every two seconds, as with PostgreSQL, would take longer on average.
    assert!(since.elapsed() < Duration::from_millis(1500), "{:?}", since.elapsed());
    let other = ask(&asking, "s1", vec![call("b")]).await.id;
    let still = wait_for_decision(&asking, &other, Duration::from_millis(50)).await.unwrap();
    assert_eq!(still.state, ApprovalState::Waiting);
}

/// X-danger-5: the time to think is counted from the answer, for one call and for a plan, and what runs says what its adapter wants.
async fn a_yes_cools_down(place: Place) {
    let store = place.open();
    let terms = || ClaimTerms { cooldown: COOLDOWN, context: Some("id=7".to_owned()) };
    let approval = ask(&store, "s1", vec![call("a"), call("b")]).await;
    place.clock.advance(COOLDOWN);
    store.decide_approval(&approval.id, YES, "olga").await.unwrap();
    let plan = async || {
        let calls = vec![call("a"), call("b")];
        store.plan_approval(asker("s1"), calls, COOLDOWN).await.unwrap()
    };
    let early = store.claim_approval(&asker("s1"), &call("a"), terms()).await.unwrap();
    let Claim::CoolingDown { until } = early else { panic!("{early:?}") };
    let planned = plan().await;
    assert!(matches!(planned, PlanState::CoolingDown { until: then } if then == until), "{planned:?}");
    assert_eq!(count_events(&store, "APPROVAL_USED").await, 0);
    place.clock.advance(COOLDOWN);
    assert!(matches!(plan().await, PlanState::Approved));
    match store.claim_approval(&asker("s1"), &call("a"), terms()).await.unwrap() {
        Claim::Claimed { call, .. } => call.finish("success", None),
        other => panic!("{other:?}"),
    }
    let filter = AuditFilter { event: Some("APPROVAL_USED".to_owned()), ..AuditFilter::default() };
    let lines = store.audit_lines(filter, 10).await.unwrap();
    assert_eq!(lines[0].entry.detail.as_deref(), Some("id=7"));
}

/// X-token-13: what an operator takes back runs nothing any more, whether it waited or was approved; what was used is past that.
async fn taken_back(place: Place) {
    let store = place.open();
    let revoke = async |name: &str| {
        store.revoke(Revocation::Named(name.to_owned()), Some("not now".to_owned()), "olga").await.unwrap()
    };
    let waiting = ask(&store, "s1", vec![call("a")]).await;
    let approved = ask(&store, "s1", vec![call("b"), call("c")]).await;
    store.decide_approval(&approved.id, YES, "olga").await.unwrap();
    assert_eq!(claim(&store, "s1", &call("c")).await, "claimed");
    assert_eq!(revoke("00000000").await, Revoked::Done(Vec::new()));
    for id in [&waiting.id, &approved.id] {
        assert_eq!(revoke(&id[..8]).await, Revoked::Done(vec![id.clone()]));
        assert_eq!(revoke(id).await, Revoked::Done(Vec::new()), "once");
    }
    assert_eq!(
        (claim(&store, "s1", &call("a")).await, claim(&store, "s1", &call("b")).await),
        ("denied", "denied")
    );
    assert_eq!(store.approval(&approved.id).await.unwrap().unwrap().reason.as_deref(), Some("not now"));
    assert_eq!(
        count_events(&store, "APPROVAL_REVOKED").await,
        2,
        "a line for each call that can no longer run"
    );
    let token = issue(&store, "s1", vec![call("a"), call("b")]).await;
    let filter = AuditFilter { event: Some("TOKEN_ISSUED".to_owned()), ..AuditFilter::default() };
    let name = store.audit_lines(filter, 1).await.unwrap()[0].entry.token.clone().unwrap();
    assert!(matches!(redeem(&store, &token, "s1", call("b")).await, Redemption::Redeemed(_)));
    assert_eq!(revoke(&name[..8]).await, Revoked::Done(vec![name.clone()]));
    let refused = redeem(&store, &token, "s1", call("a")).await;
    assert!(matches!(refused, Redemption::Refused(StoredTokenRefusal::Revoked)), "{refused:?}");
    assert_eq!(count_events(&store, "TOKEN_REVOKED").await, 1);
}

/// X-token-13: everything of a session, or of a caller, and nothing of others.
async fn taken_back_by_session_and_caller(place: Place) {
    let store = place.open();
    let all = async |what: Revocation| match store.revoke(what, None, "olga").await.unwrap() {
        Revoked::Done(names) => names.len(),
        ambiguous => panic!("{ambiguous:?}"),
    };
    for session in ["s1", "s2"] {
        ask(&store, session, vec![call("a")]).await;
        issue(&store, session, vec![call("b")]).await;
    }
    assert_eq!(all(Revocation::Session("s1".to_owned())).await, 2);
    assert_eq!(
        (claim(&store, "s1", &call("a")).await, claim(&store, "s2", &call("a")).await),
        ("denied", "waiting")
    );
    assert_eq!(all(Revocation::Caller("bob".to_owned())).await, 0);
    assert_eq!(all(Revocation::Caller("alice".to_owned())).await, 2);
    assert_eq!(claim(&store, "s2", &call("a")).await, "denied");
    assert_eq!(all(Revocation::Named(String::new())).await, 0, "all are taken back");
    let (one, other) = (ask(&store, "s3", vec![call("a")]).await, ask(&store, "s3", vec![call("b")]).await);
    let both = store.revoke(Revocation::Named(String::new()), None, "olga").await.unwrap();
    assert!(
        matches!(both, Revoked::Ambiguous(names) if names.contains(&one.id) && names.contains(&other.id))
    );
    assert_eq!(claim(&store, "s3", &call("a")).await, "waiting");
}

/// Many sessions of one caller do not make a list that no person can read; other callers are heard.
async fn a_caller_has_a_bounded_number_waiting(mut place: Place) {
    place.settings.limits.waiting_approvals_per_caller = 3;
    let store = place.open();
    for index in 0..3 {
        ask(&store, &format!("s{index}"), vec![call("a")]).await;
    }
    for index in 3..6 {
        let full = store.request_approval(question(&format!("s{index}"), vec![call("a")])).await.unwrap();
        let RequestedApproval::Limited { until } = full else { panic!("{full:?}") };
        assert_eq!(until.duration_since(place.clock.now()).as_secs(), 300, "the first expires then");
    }
    let mut of_bob = question("s9", vec![call("a")]);
    of_bob.asker.caller = "bob".to_owned();
    let of_bob = store.request_approval(of_bob).await.unwrap();
    assert!(matches!(of_bob, RequestedApproval::Waiting(_)));
    assert_eq!(
        count_events(&store, "APPROVAL_REQUESTED").await,
        5,
        "one line for the three that were refused"
    );
    // The same question is no further one.
    ask(&store, "s1", vec![call("a")]).await;
    let waiting = store.waiting_approvals(10).await.unwrap();
    let of_alice = waiting.iter().find(|approval| approval.caller == "alice").unwrap();
    store.decide_approval(&of_alice.id, ApprovalDecision::Deny { reason: None }, "olga").await.unwrap();
    ask(&store, "s3", vec![call("a")]).await;
}

/// A question that is put again while it waits has a line a minute, and a count.
async fn asked_again_and_again(place: Place) {
    let store = place.open();
    ask(&store, "s1", vec![call("a")]).await;
    for _ in 0..7 {
        assert_eq!(claim(&store, "s1", &call("a")).await, "waiting");
    }
    settle(&store).await;
    for event in ["APPROVAL_REQUESTED", "APPROVAL_REPEATED", "REPEATED"] {
        assert_eq!(count_events(&store, event).await, 1, "{event}");
    }
}
