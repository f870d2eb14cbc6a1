//! Executions: each change on the condition that no one else made one, one instance at a time that follows each, and what is kept.

use crate::support::{Place, on_both_engines};
use aqueduct_operations::clock::Clock;
use aqueduct_operations::execution::ledger::Created;
use aqueduct_operations::execution::{
    CancelledBy, Execution, ExecutionEvent, ExecutionOwner, ExecutionSettings, ExecutionSpec, ExecutionState,
    JobStop, Observation, SavedExecution,
};
use aqueduct_store::Store;
use aqueduct_store::audit::AuditFilter;
use aqueduct_store::callers::NewCaller;
use aqueduct_store::executions::OperatorCancelled;
use serde_json::json;
use std::time::Duration;

on_both_engines!(
    kept_as_it_was,
    of_two_changes_one,
    one_instance_follows,
    taken_over_when_a_lease_is_over,
    a_lost_lease_stays_lost,
    released_leases_are_free_at_once,
    followed_again_by_who_tries_again,
    only_so_many,
    forgotten_in_time,
    nobody_serves_it,
    a_revoked_caller,
    ended_by_the_operator,
    told_by_one_instance,
    what_the_operator_sees,
);

pub const SETTINGS: ExecutionSettings = ExecutionSettings {
    lease: Duration::from_secs(30),
    keep: Duration::from_secs(7 * 86_400),
    kept_per_caller: 3,
    active_per_caller: 4,
    max_result_size: 1024,
};

fn owner(session: &str) -> ExecutionOwner {
    ExecutionOwner { session: session.to_owned(), caller: None, scopes: None }
}

/// One that goes on without its session: it belongs to the one who runs the server.
pub fn execution(place: &Place, id: &str) -> Execution {
    let new = ExecutionSpec {
        id: id.to_owned(),
        owner: owner("s"),
        source: "jobs".to_owned(),
        operation: "run_job".to_owned(),
        carries_on: true,
        supports_retry: true,
        gives_up_after: Duration::from_secs(3_600),
    };
    Execution::new(new, place.clock.now())
}

async fn created(store: &Store, place: &Place, id: &str, instance: &str) {
    let created = store.create_execution(execution(place, id), instance, SETTINGS).await.unwrap();
    assert_eq!(created, Created::Done);
}

/// Lets events happen, each read and written by itself.
async fn change(store: &Store, place: &Place, id: &str, events: &[ExecutionEvent]) {
    for event in events {
        let mut saved = store.execution(id).await.unwrap().unwrap();
        saved.execution.apply(*event, place.clock.now()).unwrap();
        assert!(store.save_execution(saved, "a", SETTINGS).await.unwrap());
    }
}

pub fn sources() -> Vec<String> {
    vec!["jobs".to_owned()]
}

pub async fn claimed(store: &Store, instance: &str) -> Vec<String> {
    let claimed = store.claim_executions(instance, &sources(), SETTINGS.lease).await.unwrap();
    claimed.into_iter().map(|saved| saved.execution.spec.id).collect()
}

/// C2.3.4-4: what was kept is read by another process, its result too.
async fn kept_as_it_was(place: Place) {
    let store = place.open();
    created(&store, &place, "e1", "a").await;
    let mut saved = store.execution("e1").await.unwrap().unwrap();
    saved.execution.known.insert("id".to_owned(), json!("job/1"));
    let done = Observation {
        state: Some(ExecutionState::Completed),
        result: Some(json!({"rows": [1, 2]})),
        progress: Some(json!({"percentage": 100})),
        ..Observation::default()
    };
    saved.execution.observe(done, place.clock.now());
    assert!(store.save_execution(saved.clone(), "a", SETTINGS).await.unwrap());
    let other = place.open();
    let read = other.execution("e1").await.unwrap().unwrap();
    assert_eq!((&read.execution, read.version), (&saved.execution, 2));
    assert_eq!(other.executions_of(&owner("s")).await.unwrap()[0].result, None, "lists are short");
    let named = ExecutionOwner { caller: Some("ann".to_owned()), ..owner("s") };
    assert_eq!(other.executions_of(&named).await.unwrap(), [], "a name of one's own is another owner");
    assert_eq!(other.all_executions().await.unwrap().len(), 1, "the operator sees all");
    assert_eq!(other.execution("e2").await.unwrap(), None);
}

