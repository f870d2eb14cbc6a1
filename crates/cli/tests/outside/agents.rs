//! Agents that work on their own, from outside: watched, paused, blocked, verified, and held to what they report.

mod escapes;
mod off;
mod permissions;
mod principals;
mod scorer;
mod shapes;

use super::harness::{Place, Ran, Server, TOKEN, code, shop};
use aqueduct_testkit::api::{Answer, FakeApi};
use aqueduct_testkit::leaks::Searched;
use serde_json::{Value, json};
use std::path::Path;

const PASSPHRASE: &str = "correct horse battery\n";

/// A server that watches agents, and its operator. Everything that the client is sent is kept.
struct Watched {
    server: Server,
    place: Place,
    received: Vec<String>,
    errors: String,
    arguments: Vec<String>,
    /// What only the operator was shown.
    codes: Vec<String>,
}

impl Watched {
    async fn open(arguments: &[&str]) -> Watched {
        let place = Place::new();
        let state = state_of(&place);
        let set = ["operator", "init", "--state-dir", &state, "--passphrase-stdin"];
        assert_eq!(place.run(&set, &[], PASSPHRASE).await.code, 0);
        let arguments: Vec<String> = arguments.iter().map(|each| (*each).to_owned()).collect();
        let server = started(&arguments, &state).await;
        let (received, codes) = (Vec::new(), Vec::new());
        Watched { server, place, received, errors: String::new(), arguments, codes }
    }

    async fn restart(&mut self) {
        let (_, errors) = self.server.finish().await;
        self.errors.push_str(&errors);
        self.received.append(&mut self.server.seen);
        self.server = started(&self.arguments, &state_of(&self.place)).await;
    }

    /// The server is killed, and started again.
    async fn kill(&mut self) {
        self.server.kill().await;
        self.received.append(&mut self.server.seen);
        self.server = started(&self.arguments, &state_of(&self.place)).await;
    }

    async fn call(&mut self, tool: &str, operation: &str, params: Value) -> Value {
        let answer = self.server.call_raw(tool, json!({"operation": operation, "params": params})).await;
        self.received.push(answer.to_string());
        super::harness::inside(&answer)
    }

    async fn execute(&mut self, agent: &str) -> Value {
        let asked = self.call("mcp_aql_execute", "execute_agent", json!({"element_name": agent})).await;
        if code(&asked) != "CONFIRMATION_REQUIRED" {
            return asked;
        }
        let token = asked["error"]["details"]["confirmation_token"].clone();
        let params = json!({"element_name": agent, "confirmation_token": token});
        self.call("mcp_aql_execute", "execute_agent", params).await
    }

    async fn run(&mut self, agent: &str) {
        let running = self.execute(agent).await;
        assert_eq!(running["success"], true, "{running}");
    }

    async fn report(&mut self, agent: &str, hint: &str) -> Value {
        let params = json!({"element_name": agent, "nextActionHint": hint});
        self.call("mcp_aql_create", "record_execution_step", params).await
    }

    /// The directive on a report.
    async fn directive(&mut self, agent: &str, hint: &str) -> Value {
        let answer = self.report(agent, hint).await;
        assert_eq!(answer["success"], true, "{answer}");
        answer["data"]["directive"].clone()
    }

    async fn verify(&mut self, id: &str, code: &str) -> Value {
        self.call("mcp_aql_create", "verify_challenge", json!({"challenge_id": id, "code": code})).await
    }

    async fn operator(&self, arguments: &[&str]) -> Ran {
        let state = state_of(&self.place);
        let mut all = vec!["operator"];
        all.extend(arguments);
        all.extend(["--state-dir", &state, "--passphrase-stdin"]);
        self.place.run(&all, &[], PASSPHRASE).await
    }

    /// The operator opens the challenge of an agent: its identifier and its code.
    async fn opened(&mut self, agent: &str) -> (String, String) {
        let shown = self.operator(&["challenge", agent]).await;
        assert_eq!(shown.code, 0, "{shown:?}");
        let word = |key: &str| {
            let line = shown.stdout.lines().find(|line| line.starts_with(key)).unwrap();
            line.split_whitespace().last().unwrap().to_owned()
        };
        self.codes.push(word("code"));
        (word("challenge"), word("code"))
    }

