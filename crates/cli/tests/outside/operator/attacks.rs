//! A hostile client where an operator confirms: it has the connection, reads the state directory and the logs, and tries to get more out
//! of a yes than was said yes to. Each attempt stands beside the honest call that looks most like it, which goes on working.

use super::desk::{Desk, approval_id, state_of};
use crate::outside::harness::{DEADLINE, Place, Server, code, inside};
use aqueduct_testkit::api::{Answer, FakeApi, Recorded};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const FILE: &str = r#"---
name: vault
type: adapter
version: "1.0.0"
description: "A vault"
trust: { level: certified }
target: { base_url: "http://127.0.0.1:9", transport: http, protocol: rest, serialization: json, retries: 0 }
operations:
  read:
    - { name: get_item, maps_to: "GET /items/{id}", description: "One", params: { id: { type: string, required: true } } }
    - { name: get_oldest, maps_to: "GET /oldest", description: "The oldest" }
  update:
    - name: put_item
      maps_to: "PUT /items/{id}"
      description: "Changes one"
      params: { id: { type: string, required: true }, name: { type: string }, price: { type: integer } }
      requires_confirmation: true
  delete:
    - name: delete_item
      maps_to: "DELETE /items/{id}"
      description: "Removes one"
      params: { id: { type: string, required: true }, reason: { type: string } }
---
"#;

/// The vault's API, whose oldest item and whose prices the test can change.
struct Vault {
    desk: Desk,
    number: Arc<AtomicU64>,
}

impl Vault {
    async fn open() -> Vault {
        let number = Arc::new(AtomicU64::new(7));
        let known = Arc::clone(&number);
        let answer = move |request: &Recorded| {
            let number = known.load(Ordering::SeqCst);
            match (request.method.as_str(), request.path()) {
                ("GET", "/oldest") => Answer::json(200, json!({"id": number.to_string()})),
                ("GET", _) => Answer::json(200, json!({"name": "old", "price": number})),
                ("DELETE", "/items/moved") => Answer::json(307, json!({})).header("Location", "/items/8"),
                _ => Answer::json(200, json!({"ok": true})),
            }
        };
        let (place, api) = (Place::new(), FakeApi::start(answer).await);
        let file = place.write("vault-adapter.md", FILE);
        let arguments = ["--mode", "single", "--confirmation", "operator"];
        Vault { desk: Desk::of(place, api, &file, &arguments).await, number }
    }

    async fn call(&mut self, arguments: Value) -> Value {
        self.desk.raw(arguments).await
    }

    /// Has this call approved.
    async fn approved(&mut self, arguments: &Value) -> String {
        let id = approval_id(&self.call(arguments.clone()).await);
        let approved = self.desk.operator(&["approve", &id]).await;
        assert_eq!(approved.code, 0, "{approved:?}");
        id
    }

    /// What was sent, without the reads.
    fn written(&self) -> Vec<String> {
        let requests = self.desk.api.requests();
        let written = requests.iter().filter(|request| request.method != "GET");
        written.map(|request| format!("{} {}", request.method, request.target)).collect()
    }
}

fn delete(id: impl Into<Value>) -> Value {
    json!({"operation": "delete_item", "params": {"id": id.into()}})
}

/// A yes to one value is none to another that looks the same, or that an API may take for the same.
#[tokio::test]
async fn other_spellings_of_a_value() {
    let mut vault = Vault::open().await;
    let composed = "caf\u{e9}";
    vault.approved(&delete(composed)).await;
    let disguised = [
        "cafe\u{301}",
        "caf%C3%A9",
        "caf%c3%a9",
        "CAF\u{c9}",
        " caf\u{e9}",
        "caf\u{e9}\u{200b}",
        "caf\u{e9}/",
        "./caf\u{e9}",
        "x/../caf\u{e9}",
        "caf\u{e9}?x=1",
        "caf\u{e9}#",
    ];
    for other in disguised {
        let answer = vault.call(delete(other)).await;
        assert_eq!(answer["success"], false, "{other:?}: {answer}");
    }
    vault.approved(&delete("7")).await;
    for other in [
        json!("07"),
        json!("\u{ff17}"),
        json!("%37"),
        json!("7 "),
        json!(7),
        json!(7.0),
        json!(["7"]),
        json!({"id": "7"}),
        json!("7\u{0}"),
        json!(true),
    ] {
        let answer = vault.call(delete(other.clone())).await;
        assert_eq!(answer["success"], false, "{other}: {answer}");
    }
    assert_eq!(vault.written(), [""; 0]);
    for honest in [composed, "7"] {
        let answer = vault.call(delete(honest)).await;
        assert_eq!(answer["success"], true, "{honest}: {answer}");
    }
    assert_eq!(vault.written(), ["DELETE /items/caf%C3%A9", "DELETE /items/7"]);
}

