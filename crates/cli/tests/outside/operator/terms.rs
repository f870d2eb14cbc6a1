//! For how long an operator's yes is good, from when on, what takes it back, and which calls need an operator in every mode.

use super::desk::{Desk, approval_id};
use crate::outside::harness::{Place, code};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};

const FILE: &str = r#"---
name: vault
type: adapter
version: "1.0.0"
description: "A vault"
trust: { level: certified }
target: { base_url: "http://127.0.0.1:9", transport: http, protocol: rest, serialization: json, retries: 0 }
operations:
  update:
    - name: sign_item
      maps_to: "PATCH /items/{id}"
      description: "Signs an item"
      params: { id: { type: string, required: true }, name: { type: string } }
      danger: { level: reversible, requires_reauth: true, audit_context: [id], hook_blockable: false }
  delete:
    - { name: delete_item, maps_to: "DELETE /items/{id}", description: "Removes one", params: { id: { type: string, required: true } } }
    - name: slow_delete
      maps_to: "DELETE /slow/{id}"
      description: "Removes one, slowly"
      params: { id: { type: string, required: true } }
      danger: { level: destructive, cooldown_seconds: 2 }
    - { name: wipe_items, maps_to: "DELETE /items", description: "Removes all" }
---
"#;

async fn vault(arguments: &[&str]) -> Desk {
    let api = FakeApi::always(Answer::json(200, json!({"ok": true}))).await;
    let place = Place::new();
    let file = place.write("vault-adapter.md", FILE);
    Desk::of(place, api, &file, &[&["--mode", "single"], arguments].concat()).await
}

fn request(operation: &str, id: &str) -> Value {
    json!({"operation": operation, "params": {"id": id}})
}

/// X-token-7: five minutes for what is destructive, two for what is forbidden; `ttl_seconds` up to fifteen and five.
#[tokio::test]
async fn a_yes_lives_by_its_danger() {
    let mut desk = vault(&["--confirmation", "operator"]).await;
    for (config, expected) in [("", [300, 120]), ("[confirmation]\nttl_seconds = 900\n", [900, 300])] {
        let file = desk.place.write("aqueduct.toml", config);
        for (call, seconds) in
            [request("delete_item", "7"), json!({"operation": "wipe_items"})].iter().zip(expected)
        {
            let id = approval_id(&desk.raw(call.clone()).await);
            let approved = desk.operator(&["approve", &id, "--config", &file]).await;
            assert_eq!(approved.code, 0, "{approved:?}");
            let all = desk.operator(&["approvals", "--all", "--format", "json"]).await.json();
            let one = all.as_array().unwrap().iter().find(|each| each["id"] == id.as_str()).unwrap();
            let left = one["seconds_left"].as_i64().unwrap();
            assert!((seconds - 60..=seconds).contains(&left), "{call} {config}: {left}");
            let done = desk.raw(call.clone()).await;
            assert_eq!(done["success"], true, "{done}");
        }
    }
}

/// X-danger-5: a yes is good when its cooldown is over, counted from the yes; the operator is told so.
#[tokio::test]
async fn a_yes_cools_down() {
    let mut desk = vault(&["--confirmation", "operator"]).await;
    let call = request("slow_delete", "7");
    let id = approval_id(&desk.raw(call.clone()).await);
    let shown = desk.operator(&["approvals"]).await.stdout;
    assert!(shown.contains("waits  2 s after the yes"), "{shown}");
    let approved = desk.operator(&["approve", &id]).await;
    assert!(approved.stderr.contains("in 2 seconds or later"), "{approved:?}");
    let mut waits = 0;
    loop {
        let answer = desk.raw(call.clone()).await;
        if answer["success"] == true {
            break;
        }
        assert_eq!(
            (code(&answer), &answer["error"]["details"]["reason"]),
            ("PERMISSION_DENIED", &json!("cooldown"))
        );
        assert_eq!(desk.sent(), 0);
        waits += 1;
        let seconds = answer["error"]["details"]["retry_after_seconds"].as_u64().unwrap();
        tokio::time::sleep(std::time::Duration::from_secs(seconds.min(3))).await;
    }
    assert!(waits > 0, "it did not run at once");
    assert_eq!(desk.sent(), 1);
}