    /// Ends the server, and looks for every code that was shown, in everything that is not the operator's terminal.
    async fn nowhere(mut self) {
        let (_, errors) = self.server.finish().await;
        self.errors.push_str(&errors);
        self.received.append(&mut self.server.seen);
        let mut searched = Searched::default();
        for received in &self.received {
            searched.add("what was received", received.as_bytes());
        }
        searched.add("the log", self.errors.as_bytes());
        searched.add_files(Path::new(&state_of(&self.place)));
        assert!(!self.codes.is_empty());
        for code in &self.codes {
            assert_eq!(searched.places(code), [""; 0], "the code is somewhere");
        }
        // What was looked for would have been found: the challenge itself is there.
        assert!(searched.has("CHALLENGE_PASSED"));
    }
}

async fn started(arguments: &[String], state: &str) -> Server {
    let mut all: Vec<&str> = arguments.iter().map(String::as_str).collect();
    all.extend(["--state-dir", state]);
    let mut server = Server::start(&all, &[("SHOP_TOKEN", TOKEN), ("AQUEDUCT_LOG", "trace")]);
    server.open().await;
    server
}

fn state_of(place: &Place) -> String {
    place.path().join("state").display().to_string()
}

fn kinds(directive: &Value) -> Vec<String> {
    let all = directive["notifications"].as_array().into_iter().flatten();
    all.map(|each| each["type"].as_str().unwrap().to_owned()).collect()
}

/// C8.6.6-2 C8.6.1-4 C8.6.1-5 C8.6.1-6 C8.5.4-2 C8.5.4-3 C8.5.4-4 C8.5.4-5 C8.5.4-6 C8.5.4-7 X-loop-1 X-loop-9 X-loop-10 X-loop-13 C8.7.4-2 C8.7.2-3: a server with no source
/// has the seven operations on their endpoints, and says how it watches.
#[tokio::test]
async fn a_server_without_a_source() {
    let mut alone = Server::start(&["--safety", "enforcing"], &[]);
    let greeting = alone.initialize("2025-06-18").await.to_string();
    assert!(greeting.contains("only if the directive says continue: true"), "{greeting}");
    let mut watched = Watched::open(&["--safety", "enforcing"]).await;
    let listed = watched.call("mcp_aql_read", "introspect", json!({"query": "operations"})).await;
    let operations = listed["data"]["operations"].as_array().unwrap();
    let mut found: Vec<(String, String)> = operations
        .iter()
        .map(|each| {
            (each["name"].as_str().unwrap().to_owned(), each["endpoint"].as_str().unwrap().to_owned())
        })
        .collect();
    found.sort();
    let expected = [
        ("abort_execution", "execute"),
        ("complete_execution", "execute"),
        ("confirm_operation", "execute"),
        ("execute_agent", "execute"),
        ("introspect", "read"),
        ("record_execution_step", "create"),
        ("verify_challenge", "create"),
    ];
    assert_eq!(found, expected.map(|(name, endpoint)| (name.to_owned(), endpoint.to_owned())));
    let shown = watched.call("mcp_aql_read", "introspect", json!({"query": "capabilities"})).await;
    assert_eq!(shown["data"]["capabilities"]["execution_safety_loop"], "enforcing");
    assert_eq!(shown["data"]["autonomy"]["max_autonomous_steps"], 25, "{shown}");
    assert_eq!(
        shown["data"]["autonomy"]["deny"],
        json!(["drop_*", "delete_all*", "rm -rf*", "*_production*"])
    );
}

