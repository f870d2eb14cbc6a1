//! Tokens of callers in the store: added, used, exchanged, taken back and expired, while servers run.

use super::lifecycle::terminate;
use super::server::{ANN, BOB, HttpServer, TOKENS, call, delete, token_in};
use crate::outside::harness::{DEADLINE, Place, Ran, TOKEN, command, shop};
use aqueduct::SystemClock;
use aqueduct::store::callers::{Added, NewCaller};
use aqueduct::store::{Store, StoreSettings};
use aqueduct_testkit::api::{Answer, FakeApi};
use aqueduct_testkit::postgres::Postgres;
use secrecy::ExposeSecret;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::time::{Instant, timeout};

const PASSPHRASE: &str = "correct horse battery\n";
const KEY: (&str, &str) =
    ("AQUEDUCT_AUDIT_KEY", "0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f");

/// How soon a change has to reach a server that runs.
const SOON: Duration = Duration::from_secs(5);

const STOCK: &str = "---\nname: stock\ntype: adapter\nversion: \"1.0.0\"\ndescription: \"A stock\"\ntarget: { base_url: \
                     \"http://127.0.0.1:9\", transport: http, protocol: rest, serialization: json, retries: 0 }\noperations:\n  \
                     read:\n    - { name: list_stock, maps_to: \"GET /stock\", description: \"Lists it\", required_scopes: \
                     [\"stock:read\"] }\n---\n";

/// A store with a passphrase.
struct Office {
    place: Place,
    url: Option<String>,
}

impl Office {
    async fn open(url: Option<String>) -> Office {
        let office = Office { place: Place::new(), url };
        let set = office.operator(&["init"]).await;
        assert_eq!(set.code, 0, "{set:?}");
        office
    }

    fn state(&self) -> String {
        self.place.path().join("state").display().to_string()
    }

    fn variables(&self) -> Vec<(&str, &str)> {
        let url = self.url.as_deref().map(|url| ("AQUEDUCT_STORE_URL", url));
        std::iter::once(KEY).chain(url).collect()
    }

    async fn operator(&self, words: &[&str]) -> Ran {
        let state = self.state();
        let all = [&["operator"], words, &["--passphrase-stdin", "--state-dir", &state]].concat();
        self.place.run(&all, &self.variables(), PASSPHRASE).await
    }

    /// A new token, as a header.
    async fn add(&self, words: &[&str]) -> String {
        let added = self.operator(&[&["token", "add"], words].concat()).await;
        assert_eq!(added.code, 0, "{added:?}");
        let token = added.stdout.trim_end().to_owned();
        assert!(token.starts_with("aq_") && !added.stderr.contains(&token), "{added:?}");
        format!("Bearer {token}")
    }

    async fn server(&self) -> HttpServer {
        let place = Place::new();
        place.write("stock-adapter.md", STOCK);
        HttpServer::start(place, &["stock-adapter.md", "--state-dir", &self.state()], &self.variables()).await
    }
}

/// The status of a request with this token; `Bearer ` and nothing is none.
async fn status(server: &HttpServer, token: &str) -> u16 {
    server.ask("GET", "/metrics", &[("authorization", token)]).await.status
}