/// X-danger-3 X-danger-5 X-danger-6: what its adapter wants signed for waits for the operator in the other modes too, a person behind the
/// client or a token will not do; and the audit has the values that the adapter names.
#[tokio::test]
async fn what_somebody_signs_in_for() {
    for mode in ["ask", "client"] {
        let mut desk = vault(&["--confirmation", mode]).await;
        let sign = json!({"operation": "sign_item", "params": {"id": "7", "input": {"name": "n-41"}}});
        let id = approval_id(&desk.raw(sign.clone()).await);
        let other = desk.raw(request("delete_item", "7")).await;
        let token = other["error"]["details"]["confirmation_token"].as_str().unwrap().to_owned();
        let mut with_token = sign.clone();
        with_token["params"]["confirmation_token"] = token.clone().into();
        assert_eq!(code(&desk.raw(with_token).await), "TOKEN_INVALID");
        assert_eq!(desk.operator_with(&["approve", &id], "a guess of mine\n").await.code, 1, "who signs in");
        assert_eq!(desk.operator(&["approve", &id]).await.code, 0);
        let done = desk.raw(sign.clone()).await;
        assert_eq!((&done["success"], desk.sent()), (&json!(true), 1), "{done}");
        assert_ne!(approval_id(&desk.raw(sign).await), id, "once");
        let used = desk.operator(&["audit", "--search", "APPROVAL_USED", "--format", "json"]).await;
        assert!(used.stdout.contains(r#"id=\"7\""#) && !used.stdout.contains("n-41"), "{used:?}");
        let mut confirmed = request("delete_item", "7");
        confirmed["params"]["confirmation_token"] = token.into();
        assert_eq!(desk.raw(confirmed).await["success"], true, "the rest is as it was");
    }
}

/// X-token-13: an operator takes back a question, a yes, a token, and everything of a session or a caller; the next call is told.
#[tokio::test]
async fn taken_back() {
    let mut desk = vault(&["--confirmation", "operator"]).await;
    let call = request("delete_item", "7");
    for is_approved in [false, true] {
        let id = approval_id(&desk.raw(call.clone()).await);
        if is_approved {
            assert_eq!(desk.operator(&["approve", &id]).await.code, 0);
        }
        assert_ne!(desk.operator_with(&["revoke", &id], "a guess of mine\n").await.code, 0, "who may");
        let revoked = desk.operator(&["revoke", &id[..8], "--reason", "a mistake"]).await;
        assert_eq!(
            (revoked.code, revoked.stdout.as_str()),
            (0, format!("taken back  {id}\n").as_str()),
            "{revoked:?}"
        );
        let refused = desk.raw(call.clone()).await;
        assert_eq!(code(&refused), "PERMISSION_DENIED", "{refused}");
        assert!(refused["error"]["message"].as_str().unwrap().contains("a mistake"), "{refused}");
        let again = desk.operator(&["revoke", &id]).await;
        assert!(again.code == 1 && again.stderr.contains("nothing was taken back"), "{again:?}");
        let too_late = desk.operator(&["approve", &id]).await;
        assert!(too_late.code == 1 && too_late.stderr.contains("too late"), "{too_late:?}");
        desk = vault(&["--confirmation", "operator"]).await;
    }
    for (words, said) in [
        (&["revoke"][..], "required"),
        (&["revoke", "1234567"], "at least 8 characters"),
        (&["revoke", "12345678", "--caller", "ann"], "cannot be used with"),
        (&["revoke", "--caller", "ann"], "nothing was taken back"),
    ] {
        let refused = desk.operator(words).await;
        assert!(refused.code != 0 && refused.stderr.contains(said), "{words:?}: {refused:?}");
    }
    approval_id(&desk.raw(call.clone()).await);
    approval_id(&desk.raw(request("delete_item", "8")).await);
    let all = desk.operator(&["revoke", "--caller", "local"]).await;
    assert_eq!((all.code, all.stdout.lines().count()), (0, 2), "{all:?}");
    assert_eq!(code(&desk.raw(call).await), "PERMISSION_DENIED");
    assert_eq!(desk.sent(), 0);
    let mut desk = vault(&["--confirmation", "client"]).await;
    let asked = desk.raw(request("delete_item", "7")).await;
    let issued = desk.operator(&["audit", "--search", "TOKEN_ISSUED", "--format", "json"]).await.stdout;
    let issued: Value = serde_json::from_str(issued.lines().next().unwrap()).unwrap();
    assert_eq!(desk.operator(&["revoke", issued["token"].as_str().unwrap()]).await.code, 0);
    let mut with_token = request("delete_item", "7");
    with_token["params"]["_confirmation"] = asked["error"]["details"]["confirmation_token"].clone();
    let refused = desk.raw(with_token).await;
    assert_eq!(
        (code(&refused), &refused["error"]["details"]["reason"]),
        ("TOKEN_INVALID", &json!("revoked"))
    );
    assert_eq!(desk.sent(), 0);
}