/// C8.6.2-3 C8.6.2-4 C8.6.2-6 C8.6.3-3 C8.6.3-4 C8.6.3-5 C8.6.3-6 C8.6.3-8 C8.7.1-1 C8.7.1-2 C8.7.2-7: one approval, then each action by itself, until the run is completed.
#[tokio::test]
async fn a_run_from_its_approval_to_its_end() {
    let mut watched = Watched::open(&["--safety", "enforcing"]).await;
    let early = watched.report("bot", "read_file notes.md").await;
    assert_eq!(code(&early), "PERMISSION_DENIED", "{early}");
    let asked = watched.call("mcp_aql_execute", "execute_agent", json!({"element_name": "bot"})).await;
    assert_eq!(code(&asked), "CONFIRMATION_REQUIRED");
    watched.run("bot").await;
    for (params, wanted) in [
        (json!({"element_name": "bot"}), "VALIDATION_MISSING_PARAM"),
        (json!({"nextActionHint": "read it"}), "VALIDATION_MISSING_PARAM"),
        (json!({"element_name": "bot", "nextActionHint": "  "}), "VALIDATION_INVALID_VALUE"),
        (
            json!({"element_name": "bot", "nextActionHint": "read it", "outcome": "great"}),
            "VALIDATION_INVALID_VALUE",
        ),
    ] {
        let refused = watched.call("mcp_aql_create", "record_execution_step", params.clone()).await;
        assert_eq!(code(&refused), wanted, "{params} {refused}");
    }
    let first = watched.directive("bot", "read_file notes.md").await;
    assert_eq!((&first["continue"], &first["stepsRemaining"]), (&json!(true), &json!(24)), "{first}");
    assert!(first["factors"][0].as_str().unwrap().contains("read_*"), "{first}");
    let params = json!({"element_name": "bot", "next_action_hint": "write a summary to notes.md", "outcome": "skipped"});
    let second = watched.call("mcp_aql_create", "record_execution_step", params).await;
    assert_eq!(second["data"]["directive"]["continue"], true, "{second}");
    assert_eq!(second["data"]["directive"]["nextStepRisk"], "advisory");
    let ended = watched
        .call("mcp_aql_execute", "complete_execution", json!({"element_name": "bot", "outcome": "success"}))
        .await;
    assert_eq!(
        (&ended["data"]["status"], &ended["data"]["steps"]),
        (&json!("completed"), &json!(2)),
        "{ended}"
    );
    let after = watched.report("bot", "read_file notes.md").await;
    assert_eq!(code(&after), "PERMISSION_DENIED", "{after}");
}

/// C8.6.4-7 C8.7.2-5 C8.7.2-10 C8.7.3-5 C8.7.3-6 C8.7.3-7 C8.7.3-12 X-loop-6 X-gate-11: a pause stays until a person ends it, and says why.
#[tokio::test]
async fn a_pause_ends_by_a_person() {
    let mut watched = Watched::open(&["--safety", "enforcing"]).await;
    watched.run("bot").await;
    let paused = watched.directive("bot", "delete_user").await;
    assert_eq!((&paused["continue"], paused.get("stopped")), (&json!(false), None), "{paused}");
    assert_eq!(paused["reason"], "Action requires approval: delete_user");
    assert!(paused["factors"][0].as_str().unwrap().contains("'delete_*'"), "{paused}");
    assert_eq!(kinds(&paused), ["autonomy_pause", "permission_pending"]);
    let pending = &paused["notifications"][1]["metadata"];
    assert_eq!(pending["level"], "CONFIRM_SINGLE_USE");
    for hint in ["delete_user", "read_file notes.md"] {
        let again = watched.directive("bot", hint).await;
        assert_eq!(again["continue"], false, "{again}");
        assert_eq!(kinds(&again).len(), 2);
    }
    let own = watched.call("mcp_aql_execute", "confirm_operation", json!({"element_name": "bot"})).await;
    assert_eq!(
        (code(&own), &own["error"]["details"]["reason"]),
        ("PERMISSION_DENIED", &json!("self_approval"))
    );
    let token = watched.operator(&["release", "bot", "--token"]).await.stdout.trim().to_owned();
    let own =
        watched.call("mcp_aql_execute", "confirm_operation", json!({"confirmation_token": token})).await;
    assert_eq!(
        own["error"]["details"]["reason"], "self_approval",
        "even with the token of the operator: {own}"
    );
    assert_eq!(watched.operator(&["release", "Bot"]).await.code, 0);
    let released = watched.directive("bot", "delete_user").await;
    assert_eq!((&released["continue"], kinds(&released).len()), (&json!(true), 0), "{released}");
    let failed = json!({"element_name": "bot", "nextActionHint": "read_file a", "outcome": "failure"});
    let failed = watched.call("mcp_aql_create", "record_execution_step", failed).await;
    assert_eq!(failed["data"]["directive"]["continue"], false);
}

