//! `--confirmation operator`: a call waits for a person whom the client does not reach, and a client that is hostile stays
//! without.

mod attacks;
mod desk;
#[cfg(unix)]
mod hooks;
mod hostile;
mod injection;
mod limits;
mod over_http;
mod terms;

use super::harness::{Place, Server, TOKEN, code, shop};
use aqueduct::store::audit::AuditFilter;
use aqueduct::store::confirmations::{Issue, IssueRequest, Redeem, Redemption, TokenKind};
use aqueduct::store::{CallKey, Requester, Store, StoreSettings};
use aqueduct_testkit::api::{Answer, FakeApi};
use aqueduct_testkit::clock::TestClock;
use desk::{Desk, PASSPHRASE, approval_id, state_of};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// S3: asked once, shown in full to the operator, run once after a yes, and every step in the audit.
#[tokio::test]
async fn an_approved_call_runs_once() {
    let mut desk = Desk::open(&[]).await;
    let order = json!({"order_id": "7"});
    let asked = desk.delete(order.clone()).await;
    let id = approval_id(&asked);
    assert_eq!(approval_id(&desk.delete(order.clone()).await), id, "asked once");
    let other = approval_id(&desk.delete(json!({"order_id": "8"})).await);
    assert_ne!(other, id);
    let waiting = desk.operator(&["approvals", "--format", "json"]).await.json();
    let first = waiting.as_array().unwrap().iter().find(|each| each["id"] == id.as_str()).unwrap();
    let call = &first["calls"][0];
    assert_eq!((&call["operation"], &call["source"]), (&json!("delete_order"), &json!("shop")));
    assert_eq!((&call["params"], &first["caller"]), (&order, &json!("local")));
    assert_eq!(call["request"]["method"], "DELETE");
    assert!(call["request"]["url"].as_str().unwrap().ends_with("/orders/7"), "{call}");
    assert!(!first.to_string().contains(TOKEN), "{first}");
    assert_eq!(call["reasons"], json!(["the order is gone for good"]));
    let text = desk.operator(&["approvals"]).await.stdout;
    for said in [
        &id,
        "who    local",
        "delete_order of shop (destructive)",
        "order_id: \"7\"",
        "sends  DELETE",
        " min left",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
    assert_eq!(desk.sent(), 0);
    for short in ["", &id[..1], &id[..7]] {
        for command in ["approve", "deny"] {
            let refused = desk.operator(&[command, short]).await;
            assert!(refused.code == 2 && refused.stderr.contains("at least 8 characters"), "{refused:?}");
        }
    }
    let approved = desk.operator(&["approve", &id[..8]]).await;
    assert!(approved.code == 0 && approved.stderr.contains("approved: delete_order"), "{approved:?}");
    for said in [&format!("{id}  approved"), "who    local", "order_id: \"7\"", "sends  DELETE"] {
        assert!(approved.stdout.contains(said), "{said}: {approved:?}");
    }
    let again = desk.operator(&["approve", &id]).await;
    assert!(again.code == 1 && again.stderr.contains("too late"), "{again:?}");
    let done = desk.delete(order.clone()).await;
    assert_eq!(done["success"], true, "{done}");
    assert_eq!(desk.sent(), 1);
    assert_ne!(approval_id(&desk.delete(order).await), id, "a yes is for one call");
    let denied = desk.operator(&["deny", &other[..8], "--reason", "it was paid"]).await;
    assert_eq!((denied.code, denied.stderr.as_str()), (0, "denied: delete_order\n"), "{denied:?}");
    assert!(denied.stdout.contains("order_id: \"8\"") && denied.stdout.contains("it was paid"), "{denied:?}");
    let refused = desk.delete(json!({"order_id": "8"})).await;
    assert_eq!(code(&refused), "PERMISSION_DENIED", "{refused}");
    assert!(refused["error"]["message"].as_str().unwrap().contains("it was paid"), "{refused}");
    assert_eq!(desk.sent(), 1);
    let mut audit = desk.operator(&["audit", "--search", "delete_order", "--format", "json"]).await;
    for _ in 0..20 {
        if audit.stdout.contains("OPERATION_DENIED") {
            break;
        }
        audit = desk.operator(&["audit", "--search", "delete_order", "--format", "json"]).await;
    }
    let lines = audit.stdout.lines().map(|line| serde_json::from_str(line).unwrap());
    // That it was asked again is noted without waiting, and so at no certain place.
    let (again, events): (Vec<Value>, Vec<Value>) =
        lines.partition(|line: &Value| line["event"] == "APPROVAL_REPEATED");
    assert_eq!(again.len(), 1, "{audit:?}");
    let names: Vec<&str> = events.iter().map(|line| line["event"].as_str().unwrap()).collect();
    let expected = [
        "APPROVAL_REQUESTED",
        "APPROVAL_REQUESTED",
        "APPROVAL_GRANTED",
        "APPROVAL_USED",
        "CALL_FINISHED",
        "APPROVAL_REQUESTED",
        "APPROVAL_DENIED",
        // The refused call, which no one waited for to be written.
        "OPERATION_DENIED",
    ];
    assert_eq!(names, expected, "{audit:?}");
    assert_eq!((&events[3]["approver"], &events[4]["outcome"]), (&json!("operator"), &json!("success")));
    assert!(
        events.iter().all(|line| line["params"].as_str().unwrap().len() == 64),
        "parameters as their hash"
    );
    let whole = desk.operator(&["audit", "--verify"]).await;
    assert!(whole.code == 0 && whole.stdout.starts_with("nothing was changed"), "{whole:?}");
}

/// S3: the dangerous calls of a plan are one question, shown as a whole, approved at once; the same batch runs once.
#[tokio::test]
async fn an_approved_plan_runs_once() {
    let mut desk = Desk::open(&["--mode", "single"]).await;
    let delete = |id: &str| json!({"operation": "delete_order", "params": {"order_id": id}});
    let read = json!({"operation": "list_products"});
    let plan = |items: Value| json!({"operation": "batch", "params": {"operations": items, "plan": true}});
    let whole = plan(json!([read, delete("7"), delete("8"), delete("7")]));
    let id = approval_id(&desk.raw(whole.clone()).await);
    assert_eq!(approval_id(&desk.raw(whole.clone()).await), id, "asked once");
    let waiting = desk.operator(&["approvals", "--format", "json"]).await.json();
    assert_eq!(waiting.as_array().unwrap().len(), 1, "{waiting}");
    let orders: Vec<&Value> =
        waiting[0]["calls"].as_array().unwrap().iter().map(|call| &call["params"]["order_id"]).collect();
    assert_eq!(orders, ["7", "8", "7"]);
    let text = desk.operator(&["approvals"]).await.stdout;
    assert_eq!(text.matches("call   delete_order of shop (destructive)").count(), 3, "{text}");
    assert_eq!(text.matches("sends  DELETE").count(), 3, "{text}");
    assert_eq!(desk.sent(), 0, "not even the read");
    let mut guessed = whole.clone();
    guessed["params"]["confirmation_token"] = id.clone().into();
    assert_eq!(code(&desk.raw(guessed).await), "TOKEN_INVALID");
    let approved = desk.operator(&["approve", &id]).await;
    assert!(approved.stderr.contains("approved: delete_order, delete_order, delete_order"), "{approved:?}");
    let other = plan(json!([delete("7"), delete("9")]));
    let other_id = approval_id(&desk.raw(other.clone()).await);
    assert_ne!(other_id, id, "another plan is another question");
    assert_eq!(desk.sent(), 0);
    let done = desk.raw(whole.clone()).await;
    assert_eq!(done["summary"], json!({"total": 4, "succeeded": 4, "failed": 0}), "{done}");
    assert_eq!(desk.sent(), 4);
    assert_ne!(approval_id(&desk.raw(whole).await), id, "a yes is for one run");
    assert_eq!(desk.operator(&["deny", &other_id, "--reason", "not these"]).await.code, 0);
    let refused = desk.raw(other).await;
    assert_eq!(code(&refused), "PERMISSION_DENIED", "{refused}");
    assert!(refused["error"]["message"].as_str().unwrap().contains("not these"), "{refused}");
    assert_eq!(desk.sent(), 4);
    let audit = desk.operator(&["audit", "--search", "APPROVAL_USED", "--format", "json"]).await.stdout;
    assert_eq!(audit.lines().count(), 3, "{audit}");
}

/// Every file below a folder, as bytes.
fn files(folder: &Path) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(std::fs::read(&path).unwrap()) }
    }
    found
}