/// C8.4.2-8: of two changes of one version, one is made.
async fn of_two_changes_one(place: Place) {
    let (one, two) = (place.open(), place.open());
    created(&one, &place, "e1", "a").await;
    let read = one.execution("e1").await.unwrap().unwrap();
    let with = |event: ExecutionEvent| {
        let mut saved = read.clone();
        saved.execution.apply(event, place.clock.now()).unwrap();
        saved
    };
    let (start, cancel) = (with(ExecutionEvent::Start), with(ExecutionEvent::Cancel));
    let (first, second) =
        tokio::join!(one.save_execution(start, "a", SETTINGS), two.save_execution(cancel, "b", SETTINGS));
    let (first, second) = (first.unwrap(), second.unwrap());
    assert!(first != second, "{first} {second}");
    let state = two.execution("e1").await.unwrap().unwrap().execution.state();
    assert_eq!(state, if first { ExecutionState::Running } else { ExecutionState::Cancelled });
}

/// While a lease lasts no one else follows, and of several that look at once one takes it over.
async fn one_instance_follows(place: Place) {
    let store = place.open();
    for id in ["e1", "e2", "e3"] {
        created(&store, &place, id, "a").await;
    }
    assert_eq!(claimed(&store, "b").await, Vec::<String>::new());
    assert!(!store.renew_execution("e1", "b", SETTINGS.lease).await.unwrap());
    place.clock.advance(Duration::from_secs(31));
    let stores: Vec<Store> = (0..4).map(|_| place.open()).collect();
    let claims = stores.iter().enumerate().map(|(number, store)| {
        let instance = format!("i{number}");
        async move { claimed(store, &instance).await }
    });
    let mut all: Vec<String> = futures_of(claims).await.into_iter().flatten().collect();
    all.sort();
    assert_eq!(all, ["e1", "e2", "e3"], "each once");
}