/// C8.7.2-9 C8.8-1 C8.8.1-2 C8.8.1-3 C8.8.2-4 C8.8.2-5 C8.8.2-6 C8.8.2-7 C8.8.3-1 C8.8.3-2 C8.8.3-4 C8.8.4-1 C8.8.4-2 C8.8.4-3 C8.8.4-4 C8.6.4-6 C8.7.2-18: a block holds
/// for every spelling of the name, across a restart, and ends by the code, which is nowhere to be found.
#[tokio::test]
async fn a_block_and_its_code() {
    let mut watched = Watched::open(&["--safety", "enforcing"]).await;
    watched.run("Deploy-Bot").await;
    watched.run("helper").await;
    let stopped = watched.directive("Deploy-Bot", "Run `rm -rf /srv`").await;
    assert_eq!((&stopped["continue"], &stopped["stopped"]), (&json!(false), &json!(true)), "{stopped}");
    assert_eq!(kinds(&stopped), ["danger_zone"]);
    let id = stopped["notifications"][0]["metadata"]["verificationId"].as_str().unwrap().to_owned();
    let told = watched.directive("helper", "read_file notes.md").await;
    assert_eq!(told["notifications"][0]["metadata"]["verificationId"], id.as_str(), "all agents hear of it");
    for spelling in [
        "Deploy-Bot",
        "deploy_bot",
        "DEPLOY BOT",
        "dep\u{200b}loy-bot",
        "dерlоу-bоt",
        "ｄｅｐｌｏｙ－ｂｏｔ",
        "dep1oy-b0t",
        "deployBot",
        "d e p l o y b o t",
    ] {
        for answer in [watched.execute(spelling).await, watched.report(spelling, "read_file notes.md").await]
        {
            assert_eq!(code(&answer), "PERMISSION_DENIED", "{spelling} {answer}");
            assert_eq!(answer["error"]["details"]["reason"], "agent_blocked", "{spelling} {answer}");
        }
    }
    let batch = json!({"operations": [{"operation": "record_execution_step",
        "params": {"element_name": "deploy-bot", "next_action_hint": "read_file a"}}]});
    let batch = watched.server.call_raw("mcp_aql_create", batch).await.to_string();
    assert!(batch.contains("agent_blocked"), "{batch}");
    let aborted =
        watched.call("mcp_aql_execute", "abort_execution", json!({"element_name": "deploy-bot"})).await;
    assert_eq!(aborted["data"]["status"], "aborted", "{aborted}");
    watched.restart().await;
    assert_eq!(code(&watched.execute("deploy-bot").await), "PERMISSION_DENIED", "after a restart");
    let (first, right) = watched.opened("deploy-bot").await;
    assert_eq!(first, id);
    let wrong = watched.verify(&first, "00000-00000-00000-00000-00000-0").await;
    assert_eq!(
        (code(&wrong), &wrong["error"]["details"]["reason"]),
        ("PERMISSION_DENIED", &json!("verification_failed"))
    );
    assert_eq!(code(&watched.verify(&first, &right).await), "PERMISSION_DENIED", "one attempt");
    let (second, code_of_second) = watched.opened("deploy-bot").await;
    assert_ne!(second, first);
    let passed = watched.verify(&second, &code_of_second).await;
    assert_eq!(passed["data"]["verified"], true, "{passed}");
    watched.run("deploy-bot").await;
    let audit = watched.operator(&["audit", "--format", "json"]).await.stdout;
    for event in
        ["AGENT_BLOCKED", "CHALLENGE_OPENED", "CHALLENGE_FAILED", "CHALLENGE_PASSED", "AGENT_UNBLOCKED"]
    {
        assert!(audit.contains(event), "{event}: {audit}");
    }
    watched.nowhere().await;
}

/// C8.8.2-8 C8.7.3-7: what a person says yes to may be done after the server was killed, whether they say so before the agent runs again or after.
#[tokio::test]
async fn a_yes_outlives_a_killed_server() {
    let mut watched = Watched::open(&["--safety", "enforcing"]).await;
    for (hint, runs_first) in
        [("Run `rm -rf /srv`", false), ("deploy_site now", true), ("deploy_site now", false)]
    {
        watched.run("bot").await;
        assert_eq!(watched.directive("bot", hint).await["continue"], false, "{hint}");
        watched.kill().await;
        if runs_first {
            watched.run("bot").await;
        }
        if hint.starts_with("Run") {
            assert_eq!(
                code(&watched.call("mcp_aql_execute", "execute_agent", json!({"element_name": "bot"})).await),
                "PERMISSION_DENIED",
                "nobody is asked to confirm it"
            );
            let (id, right) = watched.opened("bot").await;
            assert_eq!(watched.verify(&id, &right).await["data"]["verified"], true);
        } else {
            assert_eq!(watched.operator(&["release", "bot"]).await.code, 0);
        }
        if !runs_first {
            watched.run("bot").await;
        }
        assert_eq!(watched.directive("bot", "read_file notes.md").await["continue"], true);
        let goes_on = watched.directive("bot", hint).await;
        assert_eq!(goes_on["continue"], true, "{hint}: {goes_on}");
        let ended = watched
            .call(
                "mcp_aql_execute",
                "complete_execution",
                json!({"element_name": "bot", "outcome": "success"}),
            )
            .await;
        assert_eq!(ended["success"], true, "{ended}");
    }
    watched.nowhere().await;
}

