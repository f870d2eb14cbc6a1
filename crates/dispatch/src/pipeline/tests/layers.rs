//! The layers of the gatekeeper, one after the other: a request that is wrong in every way is mended step by step, and each time the
//! next layer stops it. Nothing is sent before the last one lets it through, and then exactly what was judged.

use crate::test_server::{Setup, TestServer, adapter};
use aqueduct_operations::call::{Call, CallOrigin, Caller, Scopes, SessionId, ToolEndpoint};
use aqueduct_operations::exposure::Glob;
use aqueduct_operations::gatekeeper::{ParamCondition, Permission, PolicyRule};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};

const VAULT: &str = "trust: {level: certified}
operations:
  delete:
    - name: delete_vault
      maps_to: 'DELETE /vaults/{id}'
      description: Removes one
      required_scopes: [vaults]
      params: {id: {type: string, required: true}, force: {type: boolean, in: query}}
    - {name: purge_vaults, maps_to: 'DELETE /vaults', description: All}
";

fn denying(operation: &str, params: Vec<ParamCondition>) -> PolicyRule {
    PolicyRule {
        source: None,
        operation: Some(Glob::parse(operation).unwrap()),
        category: None,
        caller: None,
        params,
        permission: Permission::Deny,
        reason: None,
    }
}

/// A call by a tool, with these scopes.
struct Sent<'a> {
    family: &'a str,
    scopes: Scopes,
    arguments: Value,
}

async fn sent(server: &TestServer, Sent { family, scopes, arguments }: Sent<'_>) -> Value {
    let origin = CallOrigin::new(SessionId::new("session-1"), Caller::named("ada"), scopes);
    let origin = CallOrigin { endpoint: ToolEndpoint::Family(family.to_owned()), ..origin };
    let arguments = arguments.as_object().unwrap().clone();
    serde_json::from_str(&server.dispatcher.call(Call { arguments, origin }).await.to_json()).unwrap()
}

/// X-gate-2 X-gate-7: route, tier, parameters, policy and confirmation, in this order and each with its code. A confirmation is for the
/// parameters that were shown, and nothing that is changed afterwards passes.
#[tokio::test]
async fn one_layer_after_the_other() {
    let api = FakeApi::always(Answer::json(200, json!({"ok": true}))).await;
    let forced = ParamCondition { name: "force".to_owned(), values: vec![json!(true)] };
    let rules = vec![denying("delete_vault", vec![forced]), denying("purge_vaults", Vec::new())];
    let server = Setup { rules, ..Setup::default() }.serve(&[adapter("vault", &api.base_url(), VAULT)]);
    let scoped = || Scopes::only(["vaults".to_owned()]);
    let delete = |params: Value| json!({"operation": "delete_vault", "params": params});
    let forced = || delete(json!({"id": "7", "force": true}));
    for (family, scopes, arguments, code) in [
        (
            "read",
            Scopes::none(),
            json!({"operation": "drop_vault", "params": {"x": 1}}),
            "NOT_FOUND_OPERATION",
        ),
        (
            "read",
            Scopes::none(),
            json!({"operation": "purge_vaults", "params": {"x": 1}}),
            "PERMISSION_DENIED",
        ),
        ("read", Scopes::none(), delete(json!({"x": 1})), "PERMISSION_DENIED"),
        ("read", scoped(), delete(json!({"x": 1})), "VALIDATION_ENDPOINT_MISMATCH"),
        ("delete", scoped(), delete(json!({"x": 1})), "VALIDATION_MISSING_PARAM"),
        ("delete", scoped(), delete(json!({"id": 7, "x": 1})), "VALIDATION_INVALID_TYPE"),
        ("delete", scoped(), delete(json!({"id": "7", "x": 1})), "VALIDATION_UNKNOWN_PARAM"),
        ("delete", scoped(), forced(), "PERMISSION_DENIED"),
        ("delete", scoped(), delete(json!({"id": "7"})), "CONFIRMATION_REQUIRED"),
    ] {
        let answer = sent(&server, Sent { family, scopes, arguments: arguments.clone() }).await;
        assert_eq!(answer["error"]["code"], code, "{family} {arguments}: {answer}");
    }
    let by_delete = |arguments: Value| Sent { family: "delete", scopes: scoped(), arguments };
    let asked = sent(&server, by_delete(delete(json!({"id": "7"})))).await;
    let token = asked["error"]["details"]["confirmation_token"].clone();
    // Whatever else comes with the token is another call, or is denied as it was without.
    for (params, code) in [
        (json!({"id": "8"}), "TOKEN_SCOPE_MISMATCH"),
        (json!({"id": "7", "force": false}), "TOKEN_SCOPE_MISMATCH"),
        (json!({"id": "7", "force": true}), "PERMISSION_DENIED"),
        (json!({"id": "7", "force": "TRUE"}), "VALIDATION_INVALID_TYPE"),
    ] {
        let mut changed = delete(params);
        changed["params"]["confirmation_token"] = token.clone();
        let answer = sent(&server, by_delete(changed.clone())).await;
        assert_eq!(answer["error"]["code"], code, "{changed}: {answer}");
    }
    let mut elsewhere = delete(json!({"id": "7", "confirmation_token": token}));
    let answer = sent(&server, Sent { family: "read", scopes: scoped(), arguments: elsewhere.clone() }).await;
    assert_eq!(answer["error"]["code"], "VALIDATION_ENDPOINT_MISMATCH", "a token opens no other tool");
    assert!(api.requests().is_empty(), "nothing was sent");
    let done = sent(&server, by_delete(elsewhere.take())).await;
    assert_eq!(done["success"], true, "{done}");
    let request = api.only_request();
    assert_eq!((request.method.as_str(), request.target.as_str()), ("DELETE", "/vaults/7"));
}
