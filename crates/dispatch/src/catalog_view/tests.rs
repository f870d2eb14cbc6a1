//! What a caller may not call is nowhere in what that caller gets.

use crate::Catalog;
use crate::catalog_view::CatalogView;
use crate::introspect::respond;
use crate::stages::route::suggestions;
use crate::test_server::adapter;
use aqueduct_operations::call::{Caller, Scopes, SessionId, ToolEndpoint};
use aqueduct_operations::exposure::{Exposure, Glob};
use aqueduct_operations::gatekeeper::{ParamCondition, Permission, PolicyRule, PolicyRules};
use aqueduct_operations::limits::Limits;
use aqueduct_operations::registry::{NamingScheme, Registry};
use aqueduct_source_kind::settings::SourceSettings;
use serde_json::{Value, json};
use std::sync::Arc;

const HOST: &str = r#"trust: {level: certified}
operations:
  read:
    - {name: list_things, maps_to: GET /things, description: "List things"}
    - {name: list_salaries, maps_to: GET /salaries, description: "List salaries"}
    - {name: list_audits, maps_to: GET /audits, description: "List audits", required_scopes: [audit]}
  delete:
    - {name: delete_thing, maps_to: "DELETE /things/{id}", description: "Delete a thing", params: {id: {type: integer, required: true}}}
    - {name: delete_salary, maps_to: "DELETE /salaries/{id}", description: "Delete a salary", params: {id: {type: integer, required: true}}}"#;

fn rule(operation: &str, caller: &str, permission: Permission) -> PolicyRule {
    PolicyRule {
        source: None,
        operation: Some(Glob::parse(operation).unwrap()),
        category: None,
        caller: Some(Glob::parse(caller).unwrap()),
        params: Vec::new(),
        permission,
        reason: None,
    }
}

fn catalog() -> Catalog {
    let rules = PolicyRules::new(vec![
        rule("*_salar*", "ada", Permission::Deny),
        rule("delete_thing", "bob", Permission::Allow),
    ]);
    let text = adapter("host", "http://127.0.0.1:9", HOST);
    let loaded = aqueduct_adapter_files::load("x-adapter.md", text.as_bytes(), &SourceSettings::default());
    let registry = Registry::build(vec![loaded.loaded.unwrap()], NamingScheme::Bare).unwrap();
    Catalog::under(Arc::new(rules), registry, Exposure::default(), &Limits::default())
}

fn ask(view: &CatalogView<'_>, params: Value) -> Value {
    let values = params.as_object().unwrap();
    let (data, warnings) = respond(view, values, &SessionId::new("session-1")).unwrap();
    let data: Value = serde_json::from_str(data.as_str()).unwrap();
    let offered: Vec<Value> =
        warnings.iter().filter_map(|warning| warning.details.get("suggestions").cloned()).collect();
    json!({"data": data, "offered": offered})
}

/// S1: operations that a rule denies to one caller are left out of everything that this caller gets, and counted.
#[test]
fn a_denied_caller_sees_nothing_of_it() {
    let catalog = catalog();
    let view = catalog.view_of(&Caller::named("ada"), &Scopes::unrestricted());
    for params in [
        json!({"query": "operations"}),
        json!({"query": "operations", "search": "list salaries", "first": 50}),
        json!({"query": "search", "search": "list salaries", "first": 50, "budget": 9_000}),
        json!({"query": "operations", "name": "list_salaries"}),
        json!({"query": "operations", "name": "list_salary"}),
        json!({"query": "danger"}),
    ] {
        let shown = ask(&view, params.clone());
        let text = shown["data"].to_string();
        assert!(!text.contains("salar") && !text.contains("Salar"), "{params}: {shown}");
        assert!(!shown["offered"].to_string().contains("salar"), "{shown}");
        // What is offered is something else, and not nothing.
        assert_eq!(shown["offered"] == json!([]), params.get("name").is_none(), "{shown}");
    }
    assert_eq!(ask(&view, json!({"query": "operations"}))["data"]["_protocol"]["hidden"], 2);
    assert_eq!(ask(&view, json!({"query": "adapter_info"}))["data"]["hidden"], 2);
    assert!(!suggestions(&view, "list_salary", &ToolEndpoint::Any).iter().any(|name| name.contains("salar")));
    assert!(view.topics(|_| true).iter().all(|group| !group.noun.contains("salar")));
    let common = catalog.view_of(&Caller::named("eve"), &Scopes::unrestricted());
    assert!(common.is_common());
    assert!(ask(&common, json!({"query": "operations"}))["data"].to_string().contains("list_salaries"));
}

