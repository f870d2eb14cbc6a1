//! Searches over what OpenAPI documents declare.

use super::super::respond;
use crate::Catalog;
use aqueduct_operations::call::SessionId;
use aqueduct_operations::exposure::Exposure;
use aqueduct_operations::limits::Limits;
use aqueduct_operations::registry::{NamingScheme, Registry};
use aqueduct_source_kind::settings::SourceSettings;
use serde_json::{Value, json};

/// A body that must be sent, and has everything in the one object `data`, of which the document does not say that it must be there.
fn document() -> Value {
    let fields = json!({"assignee": {"type": "string"}, "completed": {"type": "boolean"}, "name": {"type": "string"}, "notes": {"type": "string"}});
    let task = json!({"allOf": [{"type": "object", "properties": {"due_on": {"type": "string"}}}, {"type": "object", "properties": fields}]});
    let body = json!({"required": true, "content": {"application/json": {"schema": {"type": "object", "properties": {"data": task}}}}});
    let answer = json!({"200": {"description": "ok"}});
    let holder = json!({"type": "object", "properties": {"name": {"type": "string"}}});
    let deployment = json!({"type": "object", "properties": {"api_version": {"type": "string"}, "kind": {"type": "string"}, "metadata": holder, "spec": {"type": "object", "properties": {"replicas": {"type": "integer"}}}, "state": {"type": "string"}}});
    let deployment = json!({"required": true, "content": {"application/json": {"schema": deployment}}});
    let labels =
        json!({"type": "object", "properties": {"labels": {"type": "array", "items": {"type": "string"}}}});
    let named =
        json!({"type": "object", "properties": {"labels": {"type": "array", "items": {"type": "object"}}}});
    let labels = json!({"content": {"application/json": {"schema": {"oneOf": [labels, {"type": "array", "items": {"type": "string"}}, named]}}}});
    let number = json!({"name": "number", "in": "path", "required": true, "schema": {"type": "integer"}});
    let long = json!({"name": "kind", "in": "query", "required": true, "schema": {"type": "string", "enum": ["c\nd", "x".repeat(2_000)]}});
    let gid = json!({"name": "gid", "in": "path", "required": true, "schema": {"type": "string"}});
    json!({
        "openapi": "3.0.0",
        "info": {"title": "Tasks", "version": "1"},
        "servers": [{"url": "http://127.0.0.1:9"}],
        "paths": {
            "/deployments": {"post": {"operationId": "createDeployment", "summary": "Create a deployment", "requestBody": deployment, "responses": answer}},
            "/issues/{number}/labels": {"post": {"operationId": "addLabels", "summary": "Add labels to an issue", "parameters": [number], "requestBody": labels, "responses": answer}},
            "/invoices/{number}": {"get": {"operationId": "getInvoice", "summary": "Get an invoice", "parameters": [number, long], "responses": answer}},
            "/tasks": {"post": {"operationId": "createTask", "summary": "Create a task", "requestBody": body, "responses": answer}},
            "/tasks/{gid}": {"put": {"operationId": "updateTask", "summary": "Update a task", "parameters": [gid], "requestBody": body, "responses": answer}}
        }
    })
}

fn found(request: &str) -> Value {
    let settings = SourceSettings {
        trust: Some(aqueduct_operations::trust::TrustLevel::Certified),
        ..SourceSettings::default()
    };
    let text = document().to_string();
    let loaded = aqueduct_openapi::load("tasks.json", text, &settings, None).loaded.unwrap();
    let registry = Registry::build(vec![loaded], NamingScheme::Bare).unwrap();
    let catalog = Catalog::build(registry, Exposure::default(), &Limits::default());
    let values = json!({"query": "search", "search": request, "first": 1});
    let answer = respond(&catalog.common_view(), values.as_object().unwrap(), &SessionId::new("s")).unwrap();
    let answer: Value = serde_json::from_str(answer.0.as_str()).unwrap();
    answer["matches"][0].clone()
}

/// X-intro-35: the object that is all there is to send is shown with its fields, and is in the example.
#[test]
fn one_object_is_all_there_is_to_send() {
    let create = found("create a task");
    assert_eq!(create["name"], "create_task", "{create}");
    assert_eq!(
        create["optional"],
        json!({"data": "object {name, due_on, assignee, completed, notes}"}),
        "{create}"
    );
    assert_eq!(create["example"]["params"], json!({"data": {"name": "name"}}), "{create}");
    let update = found("update a task");
    assert_eq!(update["name"], "update_task", "{update}");
    assert_eq!(update["example"]["params"], json!({"gid": "gid", "input": {"data": {}}}), "{update}");
    let shown = update["optional"]["input.data"].as_str().unwrap_or_default();
    assert!(shown.contains("completed"), "{update}");
}

/// A body that must be sent and requires no field is shown with those that say most of it, and has one of them in the example.
#[test]
fn a_body_without_required_fields() {
    let create = found("create a deployment");
    assert_eq!(create["name"], "create_deployment", "{create}");
    for field in ["metadata", "spec"] {
        assert!(create["optional"].get(field).is_some(), "{create}");
    }
    assert_eq!(create["example"]["params"], json!({"metadata": {"name": "name"}}), "{create}");
}

/// Of a body that may be several things, one is written out.
#[test]
fn a_body_of_several_kinds() {
    let labels = found("add labels to an issue");
    assert_eq!(labels["name"], "add_labels", "{labels}");
    let shown = labels["optional"]["body"].as_str().unwrap_or_default();
    assert_eq!(shown, "object {labels}", "{labels}");
    assert_eq!(labels["example"]["params"]["body"], json!({"labels": ["labels"]}), "{labels}");
}

/// A number that stands for another one is named as such; values of an enum are short and in one line.
#[test]
fn made_up_numbers_and_long_values() {
    let invoice = found("get an invoice");
    assert_eq!(invoice["placeholders"], json!(["number"]), "{invoice}");
    let kinds = invoice["required"]["kind"].as_str().unwrap();
    assert!(kinds.starts_with("c d | ") && kinds.len() < 100, "{kinds}");
    assert!(
        found("get invoice number 42").get("placeholders").is_none(),
        "{}",
        found("get invoice number 42")
    );
}
