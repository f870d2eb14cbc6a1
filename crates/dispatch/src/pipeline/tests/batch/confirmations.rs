//! Batches with operations that a person must confirm: they stop there or go on, and nothing confirms itself.

use super::{SHOP, batch, echo, get, shop};
use crate::dispatcher::BatchMode;
use crate::test_server::{Setup, adapter};
use aqueduct_operations::call::ToolEndpoint;
use aqueduct_operations::gatekeeper::{ParamCondition, Permission, PolicyRule};
use aqueduct_testkit::api::FakeApi;
use serde_json::{Value, json};

fn with_delete() -> Vec<Value> {
    vec![
        json!({"operation": "create_item", "params": {"name": "a"}}),
        json!({"operation": "delete_item", "params": {"id": "$results[0].data.id"}}),
        json!({"operation": "get_item", "params": {"id": "$results[0].data.id"}}),
        json!({"operation": "create_item", "params": {"name": "$results[2].data.path"}}),
    ]
}

/// O7.5.2-1 O7.5.2-2 O7.5.2-3 O7.5.2-4 O7.5.2-5 O7.5.2-6 O7.5.3-1 O7.5.3-2 O7.5.4-3 O7.5.5-1 O7.5.5-2 O7.5.5-3: a batch
/// halts where a person must say yes, tells what is left, and goes on from there with the token.
#[tokio::test]
async fn halts_and_goes_on() {
    let (server, api) = shop(Setup::default()).await;
    let halted = server.call(batch(with_delete())).await;
    assert_eq!(halted["success"], true);
    assert_eq!(halted["results"].as_array().unwrap().len(), 1);
    assert_eq!(
        halted["summary"],
        json!({"total": 4, "succeeded": 1, "failed": 0, "halted": 1, "pending": 2})
    );
    let at = &halted["halted_at"];
    assert_eq!((&at["index"], &at["operation"]), (&json!(1), &json!("delete_item")));
    let error = &at["result"]["error"];
    assert_eq!(error["code"], "CONFIRMATION_REQUIRED");
    for key in ["operation", "danger_level", "reasons", "confirmation_token", "expires_at"] {
        assert!(!error["details"][key].is_null(), "{key}");
    }
    assert!(error["details"]["reasons"].is_array());
    assert_eq!(
        halted["pending_operations"],
        json!([{"index": 2, "operation": "get_item", "params": {"id": 7}},
               {"index": 3, "operation": "create_item", "params": {"name": "$results[1].data.path"}}]),
        "what is known is filled in, the rest counts from the halted one on"
    );
    assert_eq!(api.requests().len(), 1, "nothing behind it ran");
    let mut on = vec![json!({"operation": "delete_item", "params": error["details"]["params"]})];
    on[0]["params"]["confirmation_token"] = error["details"]["confirmation_token"].clone();
    for pending in halted["pending_operations"].as_array().unwrap() {
        on.push(json!({"operation": pending["operation"], "params": pending["params"]}));
    }
    let done = server.call(batch(on)).await;
    assert_eq!(done["summary"], json!({"total": 3, "succeeded": 3, "failed": 0}));
    assert_eq!(done["results"][2]["result"]["data"]["name"], "/items/7");
}

/// O7.5.4-1 O7.5.4-2 O7.5.4-4 O7.5.4-5 O7.5.4-6: where the operator says skip, the others run; it is no choice of the request.
#[tokio::test]
async fn skips() {
    let mut setup = Setup::default();
    setup.settings.batch = BatchMode::Skip;
    let (server, api) = shop(setup).await;
    let items = vec![
        json!({"operation": "create_item", "params": {"name": "a"}}),
        json!({"operation": "delete_item", "params": {"id": 3}}),
        get(json!(2)),
    ];
    let answer = server.call(batch(items)).await;
    assert_eq!(
        answer["summary"],
        json!({"total": 3, "succeeded": 2, "failed": 0, "pending_confirmation": 1})
    );
    assert_eq!(answer["results"][1]["status"], "pending_confirmation");
    assert_eq!(answer["results"][1]["result"]["error"]["code"], "CONFIRMATION_REQUIRED");
    assert_eq!(answer["results"].as_array().unwrap().len(), 3);
    assert_eq!((answer.get("halted_at"), answer.get("pending_operations")), (None, None));
    assert_eq!(api.requests().len(), 2);
    let relying =
        vec![json!({"operation": "delete_item", "params": {"id": 3}}), get(json!("$results[0].data.id"))];
    let answer = server.call(batch(relying)).await;
    assert_eq!(
        answer["results"][1]["result"]["error"]["code"], "VALIDATION_INVALID_VALUE",
        "one that relies on it fails"
    );
}

