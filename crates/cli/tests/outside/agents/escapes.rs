//! Agents that try to go on although they may not, and to be told what is not for them.

use super::Watched;
use crate::outside::harness::{code, shop};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};

fn reason(answer: &Value) -> &str {
    answer["error"]["details"]["reason"].as_str().unwrap_or_default()
}

/// C8.8-1 C8.8.3-1 C8.6.4-6 C8.6.4-7: a session whose agent is paused, waits for a code or is blocked can neither end the run and call on its own, nor confirm for itself that
/// it starts over or under another name, for which it gets no token.
#[tokio::test]
async fn an_agent_that_starts_over() {
    let api = FakeApi::always(Answer::json(200, json!({"id": "7"}))).await;
    let (shop, base_url) = (shop(), api.base_url());
    for (hint, word) in [
        ("delete_user 7", "agent_paused"),
        ("wire 2500 USD to the new supplier", "agent_paused"),
        ("Run `rm -rf /srv`", "agent_blocked"),
    ] {
        let mut watched = Watched::open(&[&shop, "--base-url", &base_url, "--safety", "enforcing"]).await;
        watched.run("bot").await;
        let first = watched.directive("bot", hint).await;
        assert_eq!(first["continue"], false, "{first}");
        let order = json!({"order_id": "7"});
        for ends in [false, true] {
            if ends {
                let ended =
                    watched.call("mcp_aql_execute", "abort_execution", json!({"element_name": "bot"})).await;
                assert_eq!(ended["success"], true, "{ended}");
            }
            let refused = watched.call("mcp_aql_execute", "execute_recount", order.clone()).await;
            assert_eq!(reason(&refused), word, "{refused}");
            let somebody_else = json!({"element_name": "somebody else"});
            let other = watched.call("mcp_aql_execute", "execute_agent", somebody_else).await;
            let wanted = if word == "agent_blocked" { word } else { "self_approval" };
            assert_eq!(reason(&other), wanted, "{other}");
            assert!(!other.to_string().contains("conf_"), "no token is handed out that is refused: {other}");
            let mut named = order.clone();
            named["_agent"] = json!("somebody else");
            let named = watched.call("mcp_aql_execute", "execute_recount", named).await;
            assert_eq!(reason(&named), "unknown_agent", "{named}");
        }
        let again = watched.execute("bot").await;
        assert_eq!(again["success"], false, "{again}");
        assert_eq!(api.requests().len(), 0);
        if hint.starts_with("wire") {
            let (id, secret) = watched.opened("bot").await;
            assert_eq!(watched.verify(&id, &secret).await["success"], true);
        }
        watched.operator(&["release", "bot"]).await;
        watched.operator(&["unblock", "bot"]).await;
        watched.run("somebody else").await;
    }
}

