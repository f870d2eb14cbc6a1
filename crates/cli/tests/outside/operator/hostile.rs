//! A hostile client where an operator confirms, by ways that lead around the connection: the operator's page, the operator's commands,
//! the environment of what the server starts, a second server on the same store, and what the operator reads. Each ends with the call
//! still waiting, and nothing sent.

use super::desk::{Desk, PASSPHRASE, approval_id, state_of};
use crate::outside::harness::{DEADLINE, Place, Server, TOKEN, code, fake_server, inside, shop};
use crate::outside::http::server::{ANN, HttpServer, TOKENS, delete, token_in};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const OPENED: &str = "operator's page on http://";

/// Sends a form to the page, with these headers, and reads the answer to its end.
async fn post(host: &str, path: &str, headers: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(host).await.unwrap();
    let request = format!(
        "POST {path} HTTP/1.1\r\n{headers}Connection: close\r\nContent-Type: application/x-www-form-urlencoded\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

/// S5: the page is on this machine, so that the client reaches it; without the passphrase it answers nothing, whatever headers, cookies,
/// keys, tokens and methods a request has.
#[tokio::test]
async fn the_page_without_a_passphrase() {
    let mut desk = Desk::open(&["--operator", "127.0.0.1:0"]).await;
    desk.server.until_errors_have(OPENED).await;
    let errors = desk.server.errors();
    let host = errors.split(OPENED).nth(1).unwrap().split('/').next().unwrap().to_owned();
    let id = approval_id(&desk.delete(json!({"order_id": "7"})).await);
    let key = "a".repeat(64);
    let body = format!("token={key}&id={id}&passphrase=");
    let own = format!("Host: {host}\r\nOrigin: http://{host}\r\n");
    let cookie = format!("{own}Cookie: aqueduct_operator={key}\r\n");
    let rebound = "Host: evil.example\r\nOrigin: http://evil.example\r\n".to_owned();
    let foreign = format!("Host: {host}\r\nOrigin: http://evil.example\r\n");
    let cross_site = format!("Host: {host}\r\nSec-Fetch-Site: cross-site\r\nOrigin: null\r\n");
    let overridden = format!(
        "{own}X-HTTP-Method-Override: POST\r\nX-Forwarded-For: 127.0.0.1\r\nAuthorization: Bearer {id}\r\n"
    );
    for headers in [&own, &cookie, &rebound, &foreign, &cross_site, &overridden] {
        for path in [
            format!("/desk/{key}/approve"),
            format!("/desk/{id}/approve"),
            "/desk//approve".to_owned(),
            "/desk/../approve".to_owned(),
            "/approve".to_owned(),
            "/sign-in".to_owned(),
        ] {
            let answer = post(&host, &path, headers, &body).await;
            let status = answer.split(' ').nth(1).unwrap_or_default();
            assert!(["303", "400", "401", "403", "404", "405", "429"].contains(&status), "{path}: {answer}");
            assert!(
                !answer.contains("delete_order") && !answer.contains("set-cookie: aq"),
                "{path}: {answer}"
            );
        }
    }
    assert_eq!(approval_id(&desk.delete(json!({"order_id": "7"})).await), id, "it waits as before");
    assert_eq!(desk.sent(), 0);
}

/// The commands of `operator`, as its help lists them, with something for each of their arguments.
async fn commands(place: &Place, id: &str) -> Vec<Vec<String>> {
    let help = place.run(&["operator", "--help"], &[], "").await.stdout;
    let list = help.split("Commands:").nth(1).unwrap().split("Options:").next().unwrap();
    let names: BTreeSet<&str> = list
        .lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| !["help", "init", "status"].contains(name))
        .collect();
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<String>>();
    let mut all = Vec::new();
    for name in names {
        all.extend(match name {
            "approve" | "cancel" | "deny" | "revoke" | "challenge" | "release" | "unblock" => {
                vec![words(&[name, id])]
            }
            "continue" => vec![words(&[name, "shop"])],
            "token" => vec![
                words(&[name, "add", "mallory"]),
                words(&[name, "list"]),
                words(&[name, "revoke", "ann"]),
            ],
            _ => vec![words(&[name])],
        });
    }
    all
}

/// S5: every command of the operator that shows or changes something asks for the passphrase, whichever are added; neither nothing nor
/// what the client has seen is one. What needs none decides nothing.
#[tokio::test]
async fn every_command_asks() {
    let mut desk = Desk::open(&[]).await;
    let order = json!({"order_id": "7"});
    let id = approval_id(&desk.delete(order.clone()).await);
    let commands = commands(&desk.place, &id).await;
    assert!(commands.len() >= 12, "{commands:?}");
    let mut wrong = 0;
    for command in &commands {
        let words: Vec<&str> = command.iter().map(String::as_str).collect();
        // Five wrong ones in a minute are looked at, and then none: the last word differs, and never what it does.
        for given in ["", "not the passphrase\n"] {
            let ran = desk.operator_with(&words, given).await;
            assert!(ran.code != 0 && ran.stdout.is_empty(), "{command:?}: {ran:?}");
            assert!(ran.stderr.contains("passphrase"), "{command:?}: {ran:?}");
            wrong += usize::from(ran.stderr.contains("too many wrong passphrases"));
        }
        let state = state_of(&desk.place).display().to_string();
        let without = [&["operator"], words.as_slice(), &["--state-dir", &state]].concat();
        let ran = desk.place.run(&without, &[], PASSPHRASE).await;
        assert!(
            ran.code == 2 && ran.stderr.contains("--passphrase-stdin"),
            "no terminal: {command:?}: {ran:?}"
        );
    }
    assert!(wrong > 0, "guessing was stopped");
    let state = state_of(&desk.place).display().to_string();
    let export = desk.place.path().join("export.jsonl").display().to_string();
    assert_eq!(desk.place.run(&["store", "export", &export, "--state-dir", &state], &[], "").await.code, 0);
    let kept = std::fs::read_to_string(&export).unwrap();
    assert!(kept.contains("\"waiting\""), "{kept}");
    desk.place.write("export.jsonl", kept.replace("\"waiting\"", "\"approved\""));
    let imported = desk.place.run(&["store", "import", &export, "--state-dir", &state], &[], "").await;
    assert!(imported.code == 3 && imported.stderr.contains("not empty"), "{imported:?}");
    assert_eq!(approval_id(&desk.delete(order).await), id, "it waits as before");
    assert_eq!(desk.sent(), 0);
}

/// S3 S4: a second server on the same store whose clients confirm for themselves gives tokens; the first takes none of them, though the
/// caller is the same one, and has no session of its own to tell the two apart.
#[tokio::test]
async fn a_token_of_another_server() {
    let api = FakeApi::always(Answer::json(200, json!({"ok": true}))).await;
    let office = Place::new();
    let state = state_of(&office).display().to_string();
    let (shop, base_url) = (shop(), api.base_url());
    let serve = async |mode: &str| {
        let place = Place::new();
        place.write("aqueduct.toml", TOKENS);
        let arguments =
            [shop.as_str(), "--base-url", &base_url, "--confirmation", mode, "--state-dir", &state];
        HttpServer::start(place, &arguments, &[("SHOP_TOKEN", TOKEN)]).await
    };
    let (lax, strict) = (serve("client").await, serve("operator").await);
    let token = token_in(&lax.stateless(&[ANN], &delete(None)).await.inside());
    let refused = strict.stateless(&[ANN], &delete(Some(&token))).await.inside();
    assert_eq!(code(&refused), "TOKEN_INVALID", "{refused}");
    let asked = strict.stateless(&[ANN], &delete(None)).await.inside();
    approval_id(&asked);
    assert_eq!(api.requests().len(), 0);
    let own = lax.stateless(&[ANN], &delete(Some(&token))).await.inside();
    assert_eq!(own["success"], true, "where it was given it works: {own}");
}

/// S5: what the server starts gets nothing to confirm with: neither the key of the audit nor the address of the store.
#[cfg(unix)]
#[tokio::test]
async fn the_environment_of_a_child() {
    let place = Place::new();
    let (key, seen) = ("0f".repeat(32), place.path().join("environment"));
    place.write("state/audit.key", &key);
    let script = format!("env > {0}.part; mv {0}.part {0}; exec {1}", seen.display(), fake_server());
    let servers = json!({"mcpServers": {"fake": {"command": "sh", "args": ["-c", script]}}});
    let file = place.write("servers.json", servers.to_string());
    let state = state_of(&place).display().to_string();
    let variables =
        [("AQUEDUCT_AUDIT_KEY", key.as_str()), ("AQUEDUCT_STORE_KEY", "s3cret"), ("PATH", "/usr/bin:/bin")];
    let mut server = Server::start(&[&file, "--confirmation", "operator", "--state-dir", &state], &variables);
    server.open().await;
    let start = Instant::now();
    while !seen.exists() {
        assert!(start.elapsed() < DEADLINE, "it is not started: {}", server.errors());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let environment = std::fs::read_to_string(seen).unwrap();
    assert!(environment.contains("PATH="), "{environment}");
    for secret in [key.as_str(), "AQUEDUCT_", "s3cret"] {
        assert!(!environment.contains(secret), "{secret}: {environment}");
    }
    server.finish().await;
}

/// S3: what a client writes into a call cannot make the operator's screen show another call: no line of its own, no colours, no marks that
/// turn the direction or hide something.
#[tokio::test]
async fn what_the_operator_reads() {
    let mut desk = Desk::open(&[]).await;
    let spoof =
        "7\u{1b}[2K\u{1b}[1A\r\n  call   get_order of shop (safe)\u{202e}\u{200b}\u{85}\u{2028}approved";
    approval_id(&desk.delete(json!({"order_id": spoof})).await);
    for command in [&["approvals"] as &[&str], &["audit"], &["audit", "--search", "delete_order"]] {
        let shown = desk.operator(command).await;
        assert_eq!(shown.code, 0, "{shown:?}");
        for hidden in ['\u{1b}', '\r', '\u{202e}', '\u{200b}', '\u{85}', '\u{2028}'] {
            assert!(!shown.stdout.contains(hidden), "{command:?} {hidden:?}: {}", shown.stdout);
        }
        let spoofed = shown.stdout.lines().any(|line| line.starts_with("  call   get_order"));
        assert!(!spoofed, "{}", shown.stdout);
    }
}

/// An answer to a question that no one asked, and one with the id of the call itself, is no yes: where an operator confirms, the client is
/// not asked.
#[tokio::test]
async fn answers_that_nobody_asked_for() {
    let mut desk = Desk::open(&[]).await;
    let order = json!({"operation": "delete_order", "params": {"order_id": "7"}});
    let id = approval_id(&inside(&desk.server.call_raw("mcp_aql_delete", order.clone()).await));
    let yes = json!({"action": "accept", "content": {"confirm": true, "approve": true, "answer": "yes"}});
    for forged in [json!(0), json!(1), json!("elicitation"), json!(id)] {
        desk.server.send(json!({"jsonrpc": "2.0", "id": forged, "result": yes})).await;
    }
    for (name, value) in
        [("inputResponses", yes.clone()), ("input_responses", json!([yes])), ("elicitation", yes.clone())]
    {
        let mut params: Value = json!({"name": "mcp_aql_delete", "arguments": order});
        params[name] = value.clone();
        let answer = desk.server.request("tools/call", params).await;
        assert!(answer["error"].is_object() || inside(&answer)["success"] == false, "{name}: {answer}");
    }
    assert_eq!(desk.sent(), 0);
}
