//! Which links are followed, how far, and what is found.
//!
//! Questions to the small world in, its closed answers out.

use super::{answer, ask, edges, nodes, records, served, warning};
use crate::test_server::Setup;
use serde_json::{Value, json};

/// X-rel-1 X-rel-4 X-rel-5: outgoing links of the root, as records and as a graph, in closed shapes.
#[tokio::test]
async fn outgoing() {
    let (server, api) = served(Setup::default()).await;
    let (data, warnings) = answer(&server, ask("Agent", "ada", "outgoing", json!({}))).await;
    assert_eq!(
        data,
        json!({
            "root": {"element_type": "Agent", "element_name": "ada"},
            "relationships": [
                {"type": "uses", "direction": "outgoing", "depth": 1,
                 "target": {"element_type": "Skill", "element_name": "read"}},
                {"type": "uses", "direction": "outgoing", "depth": 1,
                 "target": {"element_type": "Skill", "element_name": "write"}},
                {"type": "triggers", "direction": "outgoing", "depth": 1,
                 "target": {"element_type": "Agent", "element_name": "bob"}},
            ],
            "graph": {
                "nodes": [
                    {"id": "Agent:ada", "element_type": "Agent", "element_name": "ada"},
                    {"id": "Skill:read", "element_type": "Skill", "element_name": "read"},
                    {"id": "Skill:write", "element_type": "Skill", "element_name": "write"},
                    {"id": "Agent:bob", "element_type": "Agent", "element_name": "bob"},
                ],
                "edges": [
                    {"source": "Agent:ada", "target": "Skill:read", "type": "uses"},
                    {"source": "Agent:ada", "target": "Skill:write", "type": "uses"},
                    {"source": "Agent:ada", "target": "Agent:bob", "type": "triggers"},
                ],
            },
        })
    );
    assert_eq!(warnings, Vec::<Value>::new());
    let paths: Vec<String> = api.requests().iter().map(|request| request.path().to_owned()).collect();
    assert_eq!(paths, ["/agents/ada", "/agents/ada/skills", "/agents/bob"]);
}

/// X-rel-1 X-rel-5: incoming links are followed back, and their edges still lead forward.
#[tokio::test]
async fn incoming() {
    let (server, _api) = served(Setup::default()).await;
    let (data, warnings) = answer(&server, ask("Skill", "write", "incoming", json!({}))).await;
    assert_eq!(records(&data), ["uses incoming Agent:ada 1", "uses incoming Agent:bob 1"]);
    assert_eq!(edges(&data), ["Agent:ada uses Skill:write", "Agent:bob uses Skill:write"]);
    assert_eq!(warnings, Vec::<Value>::new());
}

/// X-rel-1: a direction in which a link cannot be followed is told, and the rest is answered.
#[tokio::test]
async fn no_way_back() {
    let (server, _api) = served(Setup::default()).await;
    let (data, warnings) = answer(&server, ask("Agent", "bob", "incoming", json!({}))).await;
    assert_eq!(records(&data), Vec::<String>::new());
    let names: Vec<&Value> = warnings.iter().map(|warning| &warning["details"]["relationship"]).collect();
    assert_eq!(names, ["triggers", "mentions"]);
    assert_eq!(warning(&warnings, "VALIDATION_INCOMPLETE_WARNING")["details"]["direction"], "incoming");
    let (_, warnings) = answer(&server, ask("Agent", "bob", "outgoing", json!({}))).await;
    assert_eq!(warnings, Vec::<Value>::new());
}

/// X-rel-1 X-rel-7: both directions, two links far: what was found stays one node, what was walked stays one edge.
#[tokio::test]
async fn both_ways_and_further() {
    let (server, _api) = served(Setup::default()).await;
    let more = json!({"relationship": "uses", "depth": 2});
    let (data, _) = answer(&server, ask("Agent", "ada", "both", more)).await;
    assert_eq!(
        records(&data),
        [
            "uses outgoing Skill:read 1",
            "uses outgoing Skill:write 1",
            "uses incoming Agent:cyd 2",
            "uses incoming Agent:bob 2",
        ]
    );
    assert_eq!(nodes(&data), ["Agent:ada", "Skill:read", "Skill:write", "Agent:cyd", "Agent:bob"]);
    assert_eq!(edges(&data).len(), 4);
}

/// X-rel-1: one link far, unless more are asked for.
#[tokio::test]
async fn one_link_far() {
    let (server, _api) = served(Setup::default()).await;
    let from = |more: Value| ask("Agent", "ada", "outgoing", more);
    let (near, _) = answer(&server, from(json!({}))).await;
    let (one, _) = answer(&server, from(json!({"depth": 1}))).await;
    let (two, _) = answer(&server, from(json!({"depth": 2}))).await;
    assert_eq!(near, one);
    assert_eq!(records(&two)[..3], records(&one));
    assert_eq!(records(&two)[3..], ["uses outgoing Skill:write 2", "triggers outgoing Agent:ada 2"]);
}

