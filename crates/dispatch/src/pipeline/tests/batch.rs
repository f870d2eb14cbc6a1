//! Batches: several operations in one call, each on its own (operations document, section 7; ruling W6).
//!
//! A shop that answers by its paths stands behind; results, and the order of what was sent, out.

mod confirmations;
mod plans;

use crate::test_server::{Setup, TestServer, adapter, data_of, error_of};
use aqueduct_operations::call::Scopes;
use aqueduct_operations::exposure::Mode;
use aqueduct_operations::gatekeeper::{GateRequest, Policy, PolicyDenial};
use aqueduct_operations::limits::Limits;
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};
use std::sync::Arc;

const SHOP: &str = "operations:
  read:
    - {name: get_item, maps_to: 'GET /items/{id}', description: One, params: {id: {type: integer, required: true}}}
    - {name: list_items, maps_to: GET /items, description: All}
    - {name: get_old, maps_to: GET /old, description: Old, deprecated: {replacement: get_item}}
  create:
    - {name: create_item, maps_to: POST /items, description: New, params: {name: {type: string, required: true}}}
  delete:
    - {name: delete_item, maps_to: 'DELETE /items/{id}', description: Gone, params: {id: {type: integer, required: true}}}
";

fn echo(request: &aqueduct_testkit::api::Recorded) -> Answer {
    match (request.method.as_str(), request.path()) {
        ("POST", _) if request.json()["name"] == "twice" => {
            Answer::json(409, json!({"message": "there already"}))
        }
        ("POST", _) => Answer::json(201, json!({"id": 7, "name": request.json()["name"]})),
        ("GET", "/items/404") => Answer::json(404, json!({"message": "none"})),
        ("GET", "/items") => Answer::json(200, json!([{"id": 1}, {"id": 2}])),
        ("GET", path) => Answer::json(200, json!({"path": path, "id": 5})),
        _ => Answer::empty(204),
    }
}

async fn shop(setup: Setup) -> (TestServer, FakeApi) {
    let api = FakeApi::start(echo).await;
    let text = adapter("shop", &api.base_url(), SHOP);
    (setup.serve(&[text]), api)
}

fn get(id: Value) -> Value {
    json!({"operation": "get_item", "params": {"id": id}})
}

fn batch(items: Vec<Value>) -> Value {
    json!({"operations": items})
}

/// O7.1-1 O7.1-2 O7.2-1 O7.2-2 O7.2-3 O7.3-1 O7.3-2 O7.3-3 O7.3-4: one result for each operation, in order; a failure stops
/// nothing, and the whole is a success.
#[tokio::test]
async fn each_on_its_own() {
    let (server, api) = shop(Setup::default()).await;
    let items = vec![
        json!({"operation": "create_item", "params": {"name": "a"}}),
        get(json!(404)),
        json!({"operation": "create_item", "params": {"name": "b"}}),
        json!({"operation": "no_such"}),
        json!({"operation": "create_item", "params": {}}),
        json!({"operation": "introspect", "params": {"query": "types"}}),
        json!("nothing"),
        get(json!(1)),
    ];
    let answer = server.call(batch(items.clone())).await;
    assert_eq!((&answer["success"], &answer["data"]), (&json!(true), &Value::Null));
    assert_eq!(answer["summary"], json!({"total": 8, "succeeded": 4, "failed": 4}));
    let results = answer["results"].as_array().unwrap();
    for (index, (result, item)) in results.iter().zip(&items).enumerate() {
        assert_eq!(result["index"], index);
        assert_eq!(result["operation"], item.get("operation").cloned().unwrap_or_else(|| json!("")));
    }
    let codes: Vec<&str> =
        results.iter().map(|result| result["result"]["error"]["code"].as_str().unwrap_or("")).collect();
    assert_eq!(
        codes,
        [
            "",
            "NOT_FOUND_RESOURCE",
            "",
            "NOT_FOUND_OPERATION",
            "VALIDATION_MISSING_PARAM",
            "",
            "BATCH_VALIDATION_ERROR",
            ""
        ]
    );
    assert_eq!(results[0]["result"]["data"], json!({"id": 7, "name": "a"}));
    let sent: Vec<String> = api.requests().iter().map(|r| format!("{} {}", r.method, r.target)).collect();
    assert_eq!(sent, ["POST /items", "GET /items/404", "POST /items", "GET /items/1"]);
    let all_fail = server.call(batch(vec![get(json!(404)), get(json!(404))])).await;
    assert_eq!((&all_fail["success"], &all_fail["summary"]["failed"]), (&json!(true), &json!(2)));
}