/// A batch by any endpoint has the session of its sender: a token of one session is of no use in another.
#[tokio::test]
async fn tokens_stay_in_their_session() {
    let (server, api) = shop(Setup::default()).await;
    let delete = json!({"operation": "delete_item", "params": {"id": 3}});
    let halted = server.call(batch(vec![delete.clone()])).await;
    let token = halted["halted_at"]["result"]["error"]["details"]["confirmation_token"].clone();
    let mut with = delete;
    with["params"]["confirmation_token"] = token;
    let other = server.call_as("session-2", ToolEndpoint::Any, batch(vec![with.clone()])).await;
    assert_eq!(other["summary"]["failed"], 1);
    assert!(api.requests().is_empty());
    assert_eq!(server.call(batch(vec![with])).await["summary"]["succeeded"], 1);
}

/// Ruling S3: a token that a batch is given is for a person to see: no item of the same batch can take it.
#[tokio::test]
async fn a_batch_does_not_confirm_itself() {
    let mut setup = Setup::default();
    setup.settings.batch = BatchMode::Skip;
    let (server, api) = shop(setup).await;
    for place in ["error.details.confirmation_token", "confirmation.token", "error"] {
        let taken = json!({"operation": "delete_item",
            "params": {"id": 1, "confirmation_token": format!("$results[0].{place}")}});
        let answer =
            server.call(batch(vec![json!({"operation": "delete_item", "params": {"id": 1}}), taken])).await;
        assert_eq!(answer["results"][1]["result"]["error"]["code"], "VALIDATION_INVALID_VALUE", "{answer}");
    }
    assert!(api.requests().is_empty());
}

/// O7.5.3-2: what is pending can be sent as it came, its `index` and parameters beside `params` included.
#[tokio::test]
async fn pending_as_they_came() {
    let (server, _api) = shop(Setup::default()).await;
    let items = vec![
        json!({"operation": "delete_item", "params": {"id": 1}}),
        json!({"operation": "get_item", "id": 5}),
        get(json!(6)),
    ];
    let halted = server.call(batch(items)).await;
    assert_eq!(halted["pending_operations"][0]["params"], json!({"id": 5}));
    let on = server.call(batch(halted["pending_operations"].as_array().unwrap().clone())).await;
    assert_eq!(on["summary"], json!({"total": 2, "succeeded": 2, "failed": 0}), "{on}");
}

/// O7.5.2-5: behind a READ that needs a yes, no other READ runs, though reads may run together.
#[tokio::test]
async fn reads_behind_a_question_wait() {
    let api = FakeApi::start(echo).await;
    let asked =
        SHOP.replace("name: list_items, maps_to", "name: list_items, requires_confirmation: true, maps_to");
    let server = Setup::default().serve(&[adapter("shop", &api.base_url(), &asked)]);
    let items = vec![get(json!(1)), json!({"operation": "list_items"}), get(json!(2)), get(json!(3))];
    let halted = server.call(batch(items)).await;
    assert_eq!((&halted["halted_at"]["index"], &halted["summary"]["pending"]), (&json!(1), &json!(2)));
    let sent: Vec<String> = api.requests().iter().map(|request| request.target.clone()).collect();
    assert_eq!(sent, ["/items/1"]);
}

/// O7.5.2-5: reads that a rule may stop by their values run one after the other, so that nothing behind a question has run.
#[tokio::test]
async fn reads_that_a_rule_may_stop_wait() {
    let condition = ParamCondition { name: "id".to_owned(), values: vec![json!(1), json!(3)] };
    let rule = PolicyRule {
        source: None,
        operation: None,
        category: None,
        caller: None,
        params: vec![condition],
        permission: Permission::Confirm,
        reason: None,
    };
    let (server, api) = shop(Setup { rules: vec![rule], ..Setup::default() }).await;
    let halted = server.call(batch(vec![get(json!(1)), get(json!(3)), get(json!(9))])).await;
    assert_eq!((&halted["halted_at"]["index"], &halted["summary"]["pending"]), (&json!(0), &json!(2)));
    assert!(api.requests().is_empty());
}
