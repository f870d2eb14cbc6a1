//! `--confirmation ask`, which is the default: the person behind a client that can ask is asked by the real binary, in both worlds
//! of the protocol; and what is said at the start when an operator is to be asked, and there is none.

use super::harness::{Place, Server, TOKEN, code, inside, shop};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};

const PASSPHRASE: &str = "correct horse battery\n";

/// A server with the settings that it has by itself, its API, and where its state is.
struct Desk {
    api: FakeApi,
    server: Server,
    place: Place,
    state: String,
}

impl Desk {
    async fn open(arguments: &[&str], capabilities: Value) -> Desk {
        let api = FakeApi::always(Answer::json(200, json!({"ok": true}))).await;
        let place = Place::new();
        let state = place.path().join("state").display().to_string();
        let (shop, base_url) = (shop(), api.base_url());
        let mut all = vec![shop.as_str(), "--base-url", &base_url, "--state-dir", &state];
        all.extend(arguments);
        let mut server = Server::start(&all, &[("SHOP_TOKEN", TOKEN)]);
        let client = json!({"name": "test", "version": "1.0"});
        let params =
            json!({"protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": client});
        server.request("initialize", params).await;
        server.send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        Desk { api, server, place, state }
    }

    /// Deletes an order; the person, if they are asked, answers so. What they read, and the response.
    async fn delete(&mut self, answer: Value) -> (Option<String>, Value) {
        let id = self.server.ask("tools/call", delete()).await;
        let message = self.server.next().await;
        if message["method"] != "elicitation/create" {
            assert_eq!(message["id"], id, "{message}");
            return (None, inside(&message));
        }
        self.server.send(json!({"jsonrpc": "2.0", "id": message["id"], "result": answer})).await;
        let question = message["params"]["message"].as_str().unwrap().to_owned();
        (Some(question), inside(&self.server.answer(id).await))
    }
}

fn delete() -> Value {
    let arguments = json!({"operation": "delete_order", "params": {"order_id": "7"}});
    json!({"name": "mcp_aql_delete", "arguments": arguments})
}

fn accepting(answer: &str) -> Value {
    json!({"action": "accept", "content": {"answer": answer}})
}

/// S3: a yes runs the call, a no and a closed window do not, and the audit has all of it; no token is ever on the wire.
#[tokio::test]
async fn the_person_is_asked() {
    let mut desk = Desk::open(&[], json!({"elicitation": {}})).await;
    let (question, done) = desk.delete(accepting("yes")).await;
    let question = question.expect("a question");
    for part in [
        "Run delete_order of shop? Its danger is destructive.",
        "It sends: DELETE http://",
        "/orders/7",
        "because: the order is gone for good",
        "The adapter says: Remove order 7?",
        "  order_id: \"7\"",
    ] {
        assert!(question.contains(part), "{part}: {question}");
    }
    assert!(!question.contains(TOKEN), "{question}");
    assert_eq!((&done["success"], desk.api.requests().len()), (&json!(true), 1), "{done}");
    for (answer, reason) in [
        (accepting("no"), "declined"),
        (json!({"action": "decline"}), "declined"),
        (json!({"action": "cancel"}), "no_answer"),
    ] {
        let (_, refused) = desk.delete(answer).await;
        assert_eq!(code(&refused), "PERMISSION_DENIED", "{refused}");
        assert_eq!(refused["error"]["details"]["reason"], reason, "{refused}");
    }
    assert_eq!(desk.api.requests().len(), 1);
    assert!(desk.server.seen.iter().all(|line| !line.contains("conf_")), "{:?}", desk.server.seen);
    let set = ["operator", "init", "--state-dir", &desk.state, "--passphrase-stdin"];
    assert_eq!(desk.place.run(&set, &[], PASSPHRASE).await.code, 0);
    let audit = ["operator", "audit", "--state-dir", &desk.state, "--passphrase-stdin"];
    let wanted = [
        ("TOKEN_VALIDATED  success", "approver=person"),
        ("CALL_FINISHED  success", ""),
        ("OPERATION_DENIED  declined", "approver=person"),
        ("OPERATION_DENIED  unanswered", ""),
    ];
    let mut written = String::new();
    // Refusals are written as soon as may be.
    for _ in 0..20 {
        written = desk.place.run(&audit, &[], PASSPHRASE).await.stdout;
        if written.contains("unanswered") {
            break;
        }
    }
    for (event, approver) in wanted {
        let is_there = written.lines().any(|line| line.contains(event) && line.contains(approver));
        assert!(is_there, "{event}: {written}");
    }
}

/// S3: a client of 2026-07-28 is asked by the answer to its call, and sends the call again with what the person said.
#[tokio::test]
async fn in_round_trips() {
    let mut desk = Desk::open(&[], json!({})).await;
    let about = "io.modelcontextprotocol";
    let meta = json!({
        format!("{about}/protocolVersion"): "2026-07-28",
        format!("{about}/clientCapabilities"): {"elicitation": {"form": {}}},
        format!("{about}/clientInfo"): {"name": "test", "version": "1"},
    });
    for (answer, runs) in [("no", false), ("yes", true)] {
        let mut call = delete();
        call["_meta"] = meta.clone();
        let asked = desk.server.request("tools/call", call.clone()).await;
        let result = &asked["result"];
        assert_eq!(result["resultType"], "input_required", "{asked}");
        let (name, question) = result["inputRequests"].as_object().unwrap().iter().next().unwrap();
        assert!(question["params"]["message"].as_str().unwrap().starts_with("Run delete_order"), "{asked}");
        call["requestState"] = result["requestState"].clone();
        call["inputResponses"] = json!({name: accepting(answer)});
        let done = inside(&desk.server.request("tools/call", call.clone()).await);
        assert_eq!(
            (&done["success"], desk.api.requests().len()),
            (&json!(runs), usize::from(runs)),
            "{done}"
        );
        let again = desk.server.request("tools/call", call).await;
        assert_eq!(again["error"]["code"], -32602, "an answer is good once: {again}");
    }
    assert_eq!(desk.api.requests().len(), 1);
}