/// Whatever in the bytes could be a token, an id or a hash: runs of hexadecimal digits and dashes.
fn secrets_in(bytes: &[u8]) -> Vec<String> {
    let is_part = |byte: &u8| byte.is_ascii_hexdigit() || *byte == b'-';
    let runs = bytes.split(|byte| !is_part(byte)).filter(|run| run.len() >= 12);
    runs.map(|run| String::from_utf8_lossy(run).into_owned()).collect()
}

/// A client that has the connection, and reads the state directory and the logs, cannot approve its own call.
#[tokio::test]
async fn a_hostile_client_stays_without() {
    // It is refused as a guess, and not because it guesses often.
    let place = Place::new();
    place.write("aqueduct.toml", "[confirmation]\nfailures_per_minute = 1000000\n");
    let config = place.path().join("aqueduct.toml").display().to_string();
    let api = FakeApi::always(Answer::json(200, json!({"ok": true}))).await;
    let mut desk = Desk::of(place, api, &shop(), &["--confirmation", "operator", "--config", &config]).await;
    let order = json!({"order_id": "7"});
    let id = approval_id(&desk.delete(order.clone()).await);
    // The same call, over and over.
    for _ in 0..5 {
        assert_eq!(approval_id(&desk.delete(order.clone()).await), id);
    }
    // Parameters that look like a yes, in every place that a request has.
    let yeses = [
        ("confirmation_token", json!(id)),
        ("_confirmation", json!(id)),
        ("_confirmation", json!("yes")),
        ("_confirmation", json!(true)),
        ("confirm", json!(true)),
        ("confirmed", json!(true)),
        ("approved", json!(true)),
        ("approval_id", json!(id)),
        ("_approval", json!(id)),
        ("passphrase", json!("correct horse battery")),
    ];
    for (name, value) in &yeses {
        let mut params = order.clone();
        params[name] = value.clone();
        let answer = desk.delete(params).await;
        assert_eq!(answer["success"], false, "{name}: {answer}");
        let mut beside = json!({"operation": "delete_order", "params": order});
        beside[name] = value.clone();
        let answer = super::harness::inside(&desk.server.call_raw("mcp_aql_delete", beside).await);
        assert_eq!(answer["success"], false, "{name}: {answer}");
        let meta = json!({"operation": "delete_order", "params": order, "_meta": {*name: value}});
        let answer = super::harness::inside(&desk.server.call_raw("mcp_aql_delete", meta).await);
        assert_eq!(answer["success"], false, "{name}: {answer}");
    }
    // What is in the audit now is in the files that are read next.
    let audit = desk.operator(&["audit", "--format", "json"]).await.stdout;
    let codes = audit.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let codes: Vec<String> = codes
        .flat_map(|line| [line["mac"].clone(), line["params"].clone()])
        .filter_map(|code| Some(code.as_str()?.to_owned()))
        .collect();
    // What the state directory and the logs hold, used as a token: as it is, and with the prefix.
    let mut material = files(&state_of(&desk.place));
    material.push(desk.server.errors().into_bytes());
    let hash = material.iter().find_map(|bytes| {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let begin = text.find("$argon2id$")?;
        Some(text[begin..].chars().take_while(|c| c.is_ascii_graphic()).collect::<String>())
    });
    let hash = hash.expect("the client sees the hash of the passphrase");
    let passphrase_seen =
        material.iter().any(|bytes| String::from_utf8_lossy(bytes).contains("correct horse"));
    assert!(!passphrase_seen, "and nowhere the passphrase");
    let mut guesses: Vec<String> = material.iter().flat_map(|bytes| secrets_in(bytes)).collect();
    guesses.sort();
    guesses.dedup();
    assert!(guesses.contains(&id), "the client sees the ids");
    let key = std::fs::read_to_string(state_of(&desk.place).join("audit.key")).unwrap();
    assert!(guesses.iter().any(|guess| guess == key.trim()), "and the key of the audit");
    assert!(!codes.is_empty());
    for code in &codes {
        assert!(guesses.iter().any(|guess| guess.contains(code.as_str())), "and every code in it: {code}");
    }
    guesses.extend(codes);
    guesses.push(hash.clone());
    for guess in &guesses {
        for token in [guess.clone(), format!("conf_{guess}")] {
            let mut params = order.clone();
            params["confirmation_token"] = token.into();
            let answer = desk.delete(params).await;
            assert_eq!(code(&answer), "TOKEN_INVALID", "{guess}: {answer}");
        }
    }
    // A batch, a preview, another name and another spelling of the same.
    let batch =
        json!({"operations": [{"operation": "delete_order", "params": order, "confirmation_token": id}]});
    let batch = super::harness::inside(&desk.server.call_raw("mcp_aql_delete", batch).await);
    assert_eq!(batch["summary"]["succeeded"], 0, "{batch}");
    let preview = desk.delete(json!({"order_id": "7", "dry_run": true})).await;
    assert_eq!(preview["data"]["gatekeeper"]["decision"], "confirm", "{preview}");
    for name in
        ["shop__delete_order", "DELETE_ORDER", "operator", "approve", "operator_approve", "confirm_operation"]
    {
        let answer = desk.server.call("mcp_aql_delete", name, json!({"order_id": "7", "id": id})).await;
        assert_eq!(answer["success"], false, "{name}: {answer}");
    }
    // The operator's commands without the passphrase, with what the client has seen for one, and with nothing.
    for guess in [String::new(), "\n".to_owned(), format!("{hash}\n"), format!("{id}\n")] {
        for command in [&["approve", &id] as &[&str], &["deny", &id], &["approvals"], &["audit"]] {
            let ran = desk.operator_with(command, &guess).await;
            assert!(ran.code != 0 && ran.stdout.is_empty(), "{command:?}: {ran:?}");
        }
    }
    // A passphrase of its own.
    let set = desk.operator_with(&["init"], "mine mine mine mine\nmine mine mine mine\n").await;
    assert_ne!(set.code, 0, "{set:?}");
    // A server of its own on the same state, which asks the client instead: its tokens are of another session.
    let (shop, base_url) = (shop(), desk.api.base_url());
    let state = state_of(&desk.place).display().to_string();
    let own = [shop.as_str(), "--base-url", &base_url, "--confirmation", "client", "--state-dir", &state];
    let mut own = Server::start(&own, &[]);
    own.open().await;
    let asked = own.call("mcp_aql_delete", "delete_order", order.clone()).await;
    let mut params = order.clone();
    params["confirmation_token"] = asked["error"]["details"]["confirmation_token"].clone();
    assert_eq!(desk.delete(params).await["success"], false);
    own.finish().await;
    assert_eq!(desk.sent(), 0, "nothing went out");
    let audit = files(&state_of(&desk.place));
    assert!(
        !audit.iter().any(|bytes| String::from_utf8_lossy(bytes).contains(TOKEN)),
        "no credential is kept"
    );
}

