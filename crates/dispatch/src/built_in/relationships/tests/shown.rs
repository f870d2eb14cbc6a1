//! What is shown of a graph: parts, pages, as much as has room.
//!
//! The same question with other controls in, another part of the same answer out.

use super::{answer, ask, edges, nodes, records, served, warning};
use crate::test_server::{Setup, TestServer};
use aqueduct_operations::call::{Call, CallOrigin, Caller, Scopes, SessionId};
use aqueduct_query::measure;
use serde_json::{Value, json};

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

/// X-rel-3: only the parts that are asked for, and the root always.
#[tokio::test]
async fn parts() {
    let (server, api) = served(Setup::default()).await;
    let only = |parts: Value| ask("Agent", "ada", "outgoing", json!({"include": parts}));
    for (parts, members, of_graph) in [
        (json!(["root"]), &["root"][..], &[][..]),
        (json!(["relationships"]), &["root", "relationships"], &[]),
        (json!(["graph.nodes"]), &["root", "graph"], &["nodes"]),
        (json!(["graph.edges", "root"]), &["root", "graph"], &["edges"]),
        (
            json!(["relationships", "graph.nodes", "graph.edges"]),
            &["root", "relationships", "graph"],
            &["nodes", "edges"],
        ),
    ] {
        let (data, _) = answer(&server, only(parts.clone())).await;
        assert_eq!(keys(&data), members, "{parts}");
        if !of_graph.is_empty() {
            assert_eq!(keys(&data["graph"]), of_graph, "{parts}");
        }
    }
    let before = api.requests().len();
    answer(&server, only(json!(["root"]))).await;
    assert_eq!(api.requests().len(), before + 1, "nothing is followed for the root alone");
    let wrong = server.error(only(json!(["nodes"]))).await;
    assert_eq!(wrong["code"], "VALIDATION_INVALID_VALUE");
}

/// X-rel-1: `first` and `after` walk through the links, with the cursor in the warning; each page has its own nodes.
#[tokio::test]
async fn pages() {
    let (server, api) = served(Setup::default()).await;
    let (whole, _) = answer(&server, ask("Agent", "ada", "outgoing", json!({"depth": 2}))).await;
    let mut seen = Vec::new();
    let mut more = json!({"depth": 2, "first": 2});
    loop {
        let before = api.requests().len();
        let (data, warnings) = answer(&server, ask("Agent", "ada", "outgoing", more.clone())).await;
        if seen.is_empty() {
            assert_eq!(api.requests().len() - before, 3, "no request that the page does not need");
        }
        for edge in edges(&data) {
            for end in [edge.split(' ').next().unwrap(), edge.rsplit(' ').next().unwrap()] {
                assert!(nodes(&data).contains(&end), "{data}");
            }
        }
        assert_eq!(edges(&data).len(), records(&data).len());
        assert_eq!(nodes(&data)[0], "Agent:ada");
        seen.extend(records(&data));
        if warnings.is_empty() {
            break;
        }
        let cut = warning(&warnings, "VALIDATION_TRUNCATED_WARNING");
        assert_eq!(
            (&cut["details"]["field"], &cut["details"]["truncated_count"]),
            (&json!("relationships"), &json!(2))
        );
        more["after"] = cut["details"]["after"].clone();
    }
    assert_eq!(seen, records(&whole));
    assert_eq!(seen.len(), 5);
}

async fn cursor(server: &TestServer) -> Value {
    let (_, warnings) = answer(server, ask("Agent", "ada", "outgoing", json!({"first": 1}))).await;
    warning(&warnings, "VALIDATION_TRUNCATED_WARNING")["details"]["after"].clone()
}

/// X-page-14: a cursor of another question or another caller is refused.
#[tokio::test]
async fn foreign_cursors() {
    let (server, api) = served(Setup::default()).await;
    let cursor = cursor(&server).await;
    let after = |more: Value| {
        let mut request = ask("Agent", "ada", "outgoing", more);
        request["params"]["after"] = cursor.clone();
        request
    };
    answer(&server, after(json!({"first": 2, "include": ["relationships"]}))).await;
    let before = api.requests().len();
    for other in [
        json!({"root": {"element_type": "Agent", "element_name": "bob"}}),
        json!({"root": {"element_type": "Skill", "element_name": "ada"}}),
        json!({"root": {"element_type": "Agent", "element_name": "ada", "title": "T"}}),
        json!({"direction": "both"}),
        json!({"depth": 2}),
        json!({"relationship": "uses"}),
    ] {
        let error = server.error(after(other.clone())).await;
        assert_eq!(
            (&error["code"], &error["details"]["reason"]),
            (&json!("VALIDATION_INVALID_VALUE"), &json!("other_request")),
            "{other}"
        );
    }
    let error = server.error(ask("Agent", "ada", "outgoing", json!({"after": "x"}))).await;
    assert_eq!(
        (&error["details"]["param_name"], &error["details"]["reason"]),
        (&json!("after"), &json!("invalid"))
    );
    let Value::Object(arguments) = after(json!({})) else { panic!("an object") };
    let reply = server.dispatcher.call(Call {
        arguments,
        origin: CallOrigin::new(
            SessionId::new("session-2"),
            Caller::named("someone"),
            Scopes::unrestricted(),
        ),
    });
    assert!(reply.await.to_json().contains("other_request"));
    assert_eq!(api.requests().len(), before, "nothing was sent for them");
}

/// An answer is within the budget, cut between links, and can be gone on with.
#[tokio::test]
async fn budgets() {
    let (server, _api) = served(Setup::default()).await;
    let (whole, _) = answer(&server, ask("Agent", "ada", "outgoing", json!({"depth": 2}))).await;
    let size = measure::tokens(&whole.to_string());
    let budget = size - 20;
    let (data, warnings) =
        answer(&server, ask("Agent", "ada", "outgoing", json!({"depth": 2, "budget": budget}))).await;
    let reply = server.call(ask("Agent", "ada", "outgoing", json!({"depth": 2, "budget": budget}))).await;
    assert!(measure::tokens(&reply.to_string()) <= budget, "warning and cursor included");
    let given = records(&data);
    assert_eq!(given, records(&whole)[..given.len()]);
    assert!(!given.is_empty() && given.len() < 5, "{given:?}");
    let cut = warning(&warnings, "VALIDATION_TRUNCATED_WARNING");
    assert_eq!(cut["details"]["limit"], budget);
    let more = json!({"depth": 2, "after": cut["details"]["after"]});
    let (rest, _) = answer(&server, ask("Agent", "ada", "outgoing", more)).await;
    assert_eq!(records(&rest), records(&whole)[given.len()..]);
    let error = server.error(ask("Agent", "ada", "outgoing", json!({"budget": 20}))).await;
    assert_eq!(
        (&error["code"], &error["details"]["limit_type"]),
        (&json!("VALIDATION_PAYLOAD_TOO_LARGE"), &json!("budget"))
    );
}