/// A yes to a call is none to the same call with something more, in whatever place; written in another order it is the same call.
#[tokio::test]
async fn more_than_was_approved() {
    let mut vault = Vault::open().await;
    vault.approved(&delete("7")).await;
    for (name, value) in [
        ("reason", json!("because")),
        ("budget", json!(500)),
        ("fields", json!(["ok"])),
        ("if_match", json!("\"v1\"")),
        ("_confirmation", json!("yes")),
        ("confirmation_token", json!(true)),
        ("confirmation_token", json!("")),
        ("input", json!({"confirmation_token": "conf_x"})),
    ] {
        let mut inside = delete("7");
        inside["params"][name] = value.clone();
        let mut beside = delete("7");
        beside[name] = value.clone();
        for request in [inside, beside] {
            let answer = vault.call(request.clone()).await;
            assert_eq!(answer["success"], false, "{request}: {answer}");
        }
    }
    // A key twice: whichever of them counts is what is judged, and what is sent.
    for text in [
        r#"{"operation":"delete_item","params":{"id":"7","id":"8"}}"#,
        r#"{"operation":"delete_item","params":{"id":"7"},"params":{"id":"8"}}"#,
    ] {
        let line = format!(
            r#"{{"jsonrpc":"2.0","id":"twice","method":"tools/call","params":{{"name":"mcp_aql","arguments":{text}}}}}"#
        );
        vault.desk.server.send_bytes(line.as_bytes()).await;
        let answer = vault.desk.server.answer("twice").await;
        assert!(answer["error"].is_object() || inside(&answer)["success"] == false, "{answer}");
    }
    for name in [
        "DELETE_ITEM",
        "delete_item ",
        "delete\u{200b}_item",
        "delete-item",
        "vault.delete_item",
        "Delete_item",
    ] {
        let answer = vault.call(json!({"operation": name, "params": {"id": "7"}})).await;
        assert_eq!(answer["success"], false, "{name}: {answer}");
    }
    assert_eq!(vault.written(), [""; 0]);
    let preview =
        vault.call(json!({"operation": "delete_item", "params": {"id": "7", "dry_run": true}})).await;
    assert_eq!(preview["data"]["dry_run"], true, "{preview}");
    assert_eq!(vault.written(), [""; 0], "a preview uses nothing up");
    let done = vault.call(json!({"params": {"id": "7"}, "operation": "delete_item"})).await;
    assert_eq!(done["success"], true, "{done}");
    assert_eq!(vault.written(), ["DELETE /items/7"]);
}

/// However many repeat the call in the moment that it is approved, one runs.
#[tokio::test]
async fn a_race_with_the_operator() {
    let mut vault = Vault::open().await;
    let id = approval_id(&vault.call(delete("7")).await);
    let state = state_of(&vault.desk.place).display().to_string();
    let words = ["operator", "approve", &id, "--state-dir", &state, "--passphrase-stdin"].map(str::to_owned);
    let approving = tokio::spawn(async move {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        Place::new().run(&words, &[], super::desk::PASSPHRASE).await
    });
    let (mut ran, mut rounds) = (0, 0);
    while rounds < 3 {
        let mut ids = Vec::new();
        for _ in 0..16 {
            let arguments = json!({"name": "mcp_aql", "arguments": delete("7")});
            ids.push(vault.desk.server.ask("tools/call", arguments).await);
        }
        for _ in ids {
            let answer = inside(&vault.desk.server.next().await);
            ran += usize::from(answer["success"] == true);
        }
        // Some rounds more after the answer.
        rounds += usize::from(approving.is_finished());
    }
    assert_eq!(approving.await.unwrap().code, 0);
    assert_eq!((ran, vault.written()), (1, vec!["DELETE /items/7".to_owned()]));
}