async fn futures_of<T>(all: impl Iterator<Item = impl Future<Output = T>>) -> Vec<T> {
    let mut running: Vec<_> = all.map(Box::pin).collect();
    let mut done: Vec<Option<T>> = running.iter().map(|_| None).collect();
    std::future::poll_fn(|context| {
        for (slot, work) in done.iter_mut().zip(&mut running) {
            if slot.is_none()
                && let std::task::Poll::Ready(value) = work.as_mut().poll(context)
            {
                *slot = Some(value);
            }
        }
        if done.iter().all(Option::is_some) { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
    done.into_iter().flatten().collect()
}

async fn taken_over_when_a_lease_is_over(place: Place) {
    let store = place.open();
    created(&store, &place, "e1", "a").await;
    for _ in 0..4 {
        place.clock.advance(Duration::from_secs(20));
        store.keep_executions("a", SETTINGS.lease).await.unwrap();
        assert_eq!(claimed(&store, "b").await, Vec::<String>::new(), "it is kept");
    }
    place.clock.advance(Duration::from_secs(31));
    let other = store.claim_executions("b", &["another".to_owned()], SETTINGS.lease).await.unwrap();
    assert!(other.is_empty(), "not by an instance that does not serve its source");
    let taken = store.claim_executions("b", &sources(), SETTINGS.lease).await.unwrap();
    assert_eq!(taken[0].holder.as_deref(), Some("a"), "who had it before");
    assert!(store.renew_execution("e1", "b", SETTINGS.lease).await.unwrap());
}

async fn a_lost_lease_stays_lost(place: Place) {
    let store = place.open();
    created(&store, &place, "e1", "a").await;
    place.clock.advance(Duration::from_secs(31));
    assert_eq!(claimed(&store, "b").await, ["e1"]);
    store.keep_executions("a", SETTINGS.lease).await.unwrap();
    assert!(!store.renew_execution("e1", "a", SETTINGS.lease).await.unwrap());
    assert!(store.renew_execution("e1", "b", SETTINGS.lease).await.unwrap());
    change(&store, &place, "e1", &[ExecutionEvent::Cancel]).await;
    assert!(!store.renew_execution("e1", "b", SETTINGS.lease).await.unwrap(), "an end is not followed");
}

async fn released_leases_are_free_at_once(place: Place) {
    let store = place.open();
    created(&store, &place, "e1", "a").await;
    store.release_executions("a").await.unwrap();
    assert_eq!(claimed(&store, "b").await, ["e1"]);
}

async fn followed_again_by_who_tries_again(place: Place) {
    let store = place.open();
    created(&store, &place, "e1", "a").await;
    change(&store, &place, "e1", &[ExecutionEvent::Start, ExecutionEvent::Fail]).await;
    let mut saved = store.execution("e1").await.unwrap().unwrap();
    saved.execution.apply(ExecutionEvent::Retry, place.clock.now()).unwrap();
    assert!(store.save_execution(saved, "b", SETTINGS).await.unwrap());
    assert!(store.renew_execution("e1", "b", SETTINGS.lease).await.unwrap());
    assert!(!store.renew_execution("e1", "a", SETTINGS.lease).await.unwrap());
}

async fn only_so_many(place: Place) {
    let store = place.open();
    for id in ["e1", "e2", "e3", "e4"] {
        created(&store, &place, id, "a").await;
    }
    let more = store.create_execution(execution(&place, "e5"), "a", SETTINGS).await.unwrap();
    assert_eq!(more, Created::TooMany { most: 4 });
    for id in ["e1", "e2", "e3", "e4"] {
        place.clock.advance(Duration::from_secs(1));
        change(&store, &place, id, &[ExecutionEvent::Cancel]).await;
    }
    created(&store, &place, "e5", "a").await;
    let kept: Vec<String> =
        store.executions_of(&owner("s")).await.unwrap().into_iter().map(|each| each.spec.id).collect();
    assert_eq!(kept.len(), 4, "{kept:?}");
    assert!(!kept.contains(&"e1".to_owned()), "the oldest end is forgotten: {kept:?}");
}

async fn forgotten_in_time(place: Place) {
    let store = place.open();
    created(&store, &place, "e1", "a").await;
    created(&store, &place, "e2", "a").await;
    change(&store, &place, "e1", &[ExecutionEvent::Cancel]).await;
    place.clock.advance(Duration::from_secs(6 * 86_400));
    store.keep_executions("a", SETTINGS.lease).await.unwrap();
    store.maintain().await.unwrap();
    assert!(store.execution("e1").await.unwrap().is_some());
    place.clock.advance(Duration::from_secs(2 * 86_400));
    store.maintain().await.unwrap();
    assert!(store.execution("e1").await.unwrap().is_none());
}

/// What no instance serves any more ends when its time is over, by a transition of the table.
async fn nobody_serves_it(place: Place) {
    let store = place.open();
    created(&store, &place, "e1", "a").await;
    created(&store, &place, "e2", "a").await;
    change(&store, &place, "e2", &[ExecutionEvent::Start]).await;
    place.clock.advance(Duration::from_secs(2 * 3_600 + 700));
    store.maintain().await.unwrap();
    let state = async |id: &str| store.execution(id).await.unwrap().unwrap().execution.state();
    assert_eq!((state("e1").await, state("e2").await), (ExecutionState::Cancelled, ExecutionState::Failed));
}

/// What goes on for a caller ends when the caller is revoked, and nothing else does.
async fn a_revoked_caller(place: Place) {
    let store = place.open();
    let of = |id: &str, caller: &str| {
        let mut execution = execution(&place, id);
        execution.spec.owner.caller = Some(caller.to_owned());
        execution
    };
    for (id, caller) in [("e1", "ann"), ("e2", "bob")] {
        store.create_execution(of(id, caller), "a", SETTINGS).await.unwrap();
    }
    let added = NewCaller { name: "ann".to_owned(), scopes: Vec::new(), lifetime: None, overlap: None };
    drop(store.add_caller(added, "operator").await.unwrap());
    assert!(store.revoke_caller("ann", "operator").await.unwrap());
    let state = async |id: &str| store.execution(id).await.unwrap().unwrap().execution.state();
    assert_eq!((state("e1").await, state("e2").await), (ExecutionState::Cancelled, ExecutionState::Pending));
    assert!(
        !store.renew_execution("e1", "a", SETTINGS.lease).await.unwrap(),
        "nobody asks about it any more"
    );
    let ended = store.execution("e1").await.unwrap().unwrap().execution;
    assert_eq!((ended.cancelled_by, ended.stop), (Some(CancelledBy::Revocation), None), "it had no job yet");
}

/// One that has a job which can be told to end.
pub async fn with_job(store: &Store, place: &Place, id: &str, instance: &str) {
    created(store, place, id, instance).await;
    let mut saved = store.execution(id).await.unwrap().unwrap();
    saved.execution.note_started();
    saved.execution.apply(ExecutionEvent::Start, place.clock.now()).unwrap();
    assert!(store.save_execution(saved, instance, SETTINGS).await.unwrap());
}

async fn unreported(store: &Store, instance: &str) -> Vec<String> {
    let unreported = store.unreported_executions(instance, &sources(), SETTINGS.lease).await.unwrap();
    unreported.into_iter().map(|saved| saved.execution.spec.id).collect()
}

/// C8.4.2-5: the operator ends what goes on, by a transition of the table, once, with a line in the audit; an end stays an end.
async fn ended_by_the_operator(place: Place) {
    let store = place.open();
    with_job(&store, &place, "e1", "a").await;
    let OperatorCancelled::Done(ended) = store.cancel_execution("e1", "operator").await.unwrap() else {
        panic!("it goes on")
    };
    assert_eq!(ended.execution.state(), ExecutionState::Cancelled);
    let kept = store.execution("e1").await.unwrap().unwrap().execution;
    assert_eq!(
        (kept.state(), kept.cancelled_by, kept.stop),
        (ExecutionState::Cancelled, Some(CancelledBy::Operator), Some(JobStop::Due))
    );
    assert_eq!(kept.finished_at(), Some(place.clock.now()));
    assert!(
        !store.renew_execution("e1", "a", SETTINGS.lease).await.unwrap(),
        "nobody asks about it any more"
    );
    let again = store.cancel_execution("e1", "operator").await.unwrap();
    assert!(matches!(again, OperatorCancelled::TooLate(_)), "{again:?}");
    assert_eq!(store.cancel_execution("e9", "operator").await.unwrap(), OperatorCancelled::Unknown);
    let filter = AuditFilter { event: Some("EXECUTION_CANCELLED".to_owned()), ..AuditFilter::default() };
    let lines = store.latest_audit_lines(filter, 10).await.unwrap();
    let line = &lines[0].entry;
    assert_eq!(lines.len(), 1, "{lines:?}");
    let told = [&line.approver, &line.caller, &line.source, &line.operation, &line.detail];
    assert_eq!(told.map(|text| text.as_deref().unwrap()), ["operator", "local", "jobs", "run_job", "e1"]);
    assert!(store.verify_audit().await.unwrap().is_whole());
}

/// Anyone who follows an execution that was ended tells its API, once; when that instance is lost, another one does. One whose job was
/// never started has no one to be told.
async fn told_by_one_instance(place: Place) {
    let (store, other) = (place.open(), place.open());
    for id in ["e1", "e2"] {
        with_job(&store, &place, id, "a").await;
    }
    created(&store, &place, "e3", "a").await;
    assert_eq!(unreported(&store, "a").await, Vec::<String>::new(), "what goes on is not told to end");
    for id in ["e1", "e2", "e3"] {
        assert!(matches!(other.cancel_execution(id, "operator").await.unwrap(), OperatorCancelled::Done(_)));
    }
    assert_eq!(unreported(&other, "b").await, Vec::<String>::new(), "while the other one is there");
    assert_eq!(unreported(&store, "a").await, ["e1", "e2"]);
    let mut saved = store.execution("e1").await.unwrap().unwrap();
    saved.execution.stop = Some(JobStop::Told);
    assert!(store.save_execution(saved, "a", SETTINGS).await.unwrap());
    assert_eq!(unreported(&store, "a").await, ["e2"], "once");
    assert_eq!(claimed(&other, "b").await, Vec::<String>::new(), "it is not followed again");
    place.clock.advance(SETTINGS.lease + Duration::from_secs(1));
    let elsewhere = other.unreported_executions("b", &["shop".to_owned()], SETTINGS.lease).await.unwrap();
    assert_eq!(elsewhere, [], "by who serves its source");
    assert_eq!(unreported(&other, "b").await, ["e2"], "the first one is lost");
    assert_eq!(unreported(&store, "a").await, Vec::<String>::new(), "and has lost it");
    other.release_executions("b").await.unwrap();
    assert_eq!(unreported(&store, "c").await, ["e2"], "or has left in order");
}

/// The operator sees what goes on, oldest first, and what has ended, newest first: so many of each, and no results.
async fn what_the_operator_sees(place: Place) {
    let store = place.open();
    for id in ["e1", "e2", "e3"] {
        created(&store, &place, id, "a").await;
        place.clock.advance(Duration::from_secs(1));
    }
    change(&store, &place, "e1", &[ExecutionEvent::Start]).await;
    let mut saved = store.execution("e1").await.unwrap().unwrap();
    let done = Observation {
        state: Some(ExecutionState::Completed),
        result: Some(json!("secret")),
        ..Observation::default()
    };
    saved.execution.observe(done, place.clock.now());
    assert!(store.save_execution(saved, "a", SETTINGS).await.unwrap());
    created(&store, &place, "e4", "a").await;
    let seen = store.executions_overview(2, 5).await.unwrap();
    let ids =
        |of: &[SavedExecution]| of.iter().map(|saved| saved.execution.spec.id.clone()).collect::<Vec<_>>();
    assert_eq!((ids(&seen.open), seen.open_count), (vec!["e2".to_owned(), "e3".to_owned()], 3));
    assert_eq!(ids(&seen.ended), ["e1"]);
    assert_eq!(seen.ended[0].execution.result, None);
}