/// X-rel-1: links of one type only, when one is asked for; a type that there is not is refused with those that there are.
#[tokio::test]
async fn one_type_of_link() {
    let (server, api) = served(Setup::default()).await;
    let only = |more: Value| ask("Agent", "ada", "outgoing", more);
    let (data, _) = answer(&server, only(json!({"relationship": "triggers"}))).await;
    assert_eq!(records(&data), ["triggers outgoing Agent:bob 1"]);
    let paths: Vec<String> = api.requests().iter().map(|request| request.path().to_owned()).collect();
    assert_eq!(paths, ["/agents/ada", "/agents/bob"], "no other link is followed");
    let unknown = server.error(only(json!({"relationship": "trigger"}))).await;
    assert_eq!(unknown["code"], "VALIDATION_INVALID_VALUE");
    assert!(unknown["message"].as_str().unwrap().contains("uses, triggers, mentions"), "{unknown}");
}

/// X-rel-7: a circle ends where it closes: each node once, the closing edge shown, no request twice.
#[tokio::test]
async fn circles_end() {
    let (server, api) = served(Setup::default()).await;
    let more = json!({"relationship": "triggers", "depth": 3});
    let (data, _) = answer(&server, ask("Agent", "ada", "outgoing", more.clone())).await;
    assert_eq!(records(&data), ["triggers outgoing Agent:bob 1", "triggers outgoing Agent:ada 2"]);
    assert_eq!(edges(&data), ["Agent:ada triggers Agent:bob", "Agent:bob triggers Agent:ada"]);
    assert_eq!(nodes(&data), ["Agent:ada", "Agent:bob"]);
    assert!(api.requests().len() <= 3, "{:?}", api.requests());
    let (data, _) = answer(&server, ask("Agent", "cyd", "outgoing", more)).await;
    assert_eq!(edges(&data), ["Agent:cyd triggers Agent:cyd"], "a link to itself");
    assert_eq!(nodes(&data), ["Agent:cyd"]);
}

/// X-rel-7: a depth beyond what the adapter allows is cut, and told.
#[tokio::test]
async fn the_deepest() {
    let (server, _api) = served(Setup::default()).await;
    let far = json!({"relationship": "uses", "depth": 9});
    let (_, warnings) = answer(&server, ask("Agent", "ada", "outgoing", far)).await;
    let clamped = warning(&warnings, "VALIDATION_TRUNCATED_WARNING");
    assert_eq!(clamped["details"]["field"], "depth");
    assert_eq!((&clamped["details"]["original_count"], &clamped["details"]["limit"]), (&json!(9), &json!(3)));
    let (_, warnings) = answer(&server, ask("Agent", "ada", "outgoing", json!({"depth": 3}))).await;
    assert_eq!(warnings, Vec::<Value>::new());
}

/// X-rel-2: a type without a way to read it starts from what the root itself says.
#[tokio::test]
async fn a_root_that_is_not_read() {
    let (server, api) = served(Setup::default()).await;
    let mut request = ask("Note", "7", "outgoing", json!({}));
    request["params"]["root"]["about"] = json!("cyd");
    let (data, _) = answer(&server, request).await;
    assert_eq!(records(&data), ["mentions outgoing Agent:cyd 1"]);
    assert_eq!(data["root"], json!({"element_type": "Note", "element_name": "7"}));
    assert_eq!(api.only_request().path(), "/agents/cyd");
    let (data, warnings) = answer(&server, ask("Note", "7", "outgoing", json!({}))).await;
    assert_eq!(records(&data), Vec::<String>::new());
    assert_eq!(warning(&warnings, "VALIDATION_SKIPPED_WARNING")["details"]["path"], "about");
}

/// What lists leave out of a thing is read when a link needs it.
#[tokio::test]
async fn things_are_read_when_needed() {
    let (server, api) = served(Setup::default()).await;
    let more = json!({"depth": 2, "relationship": "uses"});
    answer(&server, ask("Skill", "write", "incoming", more)).await;
    let read = |path: &str| api.requests().iter().filter(|request| request.path() == path).count();
    assert_eq!(read("/agents/ada"), 0, "the links of 'uses' need the name only");
    // From skill to agents, whose 'next' is not in the list, to those that they trigger.
    let more = json!({"depth": 2});
    let (data, _) = answer(&server, ask("Skill", "write", "both", more)).await;
    assert!(records(&data).contains(&"triggers outgoing Agent:bob 2".to_owned()), "{data}");
    assert!(records(&data).contains(&"triggers outgoing Agent:ada 2".to_owned()), "{data}");
}

/// A link to something that the API does not have is told; a root that it does not have is a failure.
#[tokio::test]
async fn links_to_nothing() {
    let (server, _api) = served(Setup::default()).await;
    let (data, warnings) = answer(&server, ask("Agent", "dan", "outgoing", json!({}))).await;
    assert_eq!(records(&data), Vec::<String>::new());
    let nowhere = warning(&warnings, "VALIDATION_SKIPPED_WARNING");
    assert_eq!(
        (&nowhere["details"]["relationship"], &nowhere["details"]["reason"]),
        (&json!("triggers"), &json!("not_found"))
    );
    let error = server.error(ask("Agent", "eve", "outgoing", json!({}))).await;
    assert_eq!(error["code"], "NOT_FOUND_RESOURCE");
}