/// O7.2-4 X-errors-34: what is there already is an item's failure.
#[tokio::test]
async fn duplicates() {
    let (server, _api) = shop(Setup::default()).await;
    let twice = json!({"operation": "create_item", "params": {"name": "twice"}});
    let once = json!({"operation": "create_item", "params": {"name": "once"}});
    let answer = server.call(batch(vec![once, twice, get(json!(1))])).await;
    assert_eq!(answer["summary"], json!({"total": 3, "succeeded": 2, "failed": 1}));
    assert_eq!(answer["results"][1]["result"]["success"], false);
    assert_eq!(answer["results"][1]["result"]["error"]["code"], "CONFLICT_ALREADY_EXISTS");
}

/// O7.3-5 X-conf-12 X-conf-17: what is no batch fails as a whole, with code and message alone; both forms of one are taken, also as JSON text.
#[tokio::test]
async fn forms() {
    let (server, api) = shop(Setup::limits(Limits { max_batch_items: 3, ..Limits::default() })).await;
    for bad in [
        json!({"operations": []}),
        json!({"operations": {}}),
        json!({"operations": null}),
        json!({"operation": "batch"}),
        json!({"operation": "batch", "params": {}}),
        json!({"operation": "batch", "params": {"operations": "x"}}),
        batch(vec![get(json!(1)); 4]),
    ] {
        let answer = server.call(bad.clone()).await;
        assert_eq!(answer["success"], false);
        let error = error_of(answer);
        assert_eq!(error["code"], "BATCH_VALIDATION_ERROR", "{bad}");
        assert_eq!(error.get("details"), None, "{bad}");
    }
    assert!(api.requests().is_empty());
    let items = json!([get(json!(1))]);
    for good in [
        json!({"operations": items}),
        json!({"operation": "batch", "params": {"operations": items}}),
        json!({"operation": "batch", "operations": items}),
        json!({"operation": "batch", "params": {"operations": items.to_string()}}),
    ] {
        assert_eq!(server.call(good.clone()).await["summary"]["succeeded"], 1, "{good}");
    }
    let nested = server
        .call(batch(vec![json!({"operation": "batch", "params": {"operations": items}}), batch(vec![])]))
        .await;
    for result in nested["results"].as_array().unwrap() {
        assert_eq!(result["result"]["error"]["code"], "BATCH_VALIDATION_ERROR");
    }
}

/// O7.4-1 O7.4-2 O7.4-3 O7.4-4: by the tool of one family, operations of another fail on their own.
#[tokio::test]
async fn families() {
    let (server, _api) = shop(Setup::default()).await;
    let mixed = batch(vec![
        get(json!(1)),
        json!({"operation": "create_item", "params": {"name": "a"}}),
        get(json!(2)),
    ]);
    let answer = server.call_by("read", mixed.clone()).await;
    assert_eq!(answer["summary"], json!({"total": 3, "succeeded": 2, "failed": 1}));
    assert_eq!(answer["results"][1]["result"]["error"]["code"], "VALIDATION_ENDPOINT_MISMATCH");
    let (single, _api) = shop(Setup::mode(Mode::Single)).await;
    assert_eq!(single.call(mixed).await["summary"]["succeeded"], 3);
}

