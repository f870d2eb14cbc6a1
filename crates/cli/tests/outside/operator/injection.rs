//! Texts of clients that try to be another line, a header, a command of the terminal, markup, or to turn the direction of reading:
//! through everything that the operator's commands, the audit and the log show of a call or an agent.

use super::desk::{Desk, approval_id, state_of};
use crate::outside::harness::{Place, Server, TOKEN, code, inside, shop};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};

/// Everything at once.
const HOSTILE: &str = "x\r\nX-Injected: 1\r\n\r\nINJECTED line\n{\"event\":\"INJECTED\"}\u{1b}[2J\u{1b}]0;owned\u{7}\u{202e}\u{2028}<script>alert(1)</script>";

/// No line of a text is the client's, and nothing in it moves a cursor or turns the direction.
fn is_harmless(what: &str, text: &str) {
    for bad in ['\u{1b}', '\u{7}', '\u{202e}', '\u{2028}', '\0', '\r'] {
        assert!(!text.contains(bad), "{what} has {bad:?}: {text:?}");
    }
    for line in text.lines() {
        let line = line.trim_start();
        let begins =
            ["X-Injected", "INJECTED", "{\"event\":\"INJECTED\""].iter().any(|each| line.starts_with(each));
        assert!(!begins, "{what}: {line:?} in {text:?}");
    }
}

/// What an operator sees of a call whose parameters are hostile, and what the audit and both forms of the log have of it.
#[tokio::test]
async fn parameters_stay_parameters() {
    for format in ["text", "json"] {
        let place = Place::new();
        let api = FakeApi::always(Answer::json(200, json!({"ok": true}))).await;
        let variables = [("SHOP_TOKEN", TOKEN), ("AQUEDUCT_LOG", "trace"), ("AQUEDUCT_LOG_FORMAT", format)];
        let mut desk =
            Desk::with_variables(place, api, &shop(), &["--confirmation", "operator"], &variables).await;
        let deleted = desk.delete(json!({"order_id": HOSTILE})).await;
        let id = approval_id(&deleted);
        let named = desk.delete(json!({"order_id": "7", HOSTILE: HOSTILE})).await;
        assert!(named["success"] == false && named["error"].is_object(), "{named}");
        let unknown = desk.server.call("mcp_aql_delete", HOSTILE, json!({})).await;
        assert_eq!(unknown["success"], false, "{unknown}");
        for command in [vec!["approvals"], vec!["approvals", "--format", "json"], vec!["status"]] {
            let shown = desk.operator(&command).await;
            is_harmless(&command.join(" "), &shown.stdout);
            is_harmless(&command.join(" "), &shown.stderr);
        }
        let denied = desk.operator(&["deny", &id, "--reason", HOSTILE]).await;
        is_harmless("deny", &format!("{}{}", denied.stdout, denied.stderr));
        let refused = desk.delete(json!({"order_id": HOSTILE})).await;
        let message = refused["error"]["message"].as_str().unwrap();
        assert!(!message.contains(['\r', '\n', '\u{1b}', '\u{202e}']), "{message:?}");
        for command in
            [vec!["audit"], vec!["audit", "--format", "json"], vec!["audit", "--search", "<script>"]]
        {
            let shown = desk.operator(&command).await;
            is_harmless(&command.join(" "), &shown.stdout);
            if command.contains(&"json") {
                shown.stdout.lines().for_each(|line| drop(serde_json::from_str::<Value>(line).unwrap()));
            }
        }
        let (_, errors) = desk.server.finish().await;
        is_harmless(format, &errors);
        assert!(!errors.contains("alert(1)"), "the log has what a client said: {errors}");
    }
}

/// Names and hints of agents, which are the agent's own words wherever they are shown.
#[tokio::test]
async fn agents_say_nothing_but_words() {
    let place = Place::new();
    let state = state_of(&place).display().to_string();
    let set = ["operator", "init", "--state-dir", &state, "--passphrase-stdin"];
    assert_eq!(place.run(&set, &[], super::desk::PASSPHRASE).await.code, 0);
    let variables = [("AQUEDUCT_LOG", "trace")];
    let mut server = Server::start(&["--safety", "enforcing", "--state-dir", &state], &variables);
    server.open().await;
    let name = format!("bot {}", &HOSTILE[..40]);
    let mut params = json!({"element_name": name});
    let asked = server.call("mcp_aql_execute", "execute_agent", params.clone()).await;
    assert_eq!(code(&asked), "CONFIRMATION_REQUIRED", "{asked}");
    params["confirmation_token"] = asked["error"]["details"]["confirmation_token"].clone();
    let running = server.call("mcp_aql_execute", "execute_agent", params).await;
    assert_eq!(running["success"], true, "{running}");
    let step = json!({"element_name": name, "next_action_hint": format!("drop_table {HOSTILE}"), "step_description": HOSTILE});
    let arguments = json!({"operation": "record_execution_step", "params": step});
    let blocked = inside(&server.call_raw("mcp_aql_create", arguments).await);
    assert_eq!(blocked["data"]["directive"]["continue"], false, "{blocked}");
    let operator = async |words: &[&str]| {
        let all = [&["operator"], words, &["--state-dir", &state, "--passphrase-stdin"]].concat();
        let ran = place.run(&all, &[], super::desk::PASSPHRASE).await;
        is_harmless(&words.join(" "), &ran.stdout);
        is_harmless(&words.join(" "), &ran.stderr);
        ran
    };
    let shown = operator(&["agents"]).await;
    assert!(shown.stdout.contains("drop_table") && shown.stdout.contains("<script>"), "{shown:?}");
    operator(&["audit"]).await;
    operator(&["challenge", &name]).await;
    operator(&["unblock", &name]).await;
    let (_, errors) = server.finish().await;
    is_harmless("the log", &errors);
}
