//! Plans: everything is judged before anything runs, and what needs a yes is confirmed together, for exactly these calls (ruling S3).

use super::{SHOP, batch, echo, get, shop};
use crate::dispatcher::BatchMode;
use crate::test_server::{Setup, TestServer, adapter, error_of};
use aqueduct_operations::call::ToolEndpoint;
use aqueduct_operations::exposure::Glob;
use aqueduct_operations::gatekeeper::{ParamCondition, Permission, PolicyRule};
use aqueduct_testkit::api::FakeApi;
use serde_json::{Value, json};
use std::time::Duration;

fn create(name: &str) -> Value {
    json!({"operation": "create_item", "params": {"name": name}})
}

fn delete(id: Value) -> Value {
    json!({"operation": "delete_item", "params": {"id": id}})
}

fn plan(items: Vec<Value>) -> Value {
    json!({"operations": items, "plan": true})
}

fn with_token(mut plan: Value, token: &Value) -> Value {
    plan["confirmation_token"] = token.clone();
    plan
}

/// Asks for a yes: what the person is shown, and the token.
async fn asked(server: &TestServer, request: Value) -> (Value, Value) {
    let mut error = server.error(request).await;
    assert_eq!(error["code"], "CONFIRMATION_REQUIRED", "{error}");
    let token = error["details"]["confirmation_token"].take();
    assert!(token.as_str().unwrap().starts_with("conf_"));
    (error["details"].take(), token)
}

fn rule(operation: &str, param: &str, value: Value, permission: Permission) -> PolicyRule {
    PolicyRule {
        source: None,
        operation: Some(Glob::parse(operation).unwrap()),
        category: None,
        caller: None,
        params: vec![ParamCondition { name: param.to_owned(), values: vec![value] }],
        permission,
        reason: None,
    }
}

/// W6 W7 X-token-20: in both forms of a batch, what needs a yes is shown together, nothing runs before, and the same batch with
/// the token runs as a whole, once.
#[tokio::test]
async fn one_yes_for_all() {
    let items = || vec![create("a"), delete(json!(1)), delete(json!(2)), delete(json!(1)), get(json!(5))];
    let forms = [(false, "confirmation_token"), (true, "confirmation_token"), (true, "_confirmation")];
    for (is_named, name) in forms {
        let request = |token: &Value| {
            let mut params = plan(items());
            if !token.is_null() {
                params[name] = token.clone();
            }
            if is_named { json!({"operation": "batch", "params": params}) } else { params }
        };
        let (server, api) = shop(Setup::default()).await;
        let (shown, token) = asked(&server, request(&Value::Null)).await;
        assert!(api.requests().is_empty(), "not even what needs no yes");
        assert_eq!((&shown["operation"], &shown["danger_level"]), (&json!("batch"), &json!("destructive")));
        assert!(shown["reasons"].is_array() && shown["expires_at"].is_string());
        let calls = shown["calls"].as_array().unwrap();
        let seen: Vec<Value> = calls.iter().map(|call| json!([call["index"], call["params"]])).collect();
        assert_eq!(seen, [json!([1, {"id": 1}]), json!([2, {"id": 2}]), json!([3, {"id": 1}])]);
        for call in calls {
            assert_eq!((&call["operation"], &call["source"]), (&json!("delete_item"), &json!("shop")));
            assert_eq!(
                (&call["danger_level"], &call["reasons"]),
                (&json!("destructive"), &json!(["it removes data"]))
            );
        }
        let done = server.call(request(&token)).await;
        assert_eq!(done["summary"], json!({"total": 5, "succeeded": 5, "failed": 0}), "{done}");
        assert_eq!(api.requests().len(), 5);
        let again = error_of(server.call(request(&token)).await);
        assert_eq!(again["code"], "TOKEN_ALREADY_USED", "{again}");
        assert_eq!(api.requests().len(), 5, "nothing of it runs twice");
    }
}

