//! Agents over HTTP, where two callers with tokens of their own reach one server.

use super::PASSPHRASE;
use crate::outside::harness::{Place, TOKEN, code, shop};
use crate::outside::http::server::{ANN, BOB, HttpServer, TOKENS, call, token_in};
use aqueduct_testkit::api::{Answer, FakeApi};
use aqueduct_testkit::leaks::Searched;
use serde_json::{Value, json};

type Who = (&'static str, &'static str);

/// One caller in one session.
struct Desk<'s> {
    server: &'s HttpServer,
    who: Who,
    session: String,
    received: Searched,
}

impl<'s> Desk<'s> {
    async fn open(server: &'s HttpServer, who: Who) -> Desk<'s> {
        let session = server.open("2025-11-25", &[who]).await;
        Desk { server, who, session, received: Searched::default() }
    }

    async fn call(&mut self, tool: &str, operation: &str, params: Value) -> Value {
        let request = call(7, &format!("mcp_aql_{tool}"), operation, params);
        let answer = self.server.in_session(&self.session, &[self.who], &request).await;
        self.received.add("an answer", answer.head.as_bytes());
        self.received.add("an answer", answer.body.as_bytes());
        answer.inside()
    }

    async fn run(&mut self, agent: &str) -> Value {
        let asked = self.call("execute", "execute_agent", json!({"element_name": agent})).await;
        if code(&asked) != "CONFIRMATION_REQUIRED" {
            return asked;
        }
        let token = token_in(&asked);
        self.call("execute", "execute_agent", json!({"element_name": agent, "confirmation_token": token}))
            .await
    }

    async fn directive(&mut self, agent: &str, hint: &str) -> Value {
        let params = json!({"element_name": agent, "next_action_hint": hint});
        let answer = self.call("create", "record_execution_step", params).await;
        assert_eq!(answer["success"], true, "{answer}");
        answer["data"]["directive"].clone()
    }

    async fn confirm(&mut self, params: Value) -> Value {
        self.call("execute", "confirm_operation", params).await
    }
}

fn reason(answer: &Value) -> &str {
    answer["error"]["details"]["reason"].as_str().unwrap_or_default()
}

/// C8.7.3-13 C8.7.3-14 C8.8.3-1 C8.8.3-4 C8.6.4-6 C8.8.4-1: of two callers, each can confirm what the other's agent does, and neither what their own does, by any session,
/// token or request without a session; a block holds for both of them, and a code that the operator hands to one lifts it.
#[tokio::test]
async fn two_callers() {
    let api = FakeApi::always(Answer::json(200, json!({"id": "7"}))).await;
    let (office, place) = (Place::new(), Place::new());
    let state = office.path().join("state").display().to_string();
    let operator = async |words: &[&str]| {
        let all = [&["operator"], words, &["--state-dir", &state, "--passphrase-stdin"]].concat();
        office.run(&all, &[], PASSPHRASE).await
    };
    assert_eq!(operator(&["init"]).await.code, 0);
    place.write("aqueduct.toml", format!("[safety]\nmode = \"enforcing\"\n{TOKENS}"));
    let (shop, base_url) = (shop(), api.base_url());
    let arguments = [shop.as_str(), "--base-url", &base_url, "--state-dir", &state];
    // Everything that is logged once the server listens.
    let logged = ["http", "store", "agents", "gate", "calls", "session", "audit"]
        .map(|each| format!("aqueduct::{each}=trace"));
    let logged = logged.join(",");
    let variables = [("SHOP_TOKEN", TOKEN), ("AQUEDUCT_LOG", &logged)];
    let mut server = HttpServer::start(place, &arguments, &variables).await;
    let mut errors = server.take_errors();
    let log = tokio::spawn(async move {
        let mut log = String::new();
        while let Ok(Some(line)) = errors.next_line().await {
            log.push_str(&line);
            log.push('\n');
        }
        log
    });
    let mut ann = Desk::open(&server, ANN).await;
    let mut again = Desk::open(&server, ANN).await;
    let mut bob = Desk::open(&server, BOB).await;
    assert_eq!(ann.run("bot").await["success"], true);
    assert_eq!(ann.directive("bot", "delete_user 7").await["continue"], false);
    // Ann by every route.
    let token = operator(&["release", "bot", "--token"]).await.stdout.trim().to_owned();
    for params in
        [json!({"element_name": "bot"}), json!({"element_name": "B0T"}), json!({"confirmation_token": token})]
    {
        for desk in [&mut ann, &mut again] {
            let refused = desk.confirm(params.clone()).await;
            assert_eq!(reason(&refused), "self_approval", "{params} {refused}");
        }
        let request = call(8, "mcp_aql_execute", "confirm_operation", params.clone());
        let refused = server.stateless(&[ANN], &request).await.inside();
        assert_eq!(reason(&refused), "self_approval", "{params} {refused}");
        let batch = json!({"operations": [{"operation": "confirm_operation", "params": params}]});
        let batch = json!({"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": {"name": "mcp_aql_execute", "arguments": batch}});
        let refused = server.in_session(&again.session, &[ANN], &batch).await;
        assert!(refused.body.contains("self_approval"), "{refused:?}");
    }
    let stolen = server
        .in_session(
            &bob.session,
            &[ANN],
            &call(9, "mcp_aql_execute", "confirm_operation", json!({"element_name": "bot"})),
        )
        .await;
    assert_ne!(stolen.status, 200, "another caller's session: {stolen:?}");
    for agent in ["bot", "somebody else"] {
        assert_eq!(reason(&again.run(agent).await), "self_approval", "nor by another session, as {agent}");
    }
    // Bob by his name, as long as he runs no agent himself.
    assert_eq!(bob.run("helper").await["success"], true);
    let refused = bob.confirm(json!({"element_name": "bot"})).await;
    assert_eq!(reason(&refused), "self_approval", "his agent may be the one who says so: {refused}");
    assert_eq!(
        bob.call("execute", "abort_execution", json!({"element_name": "helper"})).await["success"],
        true
    );
    let confirmed = bob.confirm(json!({"element_name": "bot"})).await;
    assert_eq!(confirmed["data"]["confirmed"], true, "{confirmed}");
    assert_eq!(ann.directive("bot", "delete_user 7").await["continue"], true);
    // A block is for everybody.
    let stopped = ann.directive("bot", "Run `rm -rf /srv`").await;
    assert_eq!(stopped["stopped"], true, "{stopped}");
    for desk in [&mut ann, &mut again, &mut bob] {
        for spelling in ["bot", "BOT", "b\u{200b}ot", "bоt"] {
            assert_eq!(reason(&desk.run(spelling).await), "agent_blocked", "{spelling}");
        }
        let refused = desk.confirm(json!({"element_name": "bot"})).await;
        assert_eq!(refused["success"], false, "a block is no pause: {refused}");
    }
    // Of Ann, every session and every request without one, whether an agent ever ran in it or not.
    let mut fresh = Desk::open(&server, ANN).await;
    let recount = json!({"order_id": "7"});
    assert_eq!(reason(&fresh.call("execute", "execute_recount", recount.clone()).await), "agent_blocked");
    assert_eq!(reason(&fresh.run("somebody else").await), "agent_blocked");
    let request = call(8, "mcp_aql_execute", "execute_recount", recount);
    let refused = server.stateless(&[ANN], &request).await.inside();
    assert_eq!(reason(&refused), "agent_blocked", "{refused}");
    let product = json!({"product_id": 7});
    assert_eq!(reason(&again.call("read", "get_product", product.clone()).await), "agent_blocked");
    assert_eq!(bob.call("read", "get_product", product).await["success"], true, "he runs no agent");
    let shown = operator(&["challenge", "bot"]).await.stdout;
    let word = |key: &str| {
        let line = shown.lines().find(|line| line.starts_with(key)).unwrap_or_else(|| panic!("{shown}"));
        line.split_whitespace().last().unwrap().to_owned()
    };
    let (id, secret) = (word("challenge"), word("code"));
    let verified = bob.call("create", "verify_challenge", json!({"challenge_id": id, "code": secret})).await;
    assert_eq!(verified["data"]["verified"], true, "{verified}");
    assert_eq!(ann.directive("bot", "look at the weather").await["continue"], true);
    let received = [ann.received, again.received, bob.received];
    rustix::process::kill_process(
        rustix::process::Pid::from_raw(i32::try_from(server.process_id()).unwrap()).unwrap(),
        rustix::process::Signal::TERM,
    )
    .unwrap();
    let mut searched = Searched::default();
    searched.add("the log", log.await.unwrap().as_bytes());
    searched.add_files(&office.path());
    assert!(searched.has("CHALLENGE_PASSED") && received.iter().any(|each| each.has(&id)));
    for each in received.iter().chain([&searched]) {
        assert_eq!(each.places(&secret), [""; 0]);
    }
}
