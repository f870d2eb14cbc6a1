//! One gate (ruling S10): what a `[[policy]]` rule denies is denied on every way to it, and nothing of it is sent.
//!
//! What a policy of the embedding program denies on these ways is beside each of them. Rules have a parameter here where an operation is
//! called: what is denied for all values is refused before, when the request is routed, and would not show whether the gate is asked.

use super::cache::call_as;
use crate::built_in::relationships::tests as relationships;
use crate::test_server::{Setup, TestServer, adapter, error_of};
use aqueduct_operations::call::{Call, CallOrigin, Caller, Scopes, SessionId};
use aqueduct_operations::exposure::Glob;
use aqueduct_operations::gatekeeper::{ParamCondition, Permission, PolicyRule};
use aqueduct_testkit::api::{Answer, FakeApi, Recorded};
use serde_json::{Value, json};

const SHOP: &str = "operations:
  read:
    - {name: get_item, maps_to: 'GET /items/{id}', description: One, params: {id: {type: integer, required: true}}}
    - {name: list_items, maps_to: GET /items, description: All, params: {state: {type: string}}, pagination: {style: page, param_name: page, per_page_param: per_page, max_limit: 40}}
  update:
    - {name: update_item, maps_to: 'PUT /items/{id}', description: Other, params: {id: {type: integer, required: true}, name: {type: string}}}
";

fn answer(request: &Recorded) -> Answer {
    let body = if request.path() == "/items" {
        json!([{"id": 1}, {"id": 2}])
    } else {
        json!({"id": 1, "name": "a"})
    };
    Answer::json(200, body).header("Cache-Control", "max-age=60")
}

/// Denies an operation, by its glob.
fn denying(operation: &str) -> PolicyRule {
    PolicyRule {
        source: None,
        operation: Some(Glob::parse(operation).unwrap()),
        category: None,
        caller: None,
        params: Vec::new(),
        permission: Permission::Deny,
        reason: Some("not from here".to_owned()),
    }
}

fn with_param(name: &str, value: Value, rule: PolicyRule) -> PolicyRule {
    PolicyRule { params: vec![ParamCondition { name: name.to_owned(), values: vec![value] }], ..rule }
}

fn for_guests(rule: PolicyRule) -> PolicyRule {
    PolicyRule { caller: Some(Glob::parse("guest").unwrap()), ..rule }
}

async fn shop(rule: PolicyRule) -> (TestServer, FakeApi) {
    let api = FakeApi::start(answer).await;
    let server =
        Setup { rules: vec![rule], ..Setup::default() }.serve(&[adapter("shop", &api.base_url(), SHOP)]);
    (server, api)
}

fn paths(api: &FakeApi) -> Vec<String> {
    api.requests().iter().map(|request| request.path().to_owned()).collect()
}

fn is_denied(answer: &Value) -> bool {
    answer["error"]["code"] == "PERMISSION_DENIED"
        && answer["error"]["message"].as_str().is_some_and(|message| message.contains("not from here"))
}

fn get(id: Value) -> Value {
    json!({"operation": "get_item", "params": {"id": id}})
}

/// S10: an item of a batch, and the value that a reference stands for.
#[tokio::test]
async fn batch_items_and_references() {
    let (server, api) = shop(with_param("id", json!(2), denying("get_item"))).await;
    let items = json!({"operations": [
        {"operation": "list_items"}, get(json!(2)), get(json!("$results[0].data.items[1].id")),
        get(json!("$results[0].data.items[0].id")),
    ]});
    let done = server.call(items).await;
    let denied: Vec<bool> =
        done["results"].as_array().unwrap().iter().map(|result| is_denied(&result["result"])).collect();
    assert_eq!(denied, [false, true, true, false], "{done}");
    assert_eq!(paths(&api), ["/items", "/items/1"]);
}

/// S10: a further page, by a cursor that somebody else was given, who may have it.
#[tokio::test]
async fn further_pages() {
    let (server, api) = shop(for_guests(with_param("state", json!("open"), denying("list_items")))).await;
    let page = |params: Value| json!({"operation": "list_items", "params": params});
    let first = call_as(&server, None, page(json!({"first": 2, "state": "open"}))).await;
    let cursor = first["data"]["pageInfo"]["endCursor"].clone();
    assert!(cursor.is_string(), "{first}");
    let sent = api.requests().len();
    let further = page(json!({"first": 2, "state": "open", "after": cursor}));
    assert!(is_denied(&call_as(&server, Some("guest"), further.clone()).await));
    assert_eq!(api.requests().len(), sent);
    assert_eq!(call_as(&server, None, further).await["success"], true);
}