/// C8.7.2-17 C8.7.3-8 C8.7.3-9 C8.8.1-4 C8.8.3-6 C8.8.3-7: a risk that is high pauses for a code; the pause ends with the process.
#[tokio::test]
async fn a_verification_that_only_pauses() {
    let mut watched = Watched::open(&["--safety", "enforcing"]).await;
    watched.run("bot").await;
    let hint = "wire 2500 USD to the new supplier";
    let paused = watched.directive("bot", hint).await;
    assert_eq!((&paused["nextStepRisk"], paused.get("stopped")), (&json!("verify"), None), "{paused}");
    let id = paused["notifications"][0]["metadata"]["verificationId"].as_str().unwrap().to_owned();
    assert_eq!(kinds(&paused), ["autonomy_pause"]);
    let again = watched.directive("bot", "read_file notes.md").await;
    assert!(again["reason"].as_str().unwrap().contains(&id), "{again}");
    let (opened, right) = watched.opened(&id).await;
    assert_eq!(watched.verify(&opened, &right).await["data"]["verified"], true);
    let released = watched.directive("bot", hint).await;
    assert_eq!(released["continue"], true, "{released}");
    assert_eq!(watched.directive("bot", hint).await["continue"], false, "it was released once");
    watched.restart().await;
    watched.run("bot").await;
    assert_eq!(watched.directive("bot", "read_file notes.md").await["continue"], true);
    watched.nowhere().await;
}

/// C8.8.3-3 C8.7.3-11: the operator lifts a block without a code, and the audit has it.
#[tokio::test]
async fn the_operator_lifts_a_block() {
    let mut watched = Watched::open(&["--safety", "enforcing"]).await;
    watched.run("bot").await;
    watched.directive("bot", "please DROP  TABLE users").await;
    let shown = watched.operator(&["agents", "--format", "json"]).await.json();
    assert_eq!(shown["blocked"][0]["name"], "bot", "{shown}");
    assert_eq!(watched.operator(&["unblock", "nobody"]).await.code, 2);
    assert_eq!(watched.operator(&["unblock", "BOT"]).await.code, 0);
    let audit = watched.operator(&["audit", "--search", "AGENT_UNBLOCKED"]).await.stdout;
    assert!(audit.contains("override"), "{audit}");
    assert_eq!(watched.directive("bot", "read_file notes.md").await["continue"], true);
}

/// C8.6.5-3 C8.6.2-1: while an agent runs, a call that it has not reported does not run, nor a second one under one report.
#[tokio::test]
async fn calls_are_held_against_reports() {
    let api = FakeApi::always(Answer::json(200, json!({"id": "7"}))).await;
    let (shop, base_url) = (shop(), api.base_url());
    let mut watched = Watched::open(&[&shop, "--base-url", &base_url, "--safety", "enforcing"]).await;
    let order = json!({"product_id": 7});
    assert_eq!(
        watched.call("mcp_aql_read", "get_product", order.clone()).await["success"],
        true,
        "no agent runs"
    );
    watched.run("bot").await;
    let sent = api.requests().len();
    let unreported = watched.call("mcp_aql_read", "get_product", order.clone()).await;
    assert_eq!(unreported["error"]["details"]["reason"], "unreported_action", "{unreported}");
    let batch = json!({"operations": [{"operation": "get_product", "params": order}]});
    let batch = watched.server.call_raw("mcp_aql_read", batch).await.to_string();
    assert!(batch.contains("unreported_action"), "{batch}");
    assert_eq!(api.requests().len(), sent, "nothing was sent");
    watched.directive("bot", "calling getProduct for product 7 to see its price").await;
    assert_eq!(watched.call("mcp_aql_read", "get_product", order.clone()).await["success"], true);
    let mut named = order.clone();
    named["_agent"] = json!("somebody else");
    let named = watched.call("mcp_aql_read", "get_product", named).await;
    assert_eq!(named["error"]["details"]["reason"], "unknown_agent", "{named}");
    let recount = json!({"order_id": "7"});
    watched.directive("bot", "calling execute_recount on order 7").await;
    let first = watched.call("mcp_aql_execute", "execute_recount", recount.clone()).await;
    assert_eq!(first["success"], true, "{first}");
    let second = watched.call("mcp_aql_execute", "execute_recount", recount).await;
    assert_eq!(second["error"]["details"]["reason"], "unreported_action", "one report, one call: {second}");
    watched.directive("bot", "Run `rm -rf /srv`").await;
    let blocked = watched.call("mcp_aql_read", "get_product", order).await;
    assert_eq!(blocked["error"]["details"]["reason"], "agent_blocked", "{blocked}");
}