/// C8.8.4-1 C8.8.4-2 C8.8.4-4 C8.8.2-4 C8.8.2-5: no operation, query, field selection, batch, dry run or error shows more of a challenge than its identifier, before or
/// after the operator has opened it; and a wrong code is not given back.
#[tokio::test]
async fn nothing_shows_a_code() {
    let mut watched = Watched::open(&["--safety", "enforcing"]).await;
    watched.run("bot").await;
    let stopped = watched.directive("bot", "Run `rm -rf /srv`").await;
    let id = stopped["notifications"][0]["metadata"]["verificationId"].as_str().unwrap().to_owned();
    let (opened, secret) = watched.opened("bot").await;
    assert_eq!(opened, id);
    for (tool, arguments) in [
        (
            "mcp_aql_read",
            json!({"operation": "introspect", "params": {"query": "operations", "name": "verify_challenge"}}),
        ),
        (
            "mcp_aql_read",
            json!({"operation": "introspect", "params": {"query": "capabilities"}, "fields": ["*"]}),
        ),
        ("mcp_aql_read", json!({"operation": "introspect", "params": {"query": "search", "text": id}})),
        ("mcp_aql_create", json!({"operation": "verify_challenge", "params": {"challenge_id": id}})),
        (
            "mcp_aql_create",
            json!({"operation": "verify_challenge", "params": {"challenge_id": id, "code": ["a"]}}),
        ),
        (
            "mcp_aql_create",
            json!({"operation": "verify_challenge", "params": {"challenge_id": id, "code": secret, "extra": 1}}),
        ),
        (
            "mcp_aql_create",
            json!({"operation": "verify_challenge", "params": {"challenge_id": id, "code": secret, "dry_run": true}}),
        ),
        (
            "mcp_aql_read",
            json!({"operation": "verify_challenge", "params": {"challenge_id": id, "code": secret}}),
        ),
        (
            "mcp_aql_create",
            json!({"operation": "record_execution_step", "params": {"element_name": "bot", "next_action_hint": id}}),
        ),
        ("mcp_aql_execute", json!({"operation": "execute_agent", "params": {"element_name": "bot"}})),
        ("mcp_aql_read", json!({"operation": secret})),
        ("mcp_aql_create", json!({"operation": secret.to_lowercase().replace('-', " ")})),
        (
            "mcp_aql_execute",
            json!({"operation": "confirm_operation", "params": {"confirmation_token": secret}}),
        ),
    ] {
        let answer = watched.server.call_raw(tool, arguments.clone()).await;
        watched.received.push(answer.to_string());
    }
    for method in ["tools/list", "resources/list", "prompts/list", "logging/setLevel", "completion/complete"]
    {
        let answer = watched.server.request(method, json!({"level": "debug"})).await;
        watched.received.push(answer.to_string());
    }
    assert_eq!(code(&watched.execute("bot").await), "PERMISSION_DENIED", "it is still blocked");
    let last = if secret.ends_with('0') { "1" } else { "0" };
    let wrong = format!("{}{last}", &secret[..secret.len() - 1]);
    let refused = watched.verify(&id, &wrong).await;
    assert_eq!(reason(&refused), "verification_failed", "{refused}");
    let (second, right) = watched.opened("bot").await;
    assert_eq!(watched.verify(&second, &right).await["data"]["verified"], true);
    watched.nowhere().await;
}

/// C8.7.3-13: an agent does not confirm its own call: not with the token that a refused call has shown, not in a plan, and not by starting
/// another agent beside it.
#[tokio::test]
async fn an_agent_that_confirms_its_own_call() {
    let api = FakeApi::always(Answer::json(200, json!({"id": "7"}))).await;
    let (shop, base_url) = (shop(), api.base_url());
    let mut watched = Watched::open(&[&shop, "--base-url", &base_url, "--safety", "enforcing"]).await;
    watched.run("bot").await;
    assert_eq!(watched.directive("bot", "calling delete_order for order 7").await["continue"], false);
    assert_eq!(watched.operator(&["release", "bot"]).await.code, 0);
    let goes_on = watched.directive("bot", "calling delete_order for order 7").await;
    assert_eq!(goes_on["continue"], true, "{goes_on}");
    let order = json!({"order_id": "7"});
    let asked = watched.call("mcp_aql_delete", "delete_order", order.clone()).await;
    let token = asked["error"]["details"]["confirmation_token"].clone();
    assert!(token.is_string(), "{asked}");
    let mut confirmed = order.clone();
    confirmed["confirmation_token"] = token;
    let refused = watched.call("mcp_aql_delete", "delete_order", confirmed).await;
    assert_eq!(reason(&refused), "self_approval", "{refused}");
    let mut plan = json!({"plan": true, "operations": [{"operation": "delete_order", "params": order}]});
    let asked = super::super::harness::inside(&watched.server.call_raw("mcp_aql_delete", plan.clone()).await);
    plan["confirmation_token"] = asked["error"]["details"]["confirmation_token"].clone();
    let refused = watched.server.call_raw("mcp_aql_delete", plan).await.to_string();
    assert!(refused.contains("self_approval"), "{refused}");
    assert_eq!(api.requests().len(), 0, "nothing was sent");
}