/// A yes is of the session that asked: another process on the same state, with the same file, asks for itself.
#[tokio::test]
async fn another_session() {
    let mut vault = Vault::open().await;
    vault.approved(&delete("7")).await;
    let state = state_of(&vault.desk.place).display().to_string();
    let file = vault.desk.place.path().join("vault-adapter.md").display().to_string();
    let base_url = vault.desk.api.base_url();
    let arguments = [
        file.as_str(),
        "--base-url",
        &base_url,
        "--mode",
        "single",
        "--confirmation",
        "operator",
        "--state-dir",
        &state,
    ];
    let mut other = Server::start(&arguments, &[]);
    other.open().await;
    let answer = inside(&other.call_raw("mcp_aql", delete("7")).await);
    assert_eq!(code(&answer), "CONFIRMATION_REQUIRED", "{answer}");
    other.finish().await;
    assert_eq!(vault.written(), [""; 0]);
    assert_eq!(vault.call(delete("7")).await["success"], true, "whose it is");
}

/// A reference whose value is another one after the yes is another call. In a plan, no person is asked about values that are not known.
#[tokio::test]
async fn a_reference_that_changes() {
    let mut vault = Vault::open().await;
    let batch = json!({"operations": [{"operation": "get_oldest"}, delete("$results[0].data.id")]});
    let asked = vault.call(batch.clone()).await;
    let id = find_text(&asked, "approval_id").unwrap_or_else(|| panic!("{asked}"));
    assert_eq!(vault.desk.operator(&["approve", &id]).await.code, 0);
    vault.number.store(8, Ordering::SeqCst);
    let changed = vault.call(batch.clone()).await;
    assert_ne!(find_text(&changed, "approval_id").as_deref(), Some(id.as_str()), "{changed}");
    assert_eq!(vault.written(), [""; 0]);
    vault.number.store(7, Ordering::SeqCst);
    vault.call(batch.clone()).await;
    assert_eq!(vault.written(), ["DELETE /items/7"], "the value that was approved");
    let mut plan = batch;
    plan["plan"] = json!(true);
    let refused = vault.call(plan).await;
    assert_eq!(code(&refused), "BATCH_VALIDATION_ERROR", "{refused}");
}

/// The first text under this key, wherever it is.
fn find_text(value: &Value, key: &str) -> Option<String> {
    match value {
        Value::Object(fields) => fields
            .get(key)
            .and_then(Value::as_str)
            .map(str::to_owned)
            .or_else(|| fields.values().find_map(|field| find_text(field, key))),
        Value::Array(items) => items.iter().find_map(|item| find_text(item, key)),
        _ => None,
    }
}

/// The calls of a plan run as often as they were approved, alone or together and in any order, and nothing else does.
#[tokio::test]
async fn another_plan_of_the_same_calls() {
    let mut vault = Vault::open().await;
    let plan = |ids: &[&str]| {
        let items: Vec<Value> = ids.iter().map(|id| delete(*id)).collect();
        json!({"plan": true, "operations": items})
    };
    vault.approved(&plan(&["7", "8"])).await;
    for other in [&["7", "7"][..], &["8", "9"], &["7", "8", "9"], &["7", "8", "7"]] {
        let answer = vault.call(plan(other)).await;
        assert_eq!(answer["success"], false, "{other:?}: {answer}");
    }
    assert_eq!(vault.written(), [""; 0]);
    let done = vault.call(plan(&["8", "7"])).await;
    assert_eq!(done["summary"]["succeeded"], 2, "{done}");
    assert_eq!(vault.written(), ["DELETE /items/8", "DELETE /items/7"]);
    for again in [plan(&["7", "8"]), delete("7"), delete("8")] {
        assert_eq!(vault.call(again).await["success"], false, "each once");
    }
    assert_eq!(vault.written().len(), 2);
}

