//! Declared concurrency, held in fact.
//!
//! To see that calls run in turn, the API notes when each request arrives and answers no sooner than `WORK` later: then
//! they arrive that far apart. To see that calls overlap, it answers none until all have arrived.

use crate::test_server::{Setup, TestServer, adapter};
use aqueduct_operations::call::ToolEndpoint;
use aqueduct_testkit::api::{Answer, FakeApi, Gate};
use futures::future::join_all;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const WORK: Duration = Duration::from_millis(40);

type Arrivals = Arc<Mutex<Vec<(String, Instant)>>>;

async fn api() -> (FakeApi, Arrivals) {
    let arrivals = Arrivals::default();
    let seen = Arc::clone(&arrivals);
    let api = FakeApi::start(move |request| {
        seen.lock().unwrap().push((request.target.clone(), Instant::now()));
        Answer::after(WORK, Answer::json(200, json!(1)))
    })
    .await;
    (api, arrivals)
}

fn server(api: &FakeApi, concurrency: &str) -> TestServer {
    let blocks = format!(
        r#"concurrency: {concurrency}
operations:
  read:
    - {{name: get_item, maps_to: "GET /items/{{id}}", description: "Get", params: {{id: {{type: integer, required: true}}}}}}
    - {{name: get_text, maps_to: "GET /items/{{id}}", description: "Get", params: {{id: {{type: string, required: true}}}}}}
  create:
    - {{name: create_item, maps_to: "POST /items/{{id}}", description: "Add", params: {{id: {{type: integer, required: true}}}}}}"#
    );
    Setup::default().serve(&[adapter("items", &api.base_url(), &blocks)])
}

fn call(operation: &str, id: impl Into<Value>) -> Value {
    json!({"operation": operation, "params": {"id": id.into()}})
}

/// Runs the calls at once. Tells the targets in order of arrival, and whether some request came before an earlier one
/// had been answered.
async fn run(concurrency: &str, calls: Vec<Value>) -> (Vec<String>, bool) {
    let (api, arrivals) = api().await;
    let server = server(&api, concurrency);
    join_all(calls.into_iter().map(|call| server.data(call))).await;
    let arrivals = arrivals.lock().unwrap();
    let overlap = arrivals.windows(2).any(|pair| pair[1].1 < pair[0].1 + WORK);
    (arrivals.iter().map(|(target, _)| target.clone()).collect(), overlap)
}

/// Waits until all calls are with the API at once, which answers none of them.
async fn all_at_once(concurrency: &str, calls: Vec<Value>) {
    let api = FakeApi::always(Answer::hang()).await;
    let server = server(&api, concurrency);
    let count = calls.len();
    let mut running = tokio::task::JoinSet::new();
    for call in calls {
        let server = server.clone();
        running.spawn(async move { server.call(call).await });
    }
    api.wait_for_request_count(count).await;
}

/// C9.3.1-1 C9.3.1-2 C9.3.1-3: `serialized` runs one call after the other, in order of arrival.
#[tokio::test]
async fn serialized() {
    let calls = vec![call("get_item", 1), call("create_item", 2), call("get_item", 3), call("get_item", 4)];
    let (order, overlap) = run("serialized", calls).await;
    assert!(!overlap);
    assert_eq!(order, ["/items/1", "/items/2", "/items/3", "/items/4"]);
}

/// C9.3.1-2 C9.3.1-3: `read-concurrent` lets READ calls overlap and every other call run alone.
#[tokio::test]
async fn read_concurrent() {
    all_at_once("read-concurrent", vec![call("get_item", 1), call("get_item", 2)]).await;
    for pair in [["create_item", "create_item"], ["create_item", "get_item"], ["get_item", "create_item"]] {
        let calls = pair.iter().enumerate().map(|(id, operation)| call(operation, id)).collect();
        assert!(!run("read-concurrent", calls).await.1, "{pair:?}");
    }
}

