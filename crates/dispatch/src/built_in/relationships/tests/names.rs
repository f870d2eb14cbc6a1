//! Names: of the operation, of types, of things; and what introspection says.
//!
//! Adapters in, names on the wire out.

use super::{BLOCKS, answer, ask, nodes, records, served, world};
use crate::test_server::{Setup, adapter};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};

/// X-rel-2: a root without a type or a name, or with a type that has no links, is refused with what would be right.
#[tokio::test]
async fn wrong_roots() {
    let (server, api) = served(Setup::default()).await;
    let with = |root: Value| json!({"operation": "query_relationships", "params": {"root": root, "direction": "both"}});
    for (root, code, param) in [
        (json!({"element_type": "Agent"}), "VALIDATION_MISSING_PARAM", "root.element_name"),
        (json!({"element_name": "x"}), "VALIDATION_MISSING_PARAM", "root.element_type"),
        (json!({"element_type": "Agent", "element_name": 5}), "VALIDATION_INVALID_TYPE", "root.element_name"),
        (
            json!({"element_type": "Agent", "element_name": ""}),
            "VALIDATION_INVALID_VALUE",
            "root.element_name",
        ),
        (
            json!({"element_type": "Agnet", "element_name": "x"}),
            "VALIDATION_INVALID_VALUE",
            "root.element_type",
        ),
        (json!("Agent"), "VALIDATION_INVALID_TYPE", "root"),
    ] {
        let error = server.error(with(root.clone())).await;
        assert_eq!(
            (&error["code"], &error["details"]["param_name"]),
            (&json!(code), &json!(param)),
            "{root}"
        );
        let again = server.call(error["details"]["example"].clone()).await;
        assert_ne!(again["error"]["code"], code, "the example is a request that can be read");
    }
    let unknown = server.error(with(json!({"element_type": "Agnet", "element_name": "x"}))).await;
    let message = unknown["message"].as_str().unwrap();
    assert!(message.contains("Agent, Skill, Note") && message.contains("Send 'Agent'"), "{message}");
    let paths: Vec<String> = api.requests().iter().map(|request| request.path().to_owned()).collect();
    assert!(paths.iter().all(|path| path == "/agents/name"), "only examples were sent: {paths:?}");
    let missing =
        server.error(json!({"operation": "query_relationships", "params": {"direction": "up"}})).await;
    let problems: Vec<&Value> =
        missing["details"]["problems"].as_array().unwrap().iter().map(|p| &p["param"]).collect();
    assert_eq!(problems, ["root", "direction"]);
}