/// S3: all calls of a plan are one question to the person, by a request or in a round trip; the audit has whose yes each of them used.
#[tokio::test]
async fn a_plan_is_one_question() {
    let plan = |order: &str| {
        let item = |id: &str| json!({"operation": "delete_order", "params": {"order_id": id}});
        let arguments = json!({"plan": true, "operations": [item(order), item("8")]});
        json!({"name": "mcp_aql_delete", "arguments": arguments})
    };
    let mut desk = Desk::open(&[], json!({"elicitation": {}})).await;
    for (answer, sent) in [("no", 0), ("yes", 2)] {
        let id = desk.server.ask("tools/call", plan("7")).await;
        let question = desk.server.next().await;
        let text = question["params"]["message"].as_str().unwrap_or_else(|| panic!("{question}"));
        assert!(
            text.starts_with("Run all of these 2 calls?")
                && text.contains("/orders/7")
                && text.contains("/orders/8")
        );
        desk.server.send(json!({"jsonrpc": "2.0", "id": question["id"], "result": accepting(answer)})).await;
        let done = inside(&desk.server.answer(id).await);
        assert_eq!((done["success"] == true, desk.api.requests().len()), (sent > 0, sent), "{done}");
    }
    let about = "io.modelcontextprotocol";
    let mut call = plan("9");
    call["_meta"] = json!({
        format!("{about}/protocolVersion"): "2026-07-28",
        format!("{about}/clientCapabilities"): {"elicitation": {"form": {}}},
        format!("{about}/clientInfo"): {"name": "test", "version": "1"},
    });
    let asked = desk.server.request("tools/call", call.clone()).await;
    let result = &asked["result"];
    assert_eq!(result["resultType"], "input_required", "{asked}");
    let (name, question) = result["inputRequests"].as_object().unwrap().iter().next().unwrap();
    assert!(question["params"]["message"].as_str().unwrap().contains("/orders/9"), "{asked}");
    call["requestState"] = result["requestState"].clone();
    call["inputResponses"] = json!({name: accepting("yes")});
    // The answer is for what was shown, whatever the second request says.
    call["arguments"] = plan("66")["arguments"].clone();
    let done = inside(&desk.server.request("tools/call", call).await);
    assert_eq!(done["summary"]["succeeded"], 2, "{done}");
    let targets: Vec<String> = desk.api.requests().iter().map(|request| request.target.clone()).collect();
    assert_eq!(targets, ["/orders/7", "/orders/8", "/orders/9", "/orders/8"]);
    assert!(desk.server.seen.iter().all(|line| !line.contains("conf_")), "{:?}", desk.server.seen);
    let set = ["operator", "init", "--state-dir", &desk.state, "--passphrase-stdin"];
    assert_eq!(desk.place.run(&set, &[], PASSPHRASE).await.code, 0);
    let audit = [
        "operator",
        "audit",
        "--search",
        "TOKEN_VALIDATED",
        "--state-dir",
        &desk.state,
        "--passphrase-stdin",
    ];
    let written = desk.place.run(&audit, &[], PASSPHRASE).await.stdout;
    assert_eq!(written.matches("approver=person").count(), 4, "{written}");
}

/// A client that cannot ask gets a token, and with `client` so does one that can.
#[tokio::test]
async fn tokens_for_the_others() {
    for (arguments, capabilities) in
        [(&[][..], json!({})), (&["--confirmation", "client"], json!({"elicitation": {}}))]
    {
        let mut desk = Desk::open(arguments, capabilities).await;
        let (question, answer) = desk.delete(Value::Null).await;
        assert_eq!((question, code(&answer)), (None, "CONFIRMATION_REQUIRED"), "{answer}");
        assert!(answer["error"]["details"]["confirmation_token"].is_string(), "{answer}");
    }
}

/// Where an operator is to confirm and no one has set a passphrase, the start says so; afterwards it does not.
#[tokio::test]
async fn no_operator_yet() {
    let mut desk = Desk::open(&["--confirmation", "operator"], json!({"elicitation": {}})).await;
    desk.server.until_errors_have("no passphrase is set").await;
    let (question, asked) = desk.delete(accepting("yes")).await;
    assert_eq!((question, code(&asked)), (None, "CONFIRMATION_REQUIRED"), "the operator alone: {asked}");
    let set = ["operator", "init", "--state-dir", &desk.state, "--passphrase-stdin"];
    assert_eq!(desk.place.run(&set, &[], PASSPHRASE).await.code, 0);
    let shop = shop();
    let arguments = [shop.as_str(), "--confirmation", "operator", "--state-dir", &desk.state];
    let mut again = Server::start(&arguments, &[("SHOP_TOKEN", TOKEN)]);
    again.open().await;
    assert!(!again.errors().contains("passphrase"), "{}", again.errors());
}