/// Waits until requests with this token are answered so.
async fn until(server: &HttpServer, token: &str, expected: u16) {
    let start = Instant::now();
    while status(server, token).await != expected {
        assert!(start.elapsed() < SOON, "{expected} does not come");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn tokens_come_and_go_while_a_server_runs() {
    let office = Office::open(None).await;
    let server = office.server().await;
    assert_eq!(server.ask("GET", "/metrics", &[]).await.status, 200, "there are no tokens");
    let ann = office.add(&["ann"]).await;
    until(&server, &ann, 200).await;
    until(&server, "", 401).await;
    let bob = office.add(&["bob", "--scope", "stock:read", "--expires", "30"]).await;
    until(&server, &bob, 200).await;
    let message = call(1, "mcp_aql_read", "list_stock", json!({}));
    let code = async |token: &str| {
        let answer = server.stateless(&[("authorization", token)], &message).await;
        answer.inside()["error"]["code"].clone()
    };
    assert_eq!(code(&ann).await, "PERMISSION_DENIED");
    assert_eq!(
        code(&bob).await,
        "TRANSPORT_CONNECTION_REFUSED",
        "it was let through to an API that is not there"
    );
    let page = server.ask("GET", "/metrics", &[("authorization", &ann)]).await.body;
    for line in [
        "aqueduct_caller_calls_total{caller=\"ann\",source=\"stock\",outcome=\"PERMISSION_DENIED\"} 1",
        "aqueduct_caller_calls_total{caller=\"bob\",source=\"stock\",outcome=\"TRANSPORT_CONNECTION_REFUSED\"} 1",
    ] {
        assert!(page.contains(line), "{line}\n{page}");
    }
    let session = server.open("2025-11-25", &[("authorization", &ann)]).await;
    let again = office.add(&["ann"]).await;
    until(&server, &again, 200).await;
    assert_eq!(status(&server, &ann).await, 200, "both work while they are exchanged");
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    let in_session =
        async |token: &str| server.in_session(&session, &[("authorization", token)], &ping).await.status;
    assert_eq!(in_session(&again).await, 200, "a session is its caller's, not its token's");
    let list = office.operator(&["token", "list", "--format", "json"]).await.json();
    let names: Vec<&str> =
        list.as_array().unwrap().iter().map(|each| each["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["ann", "ann", "bob"], "{list}");
    assert!(list[0]["expires_at"].is_string() && list[1]["expires_at"].is_null(), "{list}");
    assert_eq!(list[2]["scopes"], json!(["stock:read"]));
    let revoked = office.operator(&["token", "revoke", "ann"]).await;
    assert_eq!(revoked.code, 0, "{revoked:?}");
    until(&server, &ann, 401).await;
    until(&server, &again, 401).await;
    assert_eq!(status(&server, &bob).await, 200);
    let open = async || {
        let page = server.ask("GET", "/metrics", &[("authorization", bob.as_str())]).await.body;
        page.contains("\naqueduct_sessions 1\n")
    };
    let start = Instant::now();
    while open().await {
        assert!(start.elapsed() < SOON, "the session of a caller without a token stays");
    }
    assert_eq!(office.operator(&["token", "revoke", "bob"]).await.code, 0);
    until(&server, &bob, 401).await;
    assert_eq!(
        server.ask("GET", "/metrics", &[]).await.status,
        401,
        "who takes the last one back opens nothing"
    );
    let later = office.server().await;
    assert_eq!(later.ask("GET", "/metrics", &[]).await.status, 401, "nor does a start after that");
    let audit = office.operator(&["audit", "--format", "json"]).await;
    let events = |name: &str| audit.stdout.matches(name).count();
    assert_eq!((events("CALLER_ADDED"), events("CALLER_REVOKED")), (3, 2), "{audit:?}");
    for token in [&ann, &bob, &again] {
        let secret = token.strip_prefix("Bearer ").unwrap();
        assert!(!audit.stdout.contains(secret) && !list.to_string().contains(secret));
        let kept = std::fs::read_dir(office.state()).unwrap();
        for file in kept.map(|file| file.unwrap().path()).filter(|path| path.is_file()) {
            let bytes = std::fs::read(&file).unwrap();
            assert!(!bytes.windows(secret.len()).any(|part| part == secret.as_bytes()), "{file:?}");
        }
    }
}

#[tokio::test]
async fn expired_ones_are_told() {
    let office = Office::open(None).await;
    let server = office.server().await;
    let store = Store::open(StoreSettings::sqlite(office.state()), Arc::new(SystemClock)).unwrap();
    let caller = NewCaller {
        name: "ann".to_owned(),
        scopes: Vec::new(),
        lifetime: Some(Duration::from_secs(3)),
        overlap: None,
    };
    let Added::Added(token) = store.add_caller(caller, "test").await.unwrap() else { panic!("taken") };
    let token = format!("Bearer {}", token.expose_secret());
    until(&server, "", 401).await;
    until(&server, &token, 200).await;
    until(&server, &token, 401).await;
    let told = server.ask("GET", "/mcp", &[("authorization", &token)]).await;
    assert!(told.body.contains("has expired"), "{told:?}");
    assert!(told.header("www-authenticate").unwrap().contains("invalid_token"), "{told:?}");
    let server = office.server().await;
    let told = server.ask("GET", "/mcp", &[("authorization", &token)]).await;
    assert_eq!(told.status, 401);
    assert!(told.body.contains("has expired"), "a server that starts later knows it too: {told:?}");
    let list = office.operator(&["token", "list"]).await;
    assert!(list.stdout.starts_with("ann  added ") && list.stdout.contains(", expired "), "{list:?}");
}

/// Off loopback a token of the store is as good as one of the configuration.
#[tokio::test]
async fn other_machines_need_one() {
    let office = Office::open(None).await;
    let (shop, state) = (shop(), office.state());
    let arguments = ["serve", &shop, "--http", "0.0.0.0:0", "--state-dir", &state];
    let ran = office.place.run(&arguments, &[], "").await;
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(ran.stderr.contains("aqueduct operator token add"), "{ran:?}");
    office.add(&["ann"]).await;
    let mut child = command(&arguments, &[], &office.place.path()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let first = timeout(DEADLINE, lines.next_line()).await.unwrap().unwrap().unwrap();
    assert!(first.starts_with("listening on http://0.0.0.0:"), "{first}");
}

#[tokio::test]
async fn what_is_refused() {
    let office = Office::open(None).await;
    for name in ["local", "a b", "", "-a", "a\"b"] {
        let ran = office.operator(&["token", "add", name]).await;
        assert_eq!(ran.code, 2, "{name}: {ran:?}");
    }
    let unknown = office.operator(&["token", "revoke", "eve"]).await;
    assert!(unknown.code == 2 && unknown.stderr.contains("'eve' has no token"), "{unknown:?}");
    let state = office.state();
    for words in [&["add", "ann"][..], &["list"], &["revoke", "ann"]] {
        let all = [&["operator", "token"], words, &["--passphrase-stdin", "--state-dir", &state]].concat();
        let wrong = office.place.run(&all, &[], "wrong horse battery\n").await;
        assert!(wrong.code == 1 && wrong.stdout.is_empty(), "{words:?}: {wrong:?}");
    }
    let none = office.operator(&["token", "list"]).await;
    assert!(none.code == 0 && none.stdout.is_empty(), "{none:?}");
}

/// Two instances on one database; then the database is lost, and who was known goes on.
#[tokio::test]
async fn on_several_machines() {
    let database = Postgres::start();
    let office = Office::open(Some(database.database())).await;
    let (one, other) = (office.server().await, office.server().await);
    let ann = office.add(&["ann"]).await;
    let bob = office.add(&["bob"]).await;
    for server in [&one, &other] {
        until(server, &ann, 200).await;
        until(server, &bob, 200).await;
    }
    assert_eq!(office.operator(&["token", "revoke", "bob"]).await.code, 0);
    for server in [&one, &other] {
        until(server, &bob, 401).await;
    }
    database.crash();
    for server in [&one, &other] {
        assert_eq!(status(server, &ann).await, 200, "who was known goes on");
        assert_eq!(status(server, &bob).await, 401);
    }
    let late = office.server().await;
    assert_eq!(status(&late, &ann).await, 503, "who may call is not known");
    assert_eq!(status(&late, "").await, 503);
    database.restart();
    until(&late, &ann, 200).await;
    until(&late, "", 401).await;
}

/// S12: who called stands in the rule that decides, in every line of the log and of the audit, and in the metrics.
#[tokio::test]
async fn every_record_names_the_caller() {
    let api = FakeApi::always(Answer::json(200, json!([]))).await;
    let office = Office::open(None).await;
    let place = Place::new();
    let rules = "[[policy]]\noperation = \"delete_order\"\ncaller = \"bob\"\ndecision = \"deny\"\nreason = \"not bob\"\n";
    place.write("aqueduct.toml", format!("{TOKENS}{rules}"));
    let (shop, base_url, state) = (shop(), api.base_url(), office.state());
    let arguments =
        [shop.as_str(), "--base-url", &base_url, "--confirmation", "client", "--state-dir", &state];
    let variables = [("SHOP_TOKEN", TOKEN), ("AQUEDUCT_LOG", "info")];
    let mut server = HttpServer::start(place, &arguments, &variables).await;
    let token = token_in(&server.stateless(&[ANN], &delete(None)).await.inside());
    let denied = server.stateless(&[BOB], &delete(Some(&token))).await.inside();
    assert_eq!(denied["error"]["code"], "PERMISSION_DENIED", "{denied}");
    assert!(denied["error"]["message"].as_str().unwrap().contains("not bob"), "{denied}");
    let done = server.stateless(&[ANN], &delete(Some(&token))).await.inside();
    assert_eq!(done["success"], true, "{done}");
    let page = server.ask("GET", "/metrics", &[ANN]).await.body;
    // One session that its client ends, with a token that was not used, and one that the server ends.
    let session = server.open("2025-11-25", &[ANN]).await;
    token_in(&server.in_session(&session, &[ANN], &delete(None)).await.inside());
    server.ask("DELETE", "/mcp", &[("mcp-session-id", session.as_str()), ANN]).await;
    let session = server.open("2025-11-25", &[BOB]).await;
    server.in_session(&session, &[BOB], &delete(None)).await;
    for (caller, outcome) in
        [("ann", "success"), ("ann", "CONFIRMATION_REQUIRED"), ("bob", "PERMISSION_DENIED")]
    {
        let line = format!(
            "aqueduct_caller_calls_total{{caller=\"{caller}\",source=\"shop\",outcome=\"{outcome}\"}} 1"
        );
        assert!(page.contains(&line), "{line}\n{page}");
    }
    terminate(&server);
    let (_, log) = server.ended().await;
    let is_record = |line: &&str| line.contains(" INFO ") || line.contains(" WARN ");
    // What the process tells of itself alone has no caller.
    let is_of_process =
        |line: &str| ["process", "load"].iter().any(|part| line.contains(&format!("aqueduct::{part}")));
    for line in log.lines().filter(is_record).filter(|line| !is_of_process(line)) {
        let is_named = line.contains("caller=\"ann\"") || line.contains("caller=\"bob\"");
        assert!(is_named, "{line}");
    }
    for said in ["aqueduct::gate", "aqueduct::call", "session begun", "session ended"] {
        assert!(log.contains(said), "{said}: {log}");
    }
    let whole = office.operator(&["audit", "--format", "json"]).await.stdout;
    for line in whole.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        let who = if line["event"] == "PASSPHRASE_SET" { &line["approver"] } else { &line["caller"] };
        assert!(who.is_string(), "{line}");
    }
    assert!(whole.contains("TOKEN_REVOKED") && whole.contains("PASSPHRASE_SET"), "{whole}");
    let audit = office.operator(&["audit", "--search", "delete_order", "--format", "json"]).await.stdout;
    let lines: Vec<Value> = audit.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut found: Vec<(&str, &str)> = lines
        .iter()
        .map(|line| (line["event"].as_str().unwrap(), line["caller"].as_str().unwrap()))
        .collect();
    found.sort_unstable();
    let expected = [
        ("CALL_FINISHED", "ann"),
        ("OPERATION_DENIED", "bob"),
        ("OPERATION_DENIED", "bob"),
        ("TOKEN_ISSUED", "ann"),
        ("TOKEN_ISSUED", "ann"),
        ("TOKEN_VALIDATED", "ann"),
    ];
    assert_eq!(found, expected, "{audit}");
    let rule =
        lines.iter().find(|line| line["caller"] == "bob").unwrap()["rule"].as_str().unwrap().to_owned();
    assert!(rule.contains("caller bob"), "{rule}");
}