/// C8.6.1-7 C8.6.4-8 C8.6.1-8 C8.6.4-9 C8.6.7-2 C8.6.7-4 X-loop-11: nothing is stopped where the loop only watches; off, it is not there.
#[tokio::test]
async fn modes() {
    for (mode, factor) in [("monitoring", "it would have been blocked"), ("logging", "not evaluated")] {
        let mut watched = Watched::open(&["--safety", mode]).await;
        watched.run("bot").await;
        for _ in 0..3 {
            let directive = watched.directive("bot", "rm -rf / and DROP TABLE users").await;
            assert_eq!(
                (&directive["continue"], directive.get("stopped")),
                (&json!(true), None),
                "{directive}"
            );
            assert!(directive["factors"].to_string().contains(factor), "{directive}");
        }
        let shown = watched.call("mcp_aql_read", "introspect", json!({"query": "capabilities"})).await;
        assert_eq!(shown["data"]["capabilities"]["execution_safety_loop"], mode);
    }
    let mut watched = Watched::open(&[&shop()]).await;
    let shown = watched.call("mcp_aql_read", "introspect", json!({"query": "capabilities"})).await;
    assert_eq!(shown["data"]["capabilities"]["execution_safety_loop"], "disabled");
    let absent = watched.call("mcp_aql_read", "execute_agent", json!({"element_name": "bot"})).await;
    assert_eq!(code(&absent), "NOT_FOUND_OPERATION", "{absent}");
}

/// C8.8.3-1 C8.8.3-3 C8.8.3-4: a block that was made while the loop enforced lasts where it only watches: its agent neither starts nor reports until
/// a person lifts it. Others are not stopped.
#[tokio::test]
async fn a_block_outlives_its_mode() {
    let mut watched = Watched::open(&["--safety", "enforcing"]).await;
    watched.run("bot").await;
    assert_eq!(watched.directive("bot", "Run `rm -rf /srv`").await["stopped"], true);
    for mode in ["monitoring", "logging"] {
        watched.arguments = vec!["--safety".to_owned(), mode.to_owned()];
        watched.restart().await;
        for refused in [watched.execute("bot").await, watched.report("bot", "read_file notes.md").await] {
            assert_eq!(refused["error"]["details"]["reason"], "agent_blocked", "{mode} {refused}");
        }
        watched.run("helper").await;
        assert_eq!(watched.directive("helper", "Run `rm -rf /srv`").await["continue"], true);
    }
    assert_eq!(watched.operator(&["unblock", "bot"]).await.code, 0);
    watched.run("bot").await;
    assert_eq!(watched.directive("bot", "Run `rm -rf /srv`").await["continue"], true);
}

/// C8.7.2-2 C8.7.2-4 C8.7.5-1 C8.7.4-1: the step limit is set for one agent, and holds at its threshold.
#[tokio::test]
async fn the_step_limit_of_one_agent() {
    let place = Place::new();
    let config = "[safety]\nmode = \"enforcing\"\n[safety.agents.\"Short Bot\"]\nmax_autonomous_steps = 2\n";
    let config = place.write("aqueduct.toml", config);
    let mut watched = Watched::open(&["--config", &config]).await;
    watched.run("short-bot").await;
    for left in [1, 0] {
        let directive = watched.directive("short-bot", "read_file notes.md").await;
        assert_eq!((&directive["continue"], &directive["stepsRemaining"]), (&json!(true), &json!(left)));
    }
    let over = watched.directive("short-bot", "read_file notes.md").await;
    assert_eq!((&over["continue"], &over["reason"]), (&json!(false), &json!("Step limit exceeded")));
    watched.operator(&["release", "short-bot"]).await;
    let after = watched.directive("short-bot", "read_file notes.md").await;
    assert_eq!((&after["continue"], &after["stepsRemaining"]), (&json!(true), &json!(1)), "{after}");
}