/// Ruling W6: a chain needs one call; what refers to nothing fails alone, and says why.
#[tokio::test]
async fn references() {
    let (server, api) = shop(Setup::default()).await;
    let items = vec![
        json!({"operation": "list_items"}),
        get(json!("$results[0].data.items[1].id")),
        get(json!("$results[9].data.id")),
        get(json!("$results[2].data.id")),
        json!({"operation": "create_item", "params": {"name": "$$results[0]"}}),
        get(json!("$results[5].data.id")),
    ];
    let answer = server.call(batch(items)).await;
    let result = |index: usize| answer["results"][index]["result"].clone();
    assert_eq!(data_of(result(1))["path"], "/items/2");
    for (index, why) in [(2, "not an earlier one"), (3, "operation 2 failed"), (5, "not an earlier one")] {
        let error = error_of(result(index));
        assert_eq!(error["code"], "VALIDATION_INVALID_VALUE");
        assert!(error["message"].as_str().unwrap().contains(why), "{error}");
    }
    assert_eq!(data_of(result(4))["name"], "$results[0]");
    assert_eq!(api.requests().len(), 3);
}

/// Forbids one value.
#[derive(Debug)]
struct NotTwo;

impl Policy for NotTwo {
    fn denies(&self, application: &GateRequest<'_>) -> Option<PolicyDenial> {
        (application.values.get("id") == Some(&json!(2))).then(|| PolicyDenial::new("test", "not that one"))
    }
}

/// Ruling S10: what a reference stands for is what the gate sees.
#[tokio::test]
async fn references_pass_the_gate() {
    let (server, api) = shop(Setup { policy: Some(Arc::new(NotTwo)), ..Setup::default() }).await;
    let items =
        vec![json!({"operation": "list_items"}), get(json!("$results[0].data.items[1].id")), get(json!(1))];
    let answer = server.call(batch(items)).await;
    assert_eq!(answer["results"][1]["result"]["error"]["code"], "PERMISSION_DENIED");
    assert_eq!(answer["summary"]["succeeded"], 2);
    assert!(api.requests().iter().all(|request| request.path() != "/items/2"));
}

/// Reads that need nothing of one another run together, and keep their places; a serialized source never overlaps.
#[tokio::test]
async fn reads_run_together() {
    let gate = aqueduct_testkit::api::Gate::default();
    let held = gate.clone();
    let api = FakeApi::start(move |request| {
        let answer = Answer::json(200, json!({"path": request.path()}));
        if request.path() == "/items/1" { Answer::behind(&held, answer) } else { answer }
    })
    .await;
    let server = Setup::default().serve(&[adapter("shop", &api.base_url(), SHOP)]);
    let calling = tokio::spawn({
        let server = server.clone();
        async move { server.call(batch(vec![get(json!(1)), get(json!(2)), get(json!(3))])).await }
    });
    api.wait_for_request_count(3).await;
    gate.open();
    let answer = calling.await.unwrap();
    let paths: Vec<&Value> =
        answer["results"].as_array().unwrap().iter().map(|r| &r["result"]["data"]["path"]).collect();
    assert_eq!(paths, ["/items/1", "/items/2", "/items/3"]);
    let gate = aqueduct_testkit::api::Gate::default();
    let held = gate.clone();
    let api = FakeApi::start(move |_| Answer::behind(&held, Answer::json(200, json!({})))).await;
    let serialized = format!("concurrency: serialized\n{SHOP}");
    let server = Setup::default().serve(&[adapter("shop", &api.base_url(), &serialized)]);
    let calling = tokio::spawn(async move { server.call(batch(vec![get(json!(1)), get(json!(2))])).await });
    api.wait_for_request_count(1).await;
    tokio::task::yield_now().await;
    assert_eq!(api.requests().len(), 1);
    gate.open();
    assert_eq!(calling.await.unwrap()["summary"]["succeeded"], 2);
}