/// S3: an operation that was changed, added, or added once more is refused, before anything runs; the plan itself stays good.
#[tokio::test]
async fn nothing_but_the_plan() {
    let (server, api) = shop(Setup::default()).await;
    let items = vec![create("a"), delete(json!(1)), delete(json!(2))];
    let (_, token) = asked(&server, plan(items.clone())).await;
    let others = [
        vec![create("a"), delete(json!(1)), delete(json!(3))],
        vec![create("a"), delete(json!(1)), delete(json!(2)), delete(json!(3))],
        vec![create("a"), delete(json!(1)), delete(json!(2)), delete(json!(2))],
    ];
    for other in others {
        let error = error_of(server.call(with_token(plan(other), &token)).await);
        assert_eq!(error["code"], "TOKEN_SCOPE_MISMATCH", "{error}");
        assert_eq!(error["details"]["requested_operation"], "delete_item");
    }
    let elsewhere =
        server.call_as("session-2", ToolEndpoint::Any, with_token(plan(items.clone()), &token)).await;
    assert_eq!(error_of(elsewhere)["code"], "TOKEN_INVALID");
    assert!(api.requests().is_empty());
    let done = server.call(with_token(plan(items.clone()), &token)).await;
    assert_eq!(done["summary"]["succeeded"], 3, "{done}");
    let (_, token) = asked(&server, plan(items.clone())).await;
    server.clock.advance(Duration::from_secs(331));
    let error = error_of(server.call(with_token(plan(items), &token)).await);
    assert_eq!(error["code"], "TOKEN_EXPIRED");
    assert_eq!(api.requests().len(), 3);
}

/// O7.5.3-1 X-token-20: a plan's token is good for its calls one by one too, each as often as it stands in the plan and no oftener.
#[tokio::test]
async fn counts_hold_everywhere() {
    let (server, api) = shop(Setup::default()).await;
    let items = vec![delete(json!(1)), delete(json!(1)), delete(json!(2))];
    let (_, token) = asked(&server, plan(items.clone())).await;
    let alone =
        |id: u64| json!({"operation": "delete_item", "params": {"id": id, "confirmation_token": token}});
    for _ in 0..2 {
        let answer = server.call(batch(vec![alone(1)])).await;
        assert_eq!(answer["summary"]["succeeded"], 1, "{answer}");
    }
    assert_eq!(error_of(server.call(alone(1)).await)["code"], "TOKEN_ALREADY_USED");
    assert_eq!(error_of(server.call(alone(3)).await)["code"], "TOKEN_SCOPE_MISMATCH");
    assert_eq!(error_of(server.call(with_token(plan(items), &token)).await)["code"], "TOKEN_ALREADY_USED");
    assert_eq!(server.call(alone(2)).await["success"], true);
    assert_eq!(api.requests().len(), 3);
}

/// S3: sensitive values are hidden from the person who is asked, and the adapter's own question is there.
#[tokio::test]
async fn what_is_shown() {
    let api = FakeApi::start(echo).await;
    let blocks = "operations:
  delete:
    - name: delete_item
      maps_to: 'DELETE /items/{id}'
      description: Gone
      danger: {level: destructive, reasons: [it is gone], confirmation_message: 'Remove {id}?', cooldown_seconds: 10}
      params: {id: {type: integer, required: true}, pin: {type: string, sensitive: true}}
";
    let server = Setup::default().serve(&[adapter("shop", &api.base_url(), blocks)]);
    let items = vec![json!({"operation": "delete_item", "params": {"id": 1, "pin": "471100"}})];
    let (shown, token) = asked(&server, plan(items.clone())).await;
    assert_eq!(shown["calls"][0]["params"], json!({"id": 1, "pin": "[hidden]"}));
    assert_eq!(shown["calls"][0]["confirmation_message"], "Remove 1?");
    assert_eq!(shown["reasons"], json!(["it is gone"]));
    assert!(!shown.to_string().contains("471100"));
    let early = error_of(server.call(with_token(plan(items.clone()), &token)).await);
    assert_eq!(early["details"]["reason"], "cooldown");
    server.clock.advance(Duration::from_secs(10));
    assert_eq!(server.call(with_token(plan(items), &token)).await["summary"]["succeeded"], 1);
}

