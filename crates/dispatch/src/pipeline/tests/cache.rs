//! Answers that are kept pass the gate like any other, and belong to one caller.
//!
//! Every answer of the API has its own number, so that one that was kept is told from a new one.

use crate::test_server::{Setup, TestServer, adapter, error_of};
use aqueduct_operations::call::{Call, CallOrigin, Caller, Scopes, SessionId};
use aqueduct_operations::gatekeeper::{GateRequest, Policy, PolicyDenial};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

const BLOCKS: &str = "operations:
  read:
    - {name: get_x, maps_to: GET /x, description: X}
    - {name: get_fresh, maps_to: GET /x, description: X, cache: {enabled: false}}
  update:
    - {name: update_x, maps_to: PATCH /x, description: X, params: {a: {type: integer}}}
";

/// Each answer has its own number, and may be kept for a minute.
async fn numbered() -> FakeApi {
    let count = AtomicU64::new(0);
    FakeApi::start(move |_| {
        Answer::json(200, json!(count.fetch_add(1, Ordering::Relaxed))).header("Cache-Control", "max-age=60")
    })
    .await
}

async fn as_caller(server: &TestServer, caller: Option<&str>, operation: &str) -> Value {
    call_as(server, caller, json!({"operation": operation})).await
}

/// Calls as somebody else.
pub(super) async fn call_as(server: &TestServer, caller: Option<&str>, request: Value) -> Value {
    let Value::Object(arguments) = request else { panic!() };
    let call = Call {
        arguments,
        origin: CallOrigin::new(
            SessionId::new("s"),
            caller.map_or_else(Caller::local, Caller::named),
            Scopes::unrestricted(),
        ),
    };
    serde_json::from_str(&server.dispatcher.call(call).await.to_json()).unwrap()
}

/// R10.5-1 R10.5-2 R10.5-3 R1.3-14: kept as long as the API says, not for another caller, not over a change, not where that is
/// switched off.
#[tokio::test]
async fn kept_answers() {
    let api = numbered().await;
    let server = Setup::default().serve(&[adapter("xx", &api.base_url(), BLOCKS)]);
    let read = async |caller: Option<&str>, operation: &str| {
        as_caller(&server, caller, operation).await["data"].take()
    };
    assert_eq!(read(None, "get_x").await, 0);
    assert_eq!(read(None, "get_x").await, 0);
    assert_eq!(read(Some("ann"), "get_x").await, 1, "another caller");
    assert_eq!(read(Some("bob"), "get_x").await, 2);
    assert_eq!(read(Some("ann"), "get_x").await, 1);
    assert_eq!(read(None, "get_fresh").await, 3, "switched off for the operation");
    server.clock.advance(std::time::Duration::from_secs(61));
    assert_eq!(read(None, "get_x").await, 4, "too old");
    server.data(json!({"operation": "update_x", "params": {"input": {"a": 1}}})).await;
    assert_eq!(read(None, "get_x").await, 6, "changed");
    let off = format!("cache: {{enabled: false}}\n{BLOCKS}");
    let server = Setup::default().serve(&[adapter("xx", &api.base_url(), &off)]);
    assert_ne!(
        server.data(json!({"operation": "get_x"})).await,
        server.data(json!({"operation": "get_x"})).await
    );
}

/// Forbids everything once it is told to.
#[derive(Debug, Default)]
pub(super) struct Switch(pub AtomicBool);

impl Policy for Switch {
    fn denies(&self, _application: &GateRequest<'_>) -> Option<PolicyDenial> {
        self.0.load(Ordering::Relaxed).then(|| PolicyDenial::new("test", "closed"))
    }
}

/// Ruling S10: an answer that is kept is not given to someone who may not call.
#[tokio::test]
async fn kept_answers_pass_the_gate() {
    let api = numbered().await;
    let switch = Arc::new(Switch::default());
    let setup = Setup { policy: Some(Arc::clone(&switch) as _), ..Setup::default() };
    let server = setup.serve(&[adapter("xx", &api.base_url(), BLOCKS)]);
    assert_eq!(server.data(json!({"operation": "get_x"})).await, 0);
    switch.0.store(true, Ordering::Relaxed);
    assert_eq!(error_of(server.call(json!({"operation": "get_x"})).await)["code"], "PERMISSION_DENIED");
    assert_eq!(api.requests().len(), 1);
}

/// Equal reads at the same time are one request, for one caller.
#[tokio::test]
async fn equal_reads_share_a_request() {
    let gate = aqueduct_testkit::api::Gate::default();
    let held = gate.clone();
    let api = FakeApi::start(move |_| Answer::behind(&held, Answer::json(200, json!(1)))).await;
    let server = Setup::default().serve(&[adapter("xx", &api.base_url(), BLOCKS)]);
    let calls: tokio::task::JoinSet<Value> = [None, None, Some("ann"), Some("ann"), None]
        .into_iter()
        .map(|caller| {
            let server = server.clone();
            async move { as_caller(&server, caller, "get_x").await }
        })
        .collect();
    api.wait_for_request_count(2).await;
    tokio::task::yield_now().await;
    gate.open();
    assert!(calls.join_all().await.iter().all(|answer| answer["data"] == 1));
    assert_eq!(api.requests().len(), 2, "one for each caller");
}

/// A mutation of an adapter file drops what is kept of its source, or of the operations that it names.
#[tokio::test]
async fn a_mutation_drops_what_it_names() {
    const BLOCKS: &str = "operations:
  read:
    - {name: get_x, maps_to: GET /x, description: X}
    - {name: get_y, maps_to: GET /y, description: Y}
  create:
    - {name: create_x, maps_to: POST /x, description: X}
    - {name: create_some, maps_to: POST /x, description: X, cache: {invalidates: ['*_x']}}
";
    let api = numbered().await;
    let server = Setup::default().serve(&[adapter("xx", &api.base_url(), BLOCKS)]);
    let call = async |operation: &str| server.data(json!({"operation": operation})).await;
    assert_eq!((call("get_x").await, call("get_y").await), (json!(0), json!(1)));
    assert_eq!((call("get_x").await, call("get_y").await), (json!(0), json!(1)));
    call("create_some").await;
    assert_eq!((call("get_x").await, call("get_y").await), (json!(3), json!(1)));
    call("create_x").await;
    assert_eq!((call("get_x").await, call("get_y").await), (json!(5), json!(6)));
}