/// A call that ran when its process was killed, as the store shows it after its lease has run out.
async fn left_behind(state: &Path) -> Store {
    let asker = || Requester { session: "s1".to_owned(), caller: "ann".to_owned() };
    let text = str::to_owned;
    let call = CallKey {
        source: text("shop"),
        operation: text("delete_order"),
        params: text("p"),
        resolved: text("r"),
    };
    let store = Store::open(StoreSettings::sqlite(state), Arc::new(TestClock::default())).unwrap();
    let request = IssueRequest {
        kind: TokenKind::Confirmation,
        asker: asker(),
        calls: vec![call.clone()],
        rule: None,
        lifetime: Duration::from_secs(300),
        cooldown: Duration::ZERO,
    };
    let Issue::Issued(issued) = store.issue_token(request).await.unwrap() else { panic!("limited") };
    let redeem = Redeem {
        token: issued.token,
        asker: asker(),
        call,
        rule: None,
        approver: None,
        context: None,
        grace: Duration::ZERO,
    };
    match store.redeem_token(redeem).await.unwrap() {
        Redemption::Redeemed(started) => std::mem::forget(started),
        other => panic!("{other:?}"),
    }
    store
}

/// Anyone who looks at the audit sees what became of a call whose process was killed, without another process that runs.
#[tokio::test]
async fn lost_calls_are_told_to_whoever_looks() {
    let place = Place::new();
    let state = state_of(&place).display().to_string();
    let operator = async |words: &[&str]| {
        let all = [&["operator"], words, &["--state-dir", &state, "--passphrase-stdin"]].concat();
        place.run(&all, &[], PASSPHRASE).await
    };
    assert_eq!(operator(&["init"]).await.code, 0);
    drop(left_behind(&state_of(&place)).await);
    let shown = operator(&["audit", "--search", "delete_order"]).await;
    assert_eq!(shown.stdout.matches("CALL_LOST").count(), 1, "{shown:?}");
    let whole = operator(&["audit", "--verify"]).await;
    assert!(whole.code == 0 && whole.stdout.contains("lines, 1 seal, sealed to line 4\n"), "{whole:?}");
    // The same by a look at the state alone, and by the next server.
    let store = left_behind(&state_of(&place)).await;
    let status = place.run(&["operator", "status", "--state-dir", &state], &[], "").await;
    assert_eq!(status.code, 0, "{status:?}");
    assert_eq!(lost(&store).await, 2);
    drop(left_behind(&state_of(&place)).await);
    let mut server = Server::start(&[&shop(), "--state-dir", &state], &[]);
    server.open().await;
    let start = Instant::now();
    while lost(&store).await < 3 {
        assert!(start.elapsed() < Duration::from_secs(10), "the server does not look");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    server.finish().await;
    let status = store.status().await.unwrap();
    assert_eq!(status.sealed_through, status.audit_lines, "sealed at the end");
}

async fn lost(store: &Store) -> usize {
    let filter = AuditFilter { event: Some("CALL_LOST".to_owned()), ..AuditFilter::default() };
    store.audit_lines(filter, 100).await.unwrap().len()
}

/// An operator's yes has to be kept somewhere: without a place for it nothing is served.
#[tokio::test]
async fn nowhere_to_ask() {
    let ran =
        Place::new().run(&["call", &shop(), "list_products", "--confirmation", "operator"], &[], "").await;
    assert!(ran.code == 3 && ran.stderr.contains("needs a store"), "{ran:?}");
}

/// S3: nothing of a call is kept from the operator by its length, and what is cut on the screen says so.
#[tokio::test]
async fn long_calls_are_shown_whole() {
    let mut desk = Desk::open(&[]).await;
    let long = format!("{}the-end", "monthly-report-".repeat(600));
    approval_id(&desk.delete(json!({"order_id": long})).await);
    let waiting = desk.operator(&["approvals", "--format", "json"]).await.json();
    assert_eq!(waiting[0]["calls"][0]["params"]["order_id"], long.as_str());
    assert!(waiting[0]["calls"][0]["request"]["url"].as_str().unwrap().ends_with("the-end"));
    let text = desk.operator(&["approvals"]).await.stdout;
    assert!(text.contains("the-end") && text.contains("more characters") && text.contains("--format json"));
}
