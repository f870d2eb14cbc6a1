//! The queries that are ours: `adapter_info`, `danger`, `capabilities`.
//!
//! They come beside the standard two and change nothing about them (ruling W2).

use super::ask;
use crate::Catalog;
use crate::test_server::{Setup, TestServer, adapter};
use aqueduct_operations::exposure::Exposure;
use aqueduct_operations::limits::Limits;
use aqueduct_operations::registry::{LoadedSource, NamingScheme, Registry, SourceProblem};
use aqueduct_operations::source::Source;
use serde_json::json;

/// X-trust-15: what is behind the server, with its effective trust; several adapters in a list, or one by name.
#[tokio::test]
async fn adapter_info() {
    let (server, api) = TestServer::library().await;
    let info = ask(&server, json!({"query": "adapter_info"})).await;
    assert_eq!((&info["name"], &info["version"]), (&json!("library"), &json!("2.1.0")));
    assert_eq!(info["trust"], json!({"level": "validated"}));
    assert_eq!((&info["operations"], &info["hidden"]), (&json!(14), &json!(1)));
    assert_eq!((&info["author"], &info["state"]), (&json!("The library"), &json!("ok")));
    let text = include_str!("../../test_server/library-adapter.md");
    let body = text.rsplit_once("\n---\n").map(|(_, body)| body.trim()).unwrap();
    assert!(!body.is_empty());
    assert_eq!(info["documentation"], body, "what the author wrote for people");
    let raised = Setup::trust("certified").serve_library(&api);
    assert_eq!(ask(&raised, json!({"query": "adapter_info"})).await["trust"]["level"], "certified");
    let report = "trust: {level: validated, validated_at: \"2026-01-01T00:00:00Z\", validation_report: {tests_passed: 4, tests_total: 5}}\noperations: {}";
    let both = Setup::default()
        .serve(&[adapter("one", &api.base_url(), report), adapter("two", &api.base_url(), "operations: {}")]);
    let all = ask(&both, json!({"query": "adapter_info"})).await;
    assert_eq!(all["adapters"].as_array().unwrap().len(), 2);
    assert!(all["adapters"].as_array().unwrap().iter().all(|each| each.get("documentation").is_none()));
    let one = ask(&both, json!({"query": "adapter_info", "name": "one"})).await;
    assert_eq!(one["trust"]["validation_report"], json!({"tests_passed": 4, "tests_total": 5}));
}

/// Sources that are not as their files say: one that failed is listed besides the others, one that is stale says why.
#[test]
fn adapter_info_of_files_with_problems() {
    let trouble = |name: &str, is_served: bool| SourceProblem {
        name: name.to_owned(),
        is_served,
        problems: vec![format!("{name}-adapter.md:1:1: YAML_SYNTAX a bracket is missing")],
        withheld: Vec::new(),
    };
    let loaded = |name: &str| LoadedSource {
        source: Source { name: name.to_owned(), ..Source::built_in() },
        operations: Vec::new(),
    };
    let sources = vec![loaded("one"), loaded("two"), loaded("held")];
    let registry = Registry::build(sources, NamingScheme::Namespaced).unwrap();
    let held =
        SourceProblem { problems: Vec::new(), withheld: vec!["echo".to_owned()], ..trouble("held", true) };
    let registry = registry.with_problems(vec![trouble("two", true), trouble("three", false), held]);
    let catalog = Catalog::build(registry, Exposure::default(), &Limits::default());
    let info = super::super::extras::adapter_info(&catalog, None);
    let states: Vec<_> = info["adapters"].as_array().unwrap().iter().map(|each| &each["state"]).collect();
    assert_eq!(states, ["ok", "stale", "partial", "failed"]);
    assert_eq!(info["adapters"][0].get("problems"), None);
    assert_eq!(info["adapters"][2]["withheld"], json!(["echo"]));
    assert_eq!(
        info["adapters"][1]["problems"],
        json!(["two-adapter.md:1:1: YAML_SYNTAX a bracket is missing"])
    );
    let failed = super::super::extras::adapter_info(&catalog, Some("three"));
    let problems = json!(["three-adapter.md:1:1: YAML_SYNTAX a bracket is missing"]);
    assert_eq!(failed, json!({"name": "three", "state": "failed", "problems": problems}));
}

/// X-danger-26 O6.4-2: how dangerous each operation is, what the policy says and why.
#[tokio::test]
async fn danger() {
    let (server, _api) = TestServer::library().await;
    let one = ask(&server, json!({"query": "danger", "name": "delete_book"})).await["operation"].take();
    assert_eq!((&one["danger_level"], &one["decision"]), (&json!("destructive"), &json!("confirm")));
    assert_eq!(one["rule"], "trust validated, danger destructive (declared)");
    assert_eq!(one["reasons"], json!(["removes the book"]));
    let all = ask(&server, json!({"query": "danger"})).await;
    let levels: Vec<String> = all["operations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|each| {
            format!("{} {}", each["danger_level"].as_str().unwrap(), each["decision"].as_str().unwrap())
        })
        .collect();
    assert_eq!((levels[0].as_str(), levels[1].as_str()), ("reversible allow", "safe allow"));
    let reminder =
        ask(&server, json!({"query": "danger", "name": "send_reminder"})).await["operation"].take();
    assert_eq!(reminder["rule"], "the adapter asks for confirmation");
}

/// X-intro-35: what the server can do, as an answer of its own.
#[tokio::test]
async fn capabilities() {
    let (server, _api) = TestServer::library().await;
    let list = ask(&server, json!({"query": "operations"})).await;
    let shown = ask(&server, json!({"query": "capabilities"})).await;
    for key in ["capabilities", "mode", "profile", "concurrency"] {
        assert_eq!(shown[key], list["_protocol"][key], "{key}");
    }
    for (limit, value) in list["_protocol"]["limits"].as_object().unwrap() {
        assert_eq!(shown["limits"][limit], *value, "{limit}");
    }
    for limit in ["max_response_tokens", "max_batch_items", "max_gathered_items", "max_work_steps"] {
        assert!(shown["limits"][limit].is_u64(), "{limit}");
    }
}