/// S10: the read before a PUT, of one value and of all.
#[tokio::test]
async fn the_read_before_a_put() {
    for rule in [with_param("id", json!(7), denying("get_item")), denying("get_*")] {
        let (server, api) = shop(rule).await;
        let update = json!({"operation": "update_item", "params": {"id": 7, "input": {"name": "b"}}});
        let refused = server.call(update).await;
        assert!(is_denied(&refused), "{refused}");
        assert_eq!(refused["error"]["details"]["needs"], "get_item");
        assert!(api.requests().is_empty(), "neither read nor written");
    }
}

/// S10: a relationship hop.
#[tokio::test]
async fn relationship_hops() {
    let rules = vec![with_param("agent", json!("ada"), denying("list_agent_skills"))];
    let (server, api) = relationships::served(Setup { rules, ..Setup::default() }).await;
    let refused = server.call(relationships::ask("Agent", "ada", "outgoing", json!({}))).await;
    assert!(is_denied(&refused), "{refused}");
    assert!(paths(&api).iter().all(|path| path != "/agents/ada/skills"));
}

/// S10: an answer that is kept.
#[tokio::test]
async fn kept_answers() {
    let (server, api) = shop(for_guests(with_param("id", json!(1), denying("get_item")))).await;
    for _ in 0..2 {
        assert_eq!(call_as(&server, None, get(json!(1))).await["success"], true);
    }
    assert_eq!(api.requests().len(), 1, "it is kept");
    assert!(is_denied(&call_as(&server, Some("guest"), get(json!(1))).await));
    assert_eq!(api.requests().len(), 1);
}

/// S10: what is built in. `introspect` is reached by its whole name alone.
#[tokio::test]
async fn built_in_operations() {
    let asked = || json!({"operation": "introspect", "params": {"query": "operations"}});
    for (rule, is_refused) in [(denying("introspect"), true), (denying("intro*"), false)] {
        let (server, api) = shop(rule).await;
        let answer = server.call(asked()).await;
        assert_eq!(answer["success"], !is_refused, "{answer}");
        if is_refused {
            assert_eq!(error_of(answer)["code"], "PERMISSION_DENIED");
            let batched = server.call(json!({"operations": [asked()]})).await;
            assert_eq!(batched["summary"]["failed"], 1);
        }
        assert!(api.requests().is_empty());
    }
    let dangers = || json!({"operation": "introspect", "params": {"query": "danger"}});
    let (server, _api) = shop(with_param("query", json!("danger"), denying("introspect"))).await;
    for request in [dangers(), json!({"operations": [asked(), dangers()]})] {
        let answer = server.call(request).await;
        let results = answer["results"].as_array().and_then(|results| results.last());
        let refused = results.map_or(&answer, |result| &result["result"]);
        assert!(is_denied(refused), "{answer}");
    }
    assert_eq!(server.call(asked()).await["success"], true);
    let all = denying("query_relationships");
    for rule in [all.clone(), with_param("root.element_name", json!("ada"), all)] {
        let (server, api) = relationships::served(Setup { rules: vec![rule], ..Setup::default() }).await;
        let answer = server.call(relationships::ask("Agent", "ada", "outgoing", json!({}))).await;
        assert!(is_denied(&answer), "{answer}");
        assert!(api.requests().is_empty());
    }
}

/// S10: scopes too. Who lacks that of the read before a PUT, or of an item, gets neither.
#[tokio::test]
async fn scopes_of_what_a_call_needs() {
    let api = FakeApi::start(answer).await;
    let scoped = SHOP.replace("{name: get_item,", "{name: get_item, required_scopes: [items],");
    let server = Setup::default().serve(&[adapter("shop", &api.base_url(), &scoped)]);
    let update = json!({"operation": "update_item", "params": {"id": 7, "input": {"name": "b"}}});
    for (scopes, is_done) in [(Scopes::none(), false), (Scopes::only(["items".to_owned()]), true)] {
        let origin = CallOrigin::new(SessionId::new("s"), Caller::named("ada"), scopes);
        let call = Call { arguments: update.as_object().unwrap().clone(), origin };
        let done: Value = serde_json::from_str(&server.dispatcher.call(call).await.to_json()).unwrap();
        assert_eq!(done["success"], is_done, "{done}");
        if !is_done {
            assert_eq!(done["error"]["code"], "PERMISSION_DENIED", "{done}");
            assert!(api.requests().is_empty(), "neither read nor written");
        }
    }
}