/// The whole answer has one budget: results come in order until it is full, the rest is pending, and the request that goes on
/// is there. No change is begun with little room left, and none is made twice.
#[tokio::test]
async fn one_budget() {
    let api = FakeApi::always(Answer::json(200, json!({"text": "word ".repeat(700)}))).await;
    let limits = Limits { max_response_tokens: 2_000, ..Limits::default() };
    let server = Setup::limits(limits).serve(&[adapter("shop", &api.base_url(), SHOP)]);
    let create = |name: &str| json!({"operation": "create_item", "params": {"name": name}});
    let mut request = batch(vec![create("a"), create("b"), create("c")]);
    let mut made = 0;
    for round in 0.. {
        assert!(round < 3);
        let answer = server.call(request).await;
        made += answer["results"].as_array().unwrap().len();
        assert_eq!(api.requests().len(), made, "{answer}");
        let Some(next) = answer.get("next_request").cloned() else { break };
        let pending = answer["pending_operations"].as_array().unwrap();
        assert_eq!(answer["summary"]["pending"], pending.len());
        assert!(
            answer["warnings"]
                .as_array()
                .unwrap()
                .iter()
                .any(|each| each["code"] == "VALIDATION_TRUNCATED_WARNING")
        );
        request = next;
    }
    let names: Vec<Value> = api.requests().iter().map(|request| request.json()["name"].clone()).collect();
    assert_eq!(names, ["a", "b", "c"]);
}

/// Twenty reads that do not fit into one answer come in several, each once, with references followed.
#[tokio::test]
async fn a_batch_goes_on() {
    let api = FakeApi::start(|request| {
        Answer::json(200, json!({"id": 7, "path": request.path(), "text": "word ".repeat(400)}))
    })
    .await;
    let limits = Limits { max_response_tokens: 3_000, ..Limits::default() };
    let server = Setup::limits(limits).serve(&[adapter("shop", &api.base_url(), SHOP)]);
    let mut items: Vec<Value> = (0..20).map(|id| get(json!(id))).collect();
    items[19] = get(json!("$results[0].data.id"));
    let mut request = batch(items);
    let mut paths = Vec::new();
    for round in 0.. {
        assert!(round < 20);
        let answer = server.call(request).await;
        assert_eq!(answer["summary"]["failed"], 0, "{answer}");
        let results = answer["results"].as_array().unwrap();
        assert!(!results.is_empty());
        paths.extend(results.iter().map(|each| each["result"]["data"]["path"].as_str().unwrap().to_owned()));
        assert!(aqueduct_vocabulary::count(&answer.to_string()) < 3_300, "the rest is paid for too");
        match answer.get("next_request") {
            Some(next) => request = next.clone(),
            None => break,
        }
    }
    assert_eq!(paths.len(), 20);
    assert_eq!(
        (paths[0].as_str(), paths[18].as_str(), paths[19].as_str()),
        ("/items/0", "/items/18", "/items/7")
    );
}

/// X-warn-13 X-conf-15: what items would say is said beside them, once, with their places.
#[tokio::test]
async fn shared_warnings() {
    let (server, _api) = shop(Setup::default()).await;
    let old = json!({"operation": "get_old"});
    let answer = server.call(batch(vec![old.clone(), get(json!(1)), old.clone()])).await;
    assert_eq!(answer["warnings"].as_array().unwrap().len(), 1);
    assert_eq!(answer["warnings"][0]["code"], "DEPRECATION_WARNING");
    assert_eq!(answer["warnings"][0]["details"]["occurrence_count"], 2);
    assert_eq!(answer["warnings"][0]["details"]["indexes"], json!([0, 2]));
    assert!(
        answer["results"].as_array().unwrap().iter().all(|result| result["result"].get("warnings").is_none())
    );
    let one = server.call(batch(vec![old])).await;
    assert_eq!(one["results"][0]["result"].get("warnings"), None);
    assert_eq!(one["warnings"][0]["code"], "DEPRECATION_WARNING");
    assert_eq!(one["warnings"][0]["details"]["indexes"], json!([0]));
}

