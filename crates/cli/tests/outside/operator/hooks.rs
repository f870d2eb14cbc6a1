//! Who is told of what waits: commands of the operator's and the desktop. They get one JSON object and nothing else of a call, and
//! whatever they do decides nothing.

use super::desk::{Desk, approval_id};
use crate::outside::harness::{DEADLINE, Place, Server, TOKEN, inside, shop};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::Instant;

/// Writes what it was given beside itself: its words, its environment and its input, the last one at once.
const RECORDER: &str = "#!/bin/sh\nhere=$(dirname \"$0\")\nfor word in \"$@\"; do printf '%s\\n' \"$word\"; done > \"$here/words\"\nenv > \
                        \"$here/env\"\ncat > \"$here/input.part\"\nmv \"$here/input.part\" \"$here/input\"\n";

/// What no one may take for a command, a header, markup or an option.
const HOSTILE: &str = "--help\"; touch pwned; $(touch pwned) `touch pwned` '|touch pwned'\r\nX-Injected: 1\n<script>alert(1)</script>\u{202e}\u{1b}[31m";

fn program(place: &Place, name: &str, text: &str) -> String {
    let path = place.write(name, text);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

async fn desk(place: Place, config: &str, mode: &str, path: &str) -> Desk {
    let config = place.write("aqueduct.toml", config);
    let api = FakeApi::always(Answer::json(200, json!({"ok": true}))).await;
    let arguments = ["--config", &config, "--confirmation", mode];
    let variables = [("SHOP_TOKEN", TOKEN), ("PATH", path), ("AQUEDUCT_HOOK_CHANNEL", "ops")];
    Desk::with_variables(place, api, &shop(), &arguments, &variables).await
}

async fn recorded(path: PathBuf) -> String {
    let start = Instant::now();
    while !path.exists() {
        assert!(start.elapsed() < DEADLINE, "no {}", path.display());
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    std::fs::read_to_string(path).unwrap()
}

/// Both hooks get what waits, whole and with secrets hidden: never a token, no credential, nothing in words or environment.
#[tokio::test]
async fn commands_are_told() {
    for (block, mode) in [("operator", "operator"), ("confirmation", "operator"), ("confirmation", "client")]
    {
        let place = Place::new();
        let hook = program(&place, "hook/tell", RECORDER);
        let config = format!("[{block}]\nhook = [\"{hook}\", \"--to\", \"$(touch pwned)\"]\n");
        let folder = place.path();
        let mut desk = desk(place, &config, mode, "/usr/bin:/bin").await;
        let asked = desk.delete(json!({"order_id": HOSTILE})).await;
        let details = &asked["error"]["details"];
        let input = recorded(folder.join("hook/input")).await;
        assert_eq!(input.lines().count(), 1, "one line: {input}");
        let told: Value = serde_json::from_str(&input).unwrap();
        assert_eq!(told["calls"][0]["params"]["order_id"], HOSTILE, "as it is, and only in here");
        assert_eq!((&told["caller"], &told["danger_level"]), (&json!("local"), &json!("destructive")));
        assert_eq!(told["approval_id"], details["approval_id"], "{block} {mode}");
        let event = if mode == "operator" { "approval_waiting" } else { "confirmation_needed" };
        assert_eq!(told["event"], event);
        let token = details["confirmation_token"].as_str();
        assert_eq!(token.is_some(), mode == "client", "{asked}");
        let (words, env) =
            (recorded(folder.join("hook/words")).await, recorded(folder.join("hook/env")).await);
        assert_eq!(words, "--to\n$(touch pwned)\n", "no shell has read it");
        assert!(env.contains("AQUEDUCT_HOOK_CHANNEL=ops"), "{env}");
        for secret in ["conf_", TOKEN, "SHOP_TOKEN", "sess_"] {
            assert!(!format!("{input}{words}{env}").contains(secret), "{secret}: {input} {env}");
        }
        let found = walk(&folder);
        assert!(!found.iter().any(|path| path.ends_with("pwned")), "{found:?}");
    }
}

fn walk(folder: &std::path::Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}

/// A sensitive value is hidden from a hook as from the operator.
#[tokio::test]
async fn secrets_are_hidden() {
    let place = Place::new();
    let hook = program(&place, "hook/tell", RECORDER);
    let rule = "[[policy]]\noperation = \"create_order\"\ndecision = \"confirm\"\n";
    let folder = place.path();
    let mut desk =
        desk(place, &format!("[operator]\nhook = \"{hook}\"\n{rule}"), "operator", "/usr/bin:/bin").await;
    let arguments =
        json!({"operation": "create_order", "params": {"product_id": 7, "card_number": "4242424242424242"}});
    approval_id(&inside(&desk.server.call_raw("mcp_aql_create", arguments).await));
    let input = recorded(folder.join("hook/input")).await;
    assert!(input.contains("create_order") && !input.contains("4242424242424242"), "{input}");
}

/// X-danger-6: a hook that fails, hangs or is not there stops nothing and lets nothing run; the audit has it, and the operator is told.
#[tokio::test]
async fn hooks_decide_nothing() {
    let place = Place::new();
    let failing = program(&place, "hook/fails", "#!/bin/sh\necho '{\"approve\": true}'\nexit 3\n");
    let hanging = program(&place, "hook/hangs", "#!/bin/sh\nexec sleep 600\n");
    for (hook, said) in [
        (failing.as_str(), "the hook of [operator] ended with code 3"),
        (hanging.as_str(), "took longer than 10 seconds"),
        ("/nowhere/to/be/found", "the hook of [operator] cannot be started: entity not found"),
    ] {
        let config = format!("[operator]\nhook = \"{hook}\"\n");
        let mut desk = desk(Place::new(), &config, "operator", "/usr/bin:/bin").await;
        let order = json!({"order_id": "7"});
        let id = approval_id(&desk.delete(order.clone()).await);
        assert_eq!(approval_id(&desk.delete(order.clone()).await), id, "it waits as ever");
        assert_eq!(desk.sent(), 0);
        let start = Instant::now();
        let shown = loop {
            let shown = desk.operator(&["approvals"]).await;
            if shown.stderr.contains(said) || start.elapsed() > DEADLINE {
                break shown;
            }
        };
        assert!(
            shown.stderr.contains("nobody was told of what waits") && shown.stderr.contains(said),
            "{shown:?}"
        );
        let audit = desk.operator(&["audit", "--search", "HOOK_FAILED", "--format", "json"]).await.stdout;
        assert!(audit.lines().count() == 1 && audit.contains(&id) && !audit.contains("/hook/"), "{audit}");
        assert_eq!(desk.operator(&["approve", &id]).await.code, 0);
        assert_eq!(desk.delete(order).await["success"], true);
    }
}

/// Agents that wait for a person are told of too, by the same commands: never with a code, and a hook that fails changes nothing.
#[tokio::test]
async fn agents_that_wait_are_told_of() {
    for (text, is_good) in [(RECORDER, true), ("#!/bin/sh\nexit 3\n", false)] {
        let place = Place::new();
        let hook = program(&place, "hook/tell", text);
        program(&place, "bin/notify-send", RECORDER);
        let path = format!("{}:/usr/bin:/bin", place.path().join("bin").display());
        let (config, folder) = (
            format!("[operator]\nhook = \"{hook}\"\ndesktop = true\n[safety]\nmode = \"enforcing\"\n"),
            place.path(),
        );
        let mut desk = desk(place, &config, "client", &path).await;
        let start = json!({"element_name": "night clerk"});
        let asked = desk.server.call("mcp_aql_execute", "execute_agent", start.clone()).await;
        let mut confirmed = start;
        confirmed["confirmation_token"] = asked["error"]["details"]["confirmation_token"].clone();
        let started = desk.server.call("mcp_aql_execute", "execute_agent", confirmed).await;
        assert_eq!(started["success"], true, "{started}");
        let hint = format!("rm -rf /srv {HOSTILE}");
        for said in ["read_file notes.md", &hint] {
            let report = json!({"element_name": "night clerk", "next_action_hint": said});
            let told = desk.server.call("mcp_aql_create", "record_execution_step", report).await;
            assert_eq!(told["data"]["directive"]["stopped"] == true, said == hint, "{told}");
        }
        recorded(folder.join("bin/input")).await;
        let shown = recorded(folder.join("bin/words")).await;
        if cfg!(target_os = "linux") {
            let expected = "--app-name=aqueduct\n--\nAqueduct: an agent waits for you\nnight clerk (blocked), for local\n";
            assert_eq!(shown, expected);
        }
        if is_good {
            let input = recorded(folder.join("hook/input")).await;
            let told: Value = serde_json::from_str(&input).unwrap();
            assert_eq!(told["next_action_hint"], hint, "as it is, and only in here");
            let expected = json!(["agent_waiting", "night clerk", "local", "blocked"]);
            assert_eq!(json!([told["event"], told["agent"], told["caller"], told["state"]]), expected);
            assert_eq!(told.as_object().unwrap().len(), 6, "no code and no challenge: {told}");
        } else {
            let audit = desk.operator(&["audit", "--search", "HOOK_FAILED", "--format", "json"]).await.stdout;
            assert!(audit.contains("the hook of [operator] ended with code 3"), "{audit}");
        }
        assert!(!walk(&folder).iter().any(|path| path.ends_with("pwned")));
    }
}

/// A quota that pauses is told of once, however many calls and processes of a store come to it, and without any credential.
#[tokio::test]
async fn a_paused_quota_is_told_of_once() {
    let place = Place::new();
    let appends = "#!/bin/sh\ncat >> \"$(dirname \"$0\")/all\"\n";
    let hook = program(&place, "hook/tell", appends);
    program(&place, "bin/notify-send", RECORDER);
    let path = format!("{}:/usr/bin:/bin", place.path().join("bin").display());
    let quota = "[sources.shop.rate_limits.quotas]\nlimits = [{ metric = \"requests_per_day\", pause = 1, hard_stop = 3 }]\n";
    let config = format!("[operator]\nhook = \"{hook}\"\ndesktop = true\n{quota}");
    let folder = place.path();
    let mut desk = desk(place, &config, "client", &path).await;
    let config = folder.join("aqueduct.toml").display().to_string();
    let state = folder.join("state").display().to_string();
    let base_url = desk.api.base_url();
    let arguments = [&shop(), "--base-url", &base_url, "--state-dir", &state, "--config", &config];
    let mut other = Server::start(&arguments, &[("SHOP_TOKEN", TOKEN), ("PATH", &path)]);
    other.open().await;
    for server in [&mut desk.server, &mut other] {
        for _ in 0..3 {
            server.call("mcp_aql_read", "list_products", json!({})).await;
        }
    }
    assert_eq!(desk.sent(), 1);
    recorded(folder.join("bin/input")).await;
    let shown = recorded(folder.join("bin/words")).await;
    if cfg!(target_os = "linux") {
        let expected = "--app-name=aqueduct\n--\nAqueduct: a quota is paused\nrequests_per_day of shop: 1 used, paused from 1\n";
        assert_eq!(shown, expected);
    }
    desk.server.finish().await;
    other.finish().await;
    let all = recorded(folder.join("hook/all")).await;
    assert_eq!(all.lines().count(), 1, "{all}");
    let mut told: Value = serde_json::from_str(&all).unwrap();
    assert!(told["resets_at"].take().is_string(), "{all}");
    let expected = json!({"event": "quota_paused", "source": "shop", "metric": "requests_per_day", "current": 1,
                          "pause": 1, "hard_stop": 3, "resets_at": null});
    assert_eq!(told, expected);
}

/// The desktop is told names and counts, after the end of options, where that is set; else no one is.
#[tokio::test]
async fn the_desktop_is_told_where_it_is_set() {
    for is_set in [true, false] {
        let place = Place::new();
        program(&place, "bin/notify-send", RECORDER);
        let path = format!("{}:/usr/bin:/bin", place.path().join("bin").display());
        let folder = place.path();
        let mut desk = desk(place, &format!("[operator]\ndesktop = {is_set}\n"), "operator", &path).await;
        approval_id(&desk.delete(json!({"order_id": HOSTILE})).await);
        if is_set && cfg!(target_os = "linux") {
            recorded(folder.join("bin/input")).await;
            let words = recorded(folder.join("bin/words")).await;
            let expected = "--app-name=aqueduct\n--\nAqueduct: a call waits for you\ndelete_order of shop (destructive), for local\n";
            assert_eq!(words, expected);
        } else {
            desk.server.finish().await;
            assert!(!folder.join("bin/words").exists());
        }
    }
}
