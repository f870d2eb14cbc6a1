//! Reads that are under way, shared by those who ask for the same.
//!
//! A gate holds the answers back, so that who asks before them and who after is no matter of luck.

use super::{anyone, by, with_rule};
use crate::cache::ReadOptions;
use crate::error::{TransportError, TransportErrorKind, UpstreamError};
use crate::response::UpstreamResponse;
use crate::test_support::{send, upstream};
use crate::upstream::Upstream;
use aqueduct_operations::operation::Operation;
use aqueduct_testkit::api::{self, FakeApi, Gate, Recorded};
use aqueduct_testkit::operation::{get, with_site};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;

/// An API whose answers wait for the gate.
async fn gated(gate: &Gate, answer: impl Fn(&Recorded) -> api::Answer + Send + Sync + 'static) -> FakeApi {
    let gate = gate.clone();
    FakeApi::start(move |request| api::Answer::behind(&gate, answer(request))).await
}

/// Lets the others get as far as they can.
async fn settle() {
    for _ in 0..50 {
        tokio::task::yield_now().await;
    }
}

/// R10.5-1: the same read, asked by the same caller with the same credentials while it is under way, is one request; of
/// others it is their own. No header has to allow it.
#[tokio::test]
async fn identical_reads_share_a_request() {
    let gate = Gate::default();
    let api = gated(&gate, |request| api::Answer::json(200, json!(request.index))).await;
    let (upstream, operation) = (upstream(&[]), get("g", &api.base_url(), "/x"));
    let (ann, bob) = (|| by("ann"), by("bob"));
    let (fresh, off) = (ReadOptions::fresh, || with_rule(false, None));
    let reads = all_of(&upstream, &operation, vec![ann(), ann(), ann(), bob, fresh(), fresh(), off(), off()]);
    let open = async {
        api.wait_for_request_count(6).await;
        settle().await;
        gate.open();
    };
    let (answers, ()) = tokio::join!(reads, open);
    let seen: Vec<Value> = answers
        .iter()
        .map(|answer| serde_json::from_str(answer.as_ref().unwrap().data.as_str()).unwrap())
        .collect();
    assert_eq!(api.requests().len(), 6);
    assert!(seen[0] == seen[1] && seen[1] == seen[2], "{seen:?}");
    assert_eq!(seen[2..].iter().map(Value::to_string).collect::<BTreeSet<_>>().len(), 6);
    assert!(answers.iter().flatten().all(|answer| !answer.from_cache));
}

/// Reads on each of these terms, all of them together.
async fn all_of(
    upstream: &Upstream,
    operation: &Operation,
    readings: Vec<ReadOptions>,
) -> Vec<Result<UpstreamResponse, UpstreamError>> {
    let mut reads = tokio::task::JoinSet::new();
    for (index, reading) in readings.into_iter().enumerate() {
        let (upstream, operation) = (upstream.clone(), operation.clone());
        reads.spawn(async move { (index, send(&upstream, &operation, json!({}), &reading).await) });
    }
    let mut outcomes = reads.join_all().await;
    outcomes.sort_by_key(|(index, _)| *index);
    outcomes.into_iter().map(|(_, outcome)| outcome).collect()
}

/// Failures are shared too, and not kept.
#[tokio::test]
async fn shared_failures() {
    let gate = Gate::default();
    let api =
        gated(&gate, |request| api::Answer::json(503, json!({"message": format!("busy {}", request.index)})))
            .await;
    let (upstream, operation) = (upstream(&[]), get("g", &api.base_url(), "/x"));
    let reads = all_of(&upstream, &operation, vec![anyone(), anyone()]);
    let open = async {
        api.wait_for_request_count(1).await;
        settle().await;
        gate.open();
    };
    let (outcomes, ()) = tokio::join!(reads, open);
    assert_eq!(outcomes[0].as_ref().unwrap_err(), outcomes[1].as_ref().unwrap_err());
    assert_eq!(api.requests().len(), 1);
    assert!(send(&upstream, &operation, json!({}), &anyone()).await.is_err());
    assert_eq!(api.requests().len(), 2);
}

/// The sender may go away: another one of those who wait sends again, and no one fails.
#[tokio::test]
async fn a_cancelled_read_is_handed_over() {
    let gate = Gate::default();
    let api = gated(&gate, |request| api::Answer::json(200, json!(request.index))).await;
    let (upstream, operation) = (upstream(&[]), get("g", &api.base_url(), "/x"));
    let leader = tokio::spawn({
        let (upstream, operation) = (upstream.clone(), operation.clone());
        async move { send(&upstream, &operation, json!({}), &anyone()).await }
    });
    api.wait_for_request_count(1).await;
    let followers = all_of(&upstream, &operation, vec![anyone(), anyone()]);
    let cancel = async {
        settle().await;
        assert_eq!(api.requests().len(), 1);
        leader.abort();
        api.wait_for_request_count(2).await;
        gate.open();
    };
    let (outcomes, ()) = tokio::join!(followers, cancel);
    for outcome in outcomes {
        assert_eq!(outcome.unwrap().data.as_str(), "1");
    }
    assert_eq!(api.requests().len(), 2);
    api.wait_for_closed_connection().await;
}

/// A read that no caller waits for any more is forgotten, and its connection closed.
#[tokio::test]
async fn reads_that_are_given_up_leave_nothing() {
    let api = FakeApi::always(api::Answer::hang()).await;
    let upstream = upstream(&[]);
    let operation = get("g", &api.base_url(), "/x");
    let given_up = all_of(&upstream, &operation, vec![anyone(), anyone()]);
    tokio::select! {
        _ = given_up => panic!("answered"),
        () = api.wait_for_request_count(1) => {}
    }
    api.wait_for_closed_connection().await;
    assert_eq!(upstream.shared().cache.shared_reads.count(), 0);
    let after = Duration::from_millis(100);
    let impatient = with_site(operation, |site| site.timeout = after);
    let outcome = send(&upstream, &impatient, json!({}), &anyone()).await;
    let timeout = TransportErrorKind::Timeout { after };
    assert!(matches!(outcome, Err(UpstreamError::Transport(TransportError { kind, .. })) if kind == timeout));
    assert_eq!(upstream.shared().cache.shared_reads.count(), 0);
}