/// S3 S10: operations that are wrong or denied are told before anyone is asked, all of them, and nothing runs.
#[tokio::test]
async fn what_cannot_run_is_told_first() {
    let rules = vec![rule("get_item", "id", json!(2), Permission::Deny)];
    let (server, api) = shop(Setup { rules, ..Setup::default() }).await;
    let items = vec![
        create("a"),
        get(json!(2)),
        delete(json!("x")),
        json!({"operation": "no_such"}),
        json!("nothing"),
        json!({"operation": "batch", "params": {"operations": []}}),
        delete(json!(1)),
        get(json!("$results[9.data")),
    ];
    let error = error_of(server.call(plan(items)).await);
    assert_eq!(error["code"], "BATCH_VALIDATION_ERROR");
    assert!(error["details"].get("confirmation_token").is_none());
    let problems: Vec<Value> = error["details"]["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|problem| json!([problem["index"], problem["code"]]))
        .collect();
    assert_eq!(
        problems,
        [
            json!([1, "PERMISSION_DENIED"]),
            json!([2, "VALIDATION_INVALID_TYPE"]),
            json!([3, "NOT_FOUND_OPERATION"]),
            json!([4, "BATCH_VALIDATION_ERROR"]),
            json!([5, "BATCH_VALIDATION_ERROR"]),
            json!([7, "VALIDATION_INVALID_VALUE"]),
        ]
    );
    assert!(api.requests().is_empty());
}

/// S3: what needs a yes and refers to an earlier result cannot be shown, so the plan is refused; what needs none runs as ever.
#[tokio::test]
async fn values_that_are_not_known_yet() {
    let rules = vec![rule("get_item", "id", json!(2), Permission::Deny)];
    let (server, api) = shop(Setup { rules, ..Setup::default() }).await;
    let error = error_of(server.call(plan(vec![create("a"), delete(json!("$results[0].data.id"))])).await);
    let problem = &error["details"]["problems"][0];
    assert_eq!((&problem["index"], &problem["code"]), (&json!(1), &json!("BATCH_VALIDATION_ERROR")));
    assert!(problem["message"].as_str().unwrap().contains("refers to an earlier result"), "{error}");
    assert!(api.requests().is_empty());
    let items = vec![
        json!({"operation": "list_items"}),
        get(json!("$results[0].data.items[0].id")),
        get(json!("$results[0].data.items[1].id")),
        delete(json!(1)),
    ];
    let (shown, token) = asked(&server, plan(items.clone())).await;
    assert_eq!(shown["calls"].as_array().unwrap().len(), 1);
    let done = server.call(with_token(plan(items), &token)).await;
    assert_eq!(done["summary"], json!({"total": 4, "succeeded": 3, "failed": 1}), "{done}");
    assert_eq!(done["results"][2]["result"]["error"]["code"], "PERMISSION_DENIED", "judged when it is known");
}

/// O7.5.3-1 O7.5.3-2 O7.5.4-2: what only turns out to need a yes while the plan runs halts it, or is skipped, as for any batch; what
/// is pending has the plan's token and can be sent as it came.
#[tokio::test]
async fn a_plan_that_halts() {
    for mode in [BatchMode::Halt, BatchMode::Skip] {
        let rules = vec![rule("create_item", "name", json!("/items/5"), Permission::Confirm)];
        let mut setup = Setup { rules, ..Setup::default() };
        setup.settings.batch = mode;
        let (server, api) = shop(setup).await;
        let items = vec![delete(json!(1)), get(json!(5)), create("$results[1].data.path"), delete(json!(2))];
        let (_, token) = asked(&server, plan(items.clone())).await;
        let ran = server.call(with_token(plan(items), &token)).await;
        if mode == BatchMode::Skip {
            let summary = json!({"total": 4, "succeeded": 3, "failed": 0, "pending_confirmation": 1});
            assert_eq!(ran["summary"], summary, "{ran}");
            continue;
        }
        assert_eq!(ran["halted_at"]["index"], 2, "{ran}");
        let pending = json!([{"index": 3, "operation": "delete_item", "params": {"id": 2, "confirmation_token": token}}]);
        assert_eq!(ran["pending_operations"], pending);
        assert_eq!(api.requests().len(), 2);
        let on = server.call(batch(ran["pending_operations"].as_array().unwrap().clone())).await;
        assert_eq!(on["summary"], json!({"total": 1, "succeeded": 1, "failed": 0}), "{on}");
    }
}

/// W6: when the budget is full, `next_request` goes on with the same yes.
#[tokio::test]
async fn a_plan_that_is_cut() {
    let mut cuts = 0;
    for budget in (300..1300).step_by(100) {
        let (server, api) = shop(Setup::default()).await;
        let mut items = vec![json!({"operation": "introspect", "params": {"query": "operations"}})];
        items.extend((1..=3).map(|id| delete(json!(id))));
        let mut request = plan(items);
        request["budget"] = budget.into();
        let (_, token) = asked(&server, request.clone()).await;
        let cut = server.call(with_token(request, &token)).await;
        if cut["next_request"].is_object() {
            cuts += 1;
            let on = server.call(cut["next_request"].clone()).await;
            assert_eq!(on["summary"]["failed"], 0, "{on}");
        }
        assert_eq!(api.requests().len(), 3, "{budget}");
    }
    assert!(cuts > 0, "a budget that is full before the end");
}

/// W6: a plan in which nothing needs a yes runs at once; previews and calls with a token of their own need none of the plan's.
#[tokio::test]
async fn nothing_to_ask() {
    let (server, api) = shop(Setup::default()).await;
    let done = server.call(plan(vec![create("a"), get(json!(1))])).await;
    assert_eq!(done["summary"]["succeeded"], 2);
    let preview = json!({"operation": "delete_item", "params": {"id": 1, "dry_run": true}});
    assert_eq!(server.call(plan(vec![preview])).await["summary"]["succeeded"], 1);
    let own = server.error(delete(json!(1))).await["details"]["confirmation_token"].take();
    let own = json!({"operation": "delete_item", "params": {"id": 1, "confirmation_token": own}});
    assert_eq!(server.call(plan(vec![own])).await["summary"]["succeeded"], 1);
    assert_eq!(api.requests().len(), 3);
    let mut asked_for = plan(vec![delete(json!(1))]);
    asked_for["plan"] = false.into();
    assert_eq!(server.call(asked_for.clone()).await["summary"]["halted"], 1);
    asked_for["confirmation_token"] = "conf_x".into();
    assert_eq!(error_of(server.call(asked_for.clone()).await)["code"], "BATCH_VALIDATION_ERROR");
    asked_for["plan"] = "yes".into();
    assert_eq!(error_of(server.call(asked_for).await)["code"], "BATCH_VALIDATION_ERROR");
}

/// S10: the read before a PUT is judged with the plan.
#[tokio::test]
async fn the_read_before_is_judged_first() {
    let api = FakeApi::start(echo).await;
    let blocks = format!(
        "{SHOP}  update:\n    - {{name: update_item, maps_to: 'PUT /items/{{id}}', description: Other, params: {{id: {{type: integer, \
         required: true}}, name: {{type: string}}}}}}\n"
    );
    let rules = vec![rule("get_item", "id", json!(2), Permission::Deny)];
    let server = Setup { rules, ..Setup::default() }.serve(&[adapter("shop", &api.base_url(), &blocks)]);
    let update = |id: u64| json!({"operation": "update_item", "params": {"id": id, "input": {"name": "x"}}});
    let error = error_of(server.call(plan(vec![update(1), update(2)])).await);
    assert_eq!(error["details"]["problems"][0]["index"], 1, "{error}");
    assert_eq!(error["details"]["problems"][0]["details"]["needs"], "get_item");
    assert!(api.requests().is_empty());
}