/// X-rel-8 X-rel-6: what introspection says of it: the portable links and those of any other name, directions that there are, the greatest depth.
#[tokio::test]
async fn capabilities() {
    let (server, _api) = served(Setup::default()).await;
    let detail =
        |name: &str| json!({"operation": "introspect", "params": {"query": "operations", "name": name}});
    let shown = server.data(detail("query_relationships")).await;
    assert_eq!(
        shown["operation"]["relationship_capabilities"],
        json!({"supported": true, "directions": ["outgoing", "incoming", "both"],
               "relationship_types": ["mentions", "triggers", "uses"], "max_depth": 3})
    );
    assert_eq!(shown["operation"]["semantic_category"], "READ");
    let names: Vec<&str> = shown["operation"]["parameters"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| p["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["root", "direction", "relationship", "depth", "include", "first", "after", "budget"]);
    assert_eq!(server.data(detail("get_agent")).await["operation"].get("relationship_capabilities"), None);
    let api = FakeApi::start(world).await;
    let inverse = ", inverse: { via: list_skill_agents, params: { skill: name } }";
    let forward = Setup::default().serve(&[adapter("agents", &api.base_url(), &BLOCKS.replace(inverse, ""))]);
    let shown = forward.data(detail("query_relationships")).await;
    assert_eq!(shown["operation"]["relationship_capabilities"]["directions"], json!(["outgoing"]));
    for portable in ["uses", "extends", "references", "triggers", "composes"] {
        let blocks = BLOCKS.replace("type: mentions", &format!("type: {portable}"));
        let server = Setup::default().serve(&[adapter("agents", &api.base_url(), &blocks)]);
        let shown = server.data(detail("query_relationships")).await;
        let types = &shown["operation"]["relationship_capabilities"]["relationship_types"];
        assert!(types.as_array().unwrap().contains(&json!(portable)), "{types}");
        let mut request = ask("Note", "7", "outgoing", json!({"relationship": portable}));
        request["params"]["root"]["about"] = json!("cyd");
        let (data, _) = answer(&server, request).await;
        assert_eq!(records(&data), [format!("{portable} outgoing Agent:cyd 1")]);
    }
}

/// N4: it exists where relationships are declared, and under another name where a source has its own.
#[tokio::test]
async fn the_name_of_the_operation() {
    let (server, _api) = crate::test_server::TestServer::library().await;
    let error = server.error(ask("Agent", "ada", "outgoing", json!({}))).await;
    assert_eq!(error["code"], "NOT_FOUND_OPERATION");
    let api = FakeApi::start(world).await;
    let own = format!(
        "{BLOCKS}    - {{ name: query_relationships, description: Own, maps_to: GET /agents/bob }}\n"
    );
    let server = Setup::default().serve(&[adapter("agents", &api.base_url(), &own)]);
    let theirs = server.data(json!({"operation": "query_relationships"})).await;
    assert_eq!(theirs["items"][0], "x", "{theirs}");
    let mut request = ask("Agent", "ada", "outgoing", json!({}));
    request["operation"] = json!("aql_query_relationships");
    assert_eq!(records(&answer(&server, request).await.0).len(), 3);
}

/// N2: with several sources types have the name of theirs; a bare one works while one source has it.
#[tokio::test]
async fn several_sources() {
    let api = FakeApi::start(world).await;
    let notes = BLOCKS.replace("Note", "Memo");
    let texts = [adapter("one", &api.base_url(), BLOCKS), adapter("two", &api.base_url(), &notes)];
    let server = Setup::default().serve(&texts);
    let (data, _) = answer(&server, ask("two__Agent", "bob", "outgoing", json!({}))).await;
    assert_eq!(nodes(&data), ["two__Agent:bob", "two__Skill:write", "two__Agent:ada"]);
    let mut memo = ask("Memo", "1", "outgoing", json!({}));
    memo["params"]["root"]["about"] = json!("cyd");
    assert_eq!(records(&answer(&server, memo).await.0), ["mentions outgoing two__Agent:cyd 1"]);
    let error = server.error(ask("Agent", "bob", "outgoing", json!({}))).await;
    assert_eq!(error["details"]["param_name"], "root.element_type");
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("one of one__Agent, two__Agent"), "{message}");
}

const REPOS: &str = r#"
types:
  Repo:
    kind: object
    fields: { name: { type: string }, owner: { type: object } }
    fetch: { operation: get_repo, params: { owner: owner, repo: element_name } }
  Issue:
    kind: object
    fields: { number: { type: integer } }
    fetch: { operation: get_issue, params: { owner: owner, repo: repo, issue_number: element_name } }
relationships:
  - { type: has, from: Repo, to: Issue, via: list_issues, params: { owner: owner.login, repo: name } }
  - { type: forks, from: Repo, to: Repo, via: list_forks, params: { owner: owner.login, repo: name } }
operations:
  read:
    - { name: get_repo, description: Get, maps_to: "GET /r/{owner}/{repo}", params: { owner: { type: string, required: true }, repo: { type: string, required: true } } }
    - { name: get_issue, description: Get, maps_to: "GET /r/{owner}/{repo}/i/{issue_number}", params: { owner: { type: string, required: true }, repo: { type: string, required: true }, issue_number: { type: integer, required: true } } }
    - { name: list_issues, description: List, maps_to: "GET /r/{owner}/{repo}/i", params: { owner: { type: string, required: true }, repo: { type: string, required: true } } }
    - { name: list_forks, description: List, maps_to: "GET /r/{owner}/{repo}/f", params: { owner: { type: string, required: true }, repo: { type: string, required: true } } }
"#;

fn hub(request: &aqueduct_testkit::api::Recorded) -> Answer {
    let repo = |owner: &str| json!({"id": 9, "name": "r", "owner": {"login": owner}});
    let pieces: Vec<&str> = request.path().trim_matches('/').split('/').collect();
    Answer::json(
        200,
        match pieces[..] {
            ["r", owner, _] => repo(owner),
            ["r", _, _, "i"] => json!([{"id": 501, "number": 1}, {"id": 502, "number": 2}]),
            ["r", "ada", _, "f"] => json!([repo("bob"), repo("ada")]),
            ["r", _, _, "f"] => json!([]),
            _ => json!({"number": 1}),
        },
    )
}

/// X-rel-5: things of the same name are told apart by what else they are read by, and every target can be the next root.
#[tokio::test]
async fn things_with_several_keys() {
    let api = FakeApi::start(hub).await;
    let server = Setup::default().serve(&[adapter("hub", &api.base_url(), REPOS)]);
    let mut request = ask("Repo", "r", "outgoing", json!({}));
    let error = server.error(request.clone()).await;
    assert_eq!(
        (&error["code"], &error["details"]["param_name"]),
        (&json!("VALIDATION_MISSING_PARAM"), &json!("root.owner"))
    );
    request["params"]["root"]["owner"] = json!("ada");
    let (data, _) = answer(&server, request).await;
    assert_eq!(nodes(&data), ["Repo:ada/r", "Issue:ada/r/1", "Issue:ada/r/2", "Repo:bob/r"]);
    assert_eq!(data["relationships"].as_array().unwrap().len(), 4, "the link to itself is one too");
    for record in data["relationships"].as_array().unwrap() {
        let next = json!({"operation": "query_relationships", "params": {"root": record["target"], "direction": "both"}});
        let (again, _) = answer(&server, next).await;
        assert_eq!(again["root"], record["target"]);
    }
}