/// A source of which a caller may call nothing is nowhere in what that caller gets.
#[test]
fn sources_of_which_nothing_may_be_called() {
    let secret = "trust: {level: certified}\ntypes:\n  Payslip: {kind: object, fields: {sum: {type: integer}}}\noperations:\n  read:\n    - {name: list_payslips, maps_to: GET /payslips, description: \"List payslips\", required_scopes: [hr]}";
    let load = |name: &str, blocks: &str| {
        let text = adapter(name, "http://127.0.0.1:9", blocks);
        aqueduct_adapter_files::load("x-adapter.md", text.as_bytes(), &SourceSettings::default())
            .loaded
            .unwrap()
    };
    let loaded = vec![load("host", HOST), load("payroll", secret)];
    let registry = Registry::build(loaded, NamingScheme::Namespaced).unwrap();
    let catalog = Catalog::under(Arc::default(), registry, Exposure::default(), &Limits::default());
    let text_for = |scopes: &Scopes| {
        let view = catalog.view_of(&Caller::named("eve"), scopes);
        let mut text = String::new();
        for params in [json!({"query": "types"}), json!({"query": "adapter_info"})] {
            text.push_str(&ask(&view, params).to_string());
        }
        let params = json!({"query": "operations", "source": "nothing"});
        let error = respond(&view, params.as_object().unwrap(), &SessionId::new("session-1")).unwrap_err();
        text + &format!("{error:?}")
    };
    let shown = text_for(&Scopes::none());
    assert!(shown.contains("host") && !shown.contains("payroll") && !shown.contains("ayslip"), "{shown}");
    let shown = text_for(&Scopes::unrestricted());
    assert!(shown.contains("payroll") && shown.contains("Payslip"), "{shown}");
}

/// S1: the plain list has no operation that needs a scope which the caller does not have.
#[test]
fn lists_respect_scopes() {
    let catalog = catalog();
    let view = catalog.view_of(&Caller::named("eve"), &Scopes::none());
    let list = ask(&view, json!({"query": "operations"}))["data"].clone();
    assert!(!list.to_string().contains("audit"), "{list}");
    assert_eq!(list["_protocol"]["hidden"], 1);
    assert!(ask(&view, json!({"query": "operations", "name": "list_audits"}))["data"]["operation"].is_null());
    let scopes = Scopes::only(["audit".to_owned()]);
    assert!(catalog.view_of(&Caller::named("eve"), &scopes).is_common());
}

/// What a rule lifts for one caller is told to that caller, and the list of the others stays as it is.
#[test]
fn decisions_of_one_caller() {
    let catalog = catalog();
    let line = |caller: &str| {
        let view = catalog.view_of(&Caller::named(caller), &Scopes::unrestricted());
        let list = ask(&view, json!({"query": "operations"}));
        let all = list["data"]["operations"].as_array().unwrap().clone();
        let found = all.into_iter().find(|each| each["name"] == "delete_thing").unwrap();
        found["description"].as_str().unwrap().to_owned()
    };
    assert_eq!(line("eve"), "Delete a thing. Destructive; needs confirmation.");
    assert_eq!(line("bob"), "Delete a thing");
    assert_eq!(line("eve"), "Delete a thing. Destructive; needs confirmation.");
}