/// C9.3.1-2 C9.3.1-3: `resource-locked` runs calls on one resource in turn and on different ones side by side. A number
/// and the same number as text are one resource.
#[tokio::test]
async fn resource_locked() {
    all_at_once("resource-locked", vec![call("get_item", 1), call("create_item", 2)]).await;
    assert!(!run("resource-locked", vec![call("get_item", 1), call("create_item", 1)]).await.1);
    assert!(!run("resource-locked", vec![call("get_item", 1), call("get_text", "1")]).await.1);
}

/// C9.3.1-2 C9.3.1-3: `fully-concurrent`, which is also the default, lets everything overlap.
#[tokio::test]
async fn fully_concurrent() {
    all_at_once("fully-concurrent", vec![call("create_item", 1), call("create_item", 1)]).await;
}

/// C9.3.1-1 C9.3.3-1: the category is published; with several sources, the strictest.
#[tokio::test]
async fn published() {
    let (api, _) = api().await;
    let list = json!({"operation": "introspect", "query": "operations"});
    for concurrency in ["serialized", "read-concurrent", "resource-locked", "fully-concurrent"] {
        let data = server(&api, concurrency).data(list.clone()).await;
        assert_eq!(data["_protocol"]["concurrency"], concurrency);
        let info =
            server(&api, concurrency).data(json!({"operation": "introspect", "query": "adapter_info"})).await;
        assert_eq!(info["concurrency"], concurrency);
    }
    let one = adapter("one", &api.base_url(), "concurrency: serialized\noperations: {}");
    let two = adapter("two", &api.base_url(), "concurrency: read-concurrent\noperations: {}");
    let data = Setup::default().serve(&[two, one]).data(list).await;
    assert_eq!(data["_protocol"]["concurrency"], "serialized");
}

/// A call that is given up, waiting or running, gives its slot to the next.
#[tokio::test]
async fn a_cancelled_call_gives_up_its_slot() {
    let api = FakeApi::start(|request| match request.path() {
        "/items/1" => Answer::hang(),
        _ => Answer::json(200, json!(1)),
    })
    .await;
    let server = server(&api, "serialized");
    let start = |id: i64| {
        let server = server.clone();
        tokio::spawn(async move { server.data(call("get_item", id)).await })
    };
    let running = start(1);
    api.wait_for_request_count(1).await;
    let (waiting, next) = (start(2), start(3));
    tokio::task::yield_now().await;
    waiting.abort();
    running.abort();
    assert_eq!(next.await.unwrap(), json!(1));
}

/// X-rate-16 C9.3.1-3: one session has many calls waiting for a serialized source; a call of another session is the next but one, and
/// so is the one after it.
#[tokio::test]
async fn sessions_take_turns() {
    let (gate, arrivals) = (Gate::default(), Arc::new(Mutex::new(Vec::<String>::new())));
    let (before, seen) = (gate.clone(), Arc::clone(&arrivals));
    let api = FakeApi::start(move |request| {
        seen.lock().unwrap().push(request.target.clone());
        Answer::behind(&before, Answer::json(200, json!(1)))
    })
    .await;
    let server = server(&api, "serialized");
    let spawn = |session: &'static str, id: i64| {
        let server = server.clone();
        tokio::spawn(async move { server.call_as(session, ToolEndpoint::Any, call("get_item", id)).await })
    };
    let mut all = vec![spawn("busy", 0)];
    api.wait_for_request_count(1).await;
    for (session, ids) in [("busy", 1..200), ("other", 1_000..1_002)] {
        all.extend(ids.map(|id| spawn(session, id)));
        while server.dispatcher.limiter.waiting() < all.len() - 1 {
            tokio::task::yield_now().await;
        }
    }
    gate.open();
    for each in all {
        assert_eq!(each.await.unwrap()["success"], true);
    }
    let order = arrivals.lock().unwrap();
    let place = |id: &str| order.iter().position(|target| target == id).unwrap();
    assert_eq!((place("/items/1000"), place("/items/1001")), (2, 4), "{:?}", &order[..8]);
    assert_eq!(order.len(), 202);
}