/// A batch has a budget of its own, and nothing else beside its operations.
#[tokio::test]
async fn what_stands_beside() {
    let api = FakeApi::always(Answer::json(200, json!({"text": "word ".repeat(300)}))).await;
    let server = Setup::default().serve(&[adapter("shop", &api.base_url(), SHOP)]);
    let items = json!([get(json!(1)), get(json!(2)), get(json!(3))]);
    for request in [
        json!({"operations": items, "budget": 700}),
        json!({"operation": "batch", "params": {"operations": items, "budget": 700}}),
    ] {
        let summary = server.call(request).await["summary"].clone();
        let (done, pending) = (summary["succeeded"].as_u64().unwrap(), summary["pending"].as_u64().unwrap());
        assert!(done >= 1 && pending >= 1 && done + pending == 3, "as many as there is room for: {summary}");
    }
    assert_eq!(server.call(json!({"operations": items, "budget": 5_000})).await["summary"]["succeeded"], 3);
    for bad in [
        json!({"operations": items, "dry_run": true}),
        json!({"operations": items, "budget": "x"}),
        json!({"operations": items, "budget": 0}),
    ] {
        assert_eq!(server.error(bad).await["code"], "BATCH_VALIDATION_ERROR");
    }
}

/// Failures count too: with nothing left they are told in short.
#[tokio::test]
async fn failures_have_a_price() {
    let (server, _api) = shop(Setup::default()).await;
    let wrong = json!({"operation": "get_item", "params": {"id": "x", "unknown": 1}});
    let answer = server.call(json!({"operations": vec![wrong; 100], "budget": 3_000})).await;
    let tokens = aqueduct_vocabulary::count(&answer.to_string());
    assert!(tokens < 12_000, "{tokens}");
    assert!(answer["results"][0]["result"]["error"]["details"].is_object());
    assert!(answer["results"][99]["result"]["error"]["message"].is_string());
}

/// A number that a reference found is text where text is declared.
#[tokio::test]
async fn numbers_by_reference() {
    let (server, _api) = shop(Setup::default()).await;
    let items = vec![
        json!({"operation": "list_items"}),
        json!({"operation": "create_item", "params": {"name": "$results[0].data.items[1].id"}}),
    ];
    let answer = server.call(batch(items)).await;
    assert_eq!(answer["results"][1]["result"]["data"]["name"], "2", "{answer}");
    let plain = server.error(json!({"operation": "create_item", "params": {"name": 2}})).await;
    assert_eq!(plain["code"], "VALIDATION_INVALID_TYPE", "only what a reference found");
}

/// Neither what is kept nor a cursor crosses callers by way of a batch.
#[tokio::test]
async fn items_have_the_caller_of_the_batch() {
    let count = std::sync::atomic::AtomicU64::new(0);
    let api = FakeApi::start(move |_| {
        let number = count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Answer::json(200, json!({"n": number})).header("Cache-Control", "max-age=60")
    })
    .await;
    let server = Setup::default().serve(&[adapter("shop", &api.base_url(), SHOP)]);
    let as_caller = async |name: &str| {
        let Value::Object(arguments) = batch(vec![get(json!(1))]) else { panic!() };
        let caller = aqueduct_operations::call::Caller::named(name);
        let session = aqueduct_operations::call::SessionId::new("s");
        let call = aqueduct_operations::call::Call {
            arguments,
            origin: aqueduct_operations::call::CallOrigin::new(session, caller, Scopes::unrestricted()),
        };
        let reply = server.dispatcher.call(call).await.to_json();
        serde_json::from_str::<Value>(&reply).unwrap()["results"][0]["result"]["data"]["n"].take()
    };
    assert_eq!(
        (as_caller("ann").await, as_caller("bob").await, as_caller("ann").await),
        (json!(0), json!(1), json!(0))
    );
}

/// X-warn-13 X-conf-15: only what is the same in every detail is said once.
#[tokio::test]
async fn warnings_that_differ_are_each_said() {
    let api = FakeApi::start(echo).await;
    let two = SHOP.replace("    - {name: get_old,", "    - {name: get_older, maps_to: GET /older, description: Older, deprecated: {}}\n    - {name: get_old,");
    let server = Setup::default().serve(&[adapter("shop", &api.base_url(), &two)]);
    let answer =
        server.call(batch(vec![json!({"operation": "get_old"}), json!({"operation": "get_older"})])).await;
    for (index, name) in ["get_old", "get_older"].iter().enumerate() {
        assert_eq!(answer["results"][index]["result"].get("warnings"), None);
        let details = &answer["warnings"][index]["details"];
        assert_eq!((&details["deprecated_item"], &details["indexes"]), (&json!(name), &json!([index])));
    }
}