/// What to call instead of a deprecated operation is told only to those who may call it, in lists, searches and details alike,
/// and by the name that they call it by. What is nowhere is not told to anyone.
#[test]
fn replacements_may_be_called() {
    let blocks = r#"trust: {level: certified}
operations:
  read:
    - {name: list_things, maps_to: GET /things, description: "List things", deprecated: {replacement: list_salaries}}
    - {name: list_parts, maps_to: GET /parts, description: "List parts", deprecated: {replacement: list_audits}}
    - {name: list_lost, maps_to: GET /lost, description: "List what is lost", deprecated: {replacement: list_nowhere}}
    - {name: list_salaries, maps_to: GET /salaries, description: "List salaries"}
    - {name: list_audits, maps_to: GET /audits, description: "List audits", required_scopes: [audit]}"#;
    let load = |name: &str| {
        let text = adapter(name, "http://127.0.0.1:9", blocks);
        aqueduct_adapter_files::load("x-adapter.md", text.as_bytes(), &SourceSettings::default())
            .loaded
            .unwrap()
    };
    let rules = Arc::new(PolicyRules::new(vec![rule("*_salar*", "ada", Permission::Deny)]));
    let registry = Registry::build(vec![load("host"), load("other")], NamingScheme::Namespaced).unwrap();
    let catalog = Catalog::under(rules, registry, Exposure::default(), &Limits::default());
    let told = |caller: &str, scopes: &Scopes| {
        let view = catalog.view_of(&Caller::named(caller), scopes);
        let mut text = String::new();
        for params in [
            json!({"query": "operations", "first": 50}),
            json!({"query": "search", "search": "list things and parts", "first": 20, "budget": 9_000}),
            json!({"query": "operations", "name": "host__list_things"}),
            json!({"query": "operations", "name": "host__list_parts"}),
            json!({"query": "operations", "name": "host__list_lost"}),
        ] {
            text.push_str(&ask(&view, params)["data"].to_string());
        }
        assert!(text.contains("Deprecated.") && !text.contains("nowhere"), "{text}");
        text
    };
    let everything = told("eve", &Scopes::unrestricted());
    assert_eq!(everything.matches("Deprecated: use host__list_salaries").count(), 3, "{everything}");
    assert!(everything.contains("Deprecated: use other__list_audits"), "{everything}");
    let denied = told("ada", &Scopes::unrestricted());
    assert!(!denied.contains("salaries") && denied.contains("use host__list_audits"), "{denied}");
    let out_of_scope = told("eve", &Scopes::none());
    assert!(
        !out_of_scope.contains("audits") && out_of_scope.contains("use host__list_salaries"),
        "{out_of_scope}"
    );
}

/// Only what reads, and can ask no one anything, for any caller and any values, runs without a look at its client.
#[test]
fn what_runs_unattended() {
    let blocks = format!(
        "{HOST}\n  create:\n    - {{name: create_thing, maps_to: POST /things, description: \"Create a thing\"}}"
    );
    let catalog = |rules: Vec<PolicyRule>, limits: &str| {
        let text = adapter("host", "http://127.0.0.1:9", &format!("{limits}{blocks}"));
        let loaded =
            aqueduct_adapter_files::load("x-adapter.md", text.as_bytes(), &SourceSettings::default());
        let registry = Registry::build(vec![loaded.loaded.unwrap()], NamingScheme::Bare).unwrap();
        Catalog::under(Arc::new(PolicyRules::new(rules)), registry, Exposure::default(), &Limits::default())
    };
    let plain = catalog(Vec::new(), "");
    for (name, is_so) in [
        ("list_things", true),
        ("introspect", true),
        ("create_thing", false),
        ("delete_thing", false),
        ("no_such_thing", false),
    ] {
        assert_eq!(plain.runs_unattended(name), is_so, "{name}");
    }
    let confirms = PolicyRule { caller: None, ..rule("list_things", "*", Permission::Confirm) };
    let by_value = PolicyRule {
        params: vec![ParamCondition { name: "first".to_owned(), values: vec![json!(7)] }],
        ..confirms.clone()
    };
    for rule in [confirms, by_value, rule("list_things", "bob", Permission::Confirm)] {
        let catalog = catalog(vec![rule.clone()], "");
        assert!(!catalog.runs_unattended("list_things"), "{rule:?}");
        assert!(catalog.runs_unattended("list_salaries"), "{rule:?}");
    }
    let quota = |more: &str| {
        format!("rate_limits: {{quotas: {{limits: [{{metric: requests_per_day, warn: 5{more}}}]}}}}\n")
    };
    assert!(!catalog(Vec::new(), &quota(", pause: 9")).runs_unattended("list_things"));
    assert!(catalog(Vec::new(), &quota("")).runs_unattended("list_things"), "a warning asks nothing");
}