/// A merged PUT sends what was approved over what is there when it runs: what changed in between is the API's own, and stays.
#[tokio::test]
async fn a_merge_over_something_else() {
    let mut vault = Vault::open().await;
    let put = |input: Value| json!({"operation": "put_item", "params": {"id": "7", "input": input}});
    vault.approved(&put(json!({"name": "new"}))).await;
    for other in [json!({"name": "new", "price": 1}), json!({"name": "New"}), json!({"price": 1}), json!({})]
    {
        let answer = vault.call(put(other.clone())).await;
        assert_eq!(answer["success"], false, "{other}: {answer}");
    }
    assert_eq!(vault.written(), [""; 0]);
    vault.number.store(99, Ordering::SeqCst);
    let done = vault.call(put(json!({"name": "new"}))).await;
    assert_eq!(done["success"], true, "{done}");
    let requests = vault.desk.api.requests();
    let body: Value = serde_json::from_slice(&requests.last().unwrap().body).unwrap();
    assert_eq!(body, json!({"name": "new", "price": 99}), "nobody set a price");
    assert_eq!(vault.written(), ["PUT /items/7"]);
}

/// An API that sends an approved DELETE on to something else is not followed.
#[tokio::test]
async fn an_api_that_sends_it_elsewhere() {
    let mut vault = Vault::open().await;
    vault.approved(&delete("moved")).await;
    vault.call(delete("moved")).await;
    assert_eq!(vault.written(), ["DELETE /items/moved"]);
    assert_eq!(vault.call(delete("moved")).await["success"], false, "once, whatever came of it");
    assert_eq!(vault.written().len(), 1);
}

/// A file that sends the approved call elsewhere, or makes something else of it, is asked about anew.
#[tokio::test]
async fn a_file_that_changes_after_the_yes() {
    for (from, to) in
        [("DELETE /items/{id}", "DELETE /orders/{id}"), ("DELETE /items/{id}", "POST /items/{id}/wipe")]
    {
        let mut vault = Vault::open().await;
        let id = vault.approved(&delete("7")).await;
        let mut preview = delete("7");
        preview["params"]["dry_run"] = json!(true);
        let before = vault.call(preview.clone()).await["data"]["request"].clone();
        vault.desk.place.write("vault-adapter.md", FILE.replace(from, to));
        let start = Instant::now();
        while vault.call(preview.clone()).await["data"]["request"] == before {
            assert!(start.elapsed() < DEADLINE, "the file is not read again");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let answer = vault.call(delete("7")).await;
        assert_ne!(approval_id(&answer), id, "{answer}");
        assert_eq!(vault.written(), [""; 0]);
    }
}

/// What is read out of the database, hashes and fingerprints included, is no token.
#[tokio::test]
async fn what_the_database_holds() {
    let mut vault = Vault::open().await;
    approval_id(&vault.call(delete("7")).await);
    let path = state_of(&vault.desk.place).join("store.sqlite");
    let database =
        rusqlite::Connection::open_with_flags(path, rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    let mut found = Vec::new();
    for sql in [
        "SELECT id || ' ' || fingerprint || ' ' || session || ' ' || shown FROM approvals",
        "SELECT approval || ' ' || params || ' ' || resolved FROM approval_calls",
        "SELECT name || ' ' || value FROM meta",
        "SELECT passphrase FROM operator",
        "SELECT coalesce(token, '') || ' ' || mac FROM audit",
    ] {
        let mut rows = database.prepare(sql).unwrap();
        let texts = rows.query_map([], |row| row.get::<_, String>(0)).unwrap();
        found.extend(texts.map(|text| text.unwrap()));
    }
    let words: Vec<String> =
        found.iter().flat_map(|text| text.split_whitespace().map(str::to_owned)).collect();
    assert!(words.len() > 8, "{words:?}");
    for word in words {
        for guess in [word.clone(), format!("conf_{word}")] {
            let mut request = delete("7");
            request["params"]["confirmation_token"] = guess.into();
            assert_eq!(vault.call(request).await["success"], false, "{word}");
        }
    }
    assert_eq!(vault.written(), [""; 0]);
}
