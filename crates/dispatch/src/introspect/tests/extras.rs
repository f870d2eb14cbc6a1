//! The queries that are ours: `adapter_info`, `danger`, `capabilities`.
//!
//! They come beside the standard two and change nothing about them (ruling W2).

use super::ask;
use crate::Catalog;
use crate::test_server::{Setup, TestServer, adapter};
use aqueduct_operations::exposure::{Exposure, Glob};
use aqueduct_operations::gatekeeper::{GateDecision, Permission, PolicyRule, PolicyRules};
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

/// X-trust-15: everything that the author says of the trust is shown, with the level in force instead of the claim.
#[tokio::test]
async fn adapter_info_shows_the_whole_trust_block() {
    let (_, api) = TestServer::library().await;
    let said = json!({
        "level": "validated", "verified_by": "us", "verified_at": "2026-01-03", "generated_at": "2026-01-01T00:00:00Z",
        "generated_by": "gen", "validated_at": "2026-01-02T00:00:00Z", "validated_by": "me",
        "validation_report": {"tests_passed": 4, "tests_total": 5, "endpoints_verified": 2, "coverage_percent": 80},
        "promoted_from": "generated",
        "promotion_history": [{"from": "generated", "to": "validated", "at": "2026-01-02", "by": "me"}],
        "certification": null, "operation_overrides": {"ship": {"level": "generated", "reason": "not tried"}},
    });
    let text = format!(
        "trust: {said}\noperations: {{execute: [{{name: ship, maps_to: POST /ship, description: It ships}}]}}"
    );
    let text = adapter("shop", &api.base_url(), &text);
    let server = Setup::default().serve(std::slice::from_ref(&text));
    assert_eq!(ask(&server, json!({"query": "adapter_info"})).await["trust"], said);
    let server = Setup::trust("generated").serve(&[text]);
    let shown = ask(&server, json!({"query": "adapter_info"})).await["trust"].take();
    assert_eq!((&shown["level"], &shown["validated_at"]), (&json!("generated"), &said["validated_at"]));
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
    let info = super::super::extras::adapter_info(&catalog.common_view(), None);
    let states: Vec<_> = info["adapters"].as_array().unwrap().iter().map(|each| &each["state"]).collect();
    assert_eq!(states, ["ok", "stale", "partial", "failed"]);
    assert_eq!(info["adapters"][0].get("problems"), None);
    assert_eq!(info["adapters"][2]["withheld"], json!(["echo"]));
    assert_eq!(
        info["adapters"][1]["problems"],
        json!(["two-adapter.md:1:1: YAML_SYNTAX a bracket is missing"])
    );
    let failed = super::super::extras::adapter_info(&catalog.common_view(), Some("three"));
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

/// X-danger-22 X-danger-27 X-trust-16: the rule that decided is named, whatever it is: the level of the adapter, an override of
/// the operation's own, a pattern of the adapter, the adapter's wish, or a rule of the operator. Reasons are shown with it.
#[tokio::test]
async fn danger_names_the_rule() {
    let (_, api) = TestServer::library().await;
    let text = "trust: {level: community_reviewed, operation_overrides: {get_secret: {level: validated}, \
                delete_all_items: {level: certified}, ship_one: {level: validated}, send: {level: untested}}}\n\
                danger_patterns: {dangerous: ['ship_*']}\n\
                operations:\n  read:\n    - {name: get_secret, maps_to: GET /secret, description: It reads}\n  \
                delete:\n    - {name: delete_all_items, maps_to: DELETE /items, description: It empties}\n    \
                - {name: delete_item, maps_to: DELETE /item, description: It removes, danger: {level: destructive, reasons: [it is gone]}}\n  \
                execute:\n    - {name: ship_one, maps_to: POST /one, description: It ships}\n    \
                - {name: ship_two, maps_to: POST /two, description: It ships}\n    \
                - {name: send, maps_to: POST /send, description: It sends}\n    \
                - {name: print, maps_to: POST /print, description: It prints, requires_confirmation: true}";
    let loaded = |text: &str| {
        let text = adapter("shop", &api.base_url(), text);
        let outcome = aqueduct_adapter_files::load("shop-adapter.md", text.as_bytes(), &Default::default());
        Registry::build(vec![outcome.loaded.unwrap()], NamingScheme::Bare).unwrap()
    };
    let rule = PolicyRule {
        source: None,
        operation: Some(Glob::parse("delete_item").unwrap()),
        category: None,
        caller: None,
        params: Vec::new(),
        permission: Permission::Deny,
        reason: None,
    };
    for (rules, deleting) in [
        (PolicyRules::default(), "confirm trust community_reviewed, danger destructive (declared)"),
        (PolicyRules::new(vec![rule]), "deny policy rule 1: deny operation delete_item"),
    ] {
        let registry = loaded(text);
        let mut shown = Vec::new();
        for entry in registry.entries().iter().filter(|entry| entry.public_name != "introspect") {
            let decision = GateDecision::under(&rules, entry);
            shown.push(format!("{} {} {}", entry.public_name, decision.name(), decision.rule));
        }
        let expected = [
            "get_secret allow trust validated (operation override), danger safe (by the category READ)",
            "delete_all_items deny trust community_reviewed, danger forbidden (by the name pattern delete_all*)",
            &format!("delete_item {deleting}"),
            "ship_one deny trust validated (operation override), danger dangerous (by the adapter's name pattern ship_*)",
            "ship_two confirm trust community_reviewed, danger dangerous (by the adapter's name pattern ship_*)",
            "send deny trust untested (operation override) does not run EXECUTE",
            "print confirm the adapter asks for confirmation",
        ];
        assert_eq!(shown, expected);
    }
    let server = Setup::default().serve(&[adapter("shop", &api.base_url(), text)]);
    let one = ask(&server, json!({"query": "danger", "name": "delete_item"})).await["operation"].take();
    assert_eq!((&one["decision"], &one["reasons"]), (&json!("confirm"), &json!(["it is gone"])));
    let one = ask(&server, json!({"query": "danger", "name": "ship_two"})).await["operation"].take();
    assert_eq!(
        one["rule"],
        "trust community_reviewed, danger dangerous (by the adapter's name pattern ship_*)"
    );
}

/// X-trust-16: a call is refused by the level of its operation, with what would have to be changed; the operator's
/// `--trust` raises the adapter, not what its author trusts less.
#[tokio::test]
async fn overrides_hold_for_calls() {
    let (_, api) = TestServer::library().await;
    let text = "trust: {level: validated, operation_overrides: {print: {level: generated}}}\n\
                operations: {execute: [{name: print, maps_to: POST /print, description: It prints}]}";
    let text = adapter("shop", &api.base_url(), text);
    for setup in [Setup::default(), Setup::trust("certified")] {
        let server = setup.serve(std::slice::from_ref(&text));
        let error = server.error(json!({"operation": "print"})).await;
        assert_eq!(error["code"], "PERMISSION_TRUST_LEVEL_INSUFFICIENT", "{error}");
        assert_eq!(error["details"]["actual_trust"], "generated");
        assert_eq!(error["details"]["setting"], "trust.operation_overrides.print of the adapter file");
    }
    assert!(api.requests().is_empty());
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
