//! Types, listed and in detail.
//!
//! Every name that is used as a type can be looked up.

use super::{ask, detail, everything, names};
use crate::test_server::{Setup, adapter};
use serde_json::{Value, json};
use std::collections::HashSet;

/// C7.3-3 O9.3-3 R9.1-3 C9.2-1 X-intro-16: the protocol's types and the adapter's, each name once, with
/// kind and description alone.
#[tokio::test]
async fn the_list() {
    let (server, _api) = everything().await;
    let list = ask(&server, json!({"query": "types"})).await;
    let types = list["types"].as_array().unwrap();
    let find = |name: &str| types.iter().find(|each| each["name"] == name).cloned().unwrap_or_default();
    for (name, kind) in [
        ("SemanticCategory", "enum"),
        ("OperationInput", "object"),
        ("OperationResult", "union"),
        ("OperationSuccess", "object"),
        ("OperationFailure", "object"),
        ("EndpointPermissions", "object"),
        ("Genre", "enum"),
        ("Book", "object"),
        ("Holding", "union"),
        ("Isbn", "scalar"),
    ] {
        assert_eq!(find(name)["kind"], kind, "{name}");
    }
    assert_eq!(find("Genre"), json!({"name": "Genre", "kind": "enum", "description": "Kind of book"}));
    let distinct: HashSet<&str> = types.iter().map(|each| each["name"].as_str().unwrap()).collect();
    assert_eq!(distinct.len(), types.len());
}

/// X-intro-24: the six types of the protocol, each with its kind and its content, listed and in detail.
#[tokio::test]
async fn types_of_the_protocol() {
    let (server, _api) = everything().await;
    let list = ask(&server, json!({"query": "types"})).await;
    for (name, kind, content) in [
        ("SemanticCategory", "enum", json!({"values": ["CREATE", "READ", "UPDATE", "DELETE", "EXECUTE"]})),
        ("OperationInput", "object", json!({"fields": ["operation", "params"]})),
        ("OperationResult", "union", json!({"members": ["OperationSuccess", "OperationFailure"]})),
        ("OperationSuccess", "object", json!({"fields": ["success", "data", "warnings"]})),
        ("OperationFailure", "object", json!({"fields": ["success", "error"]})),
        ("EndpointPermissions", "object", json!({"fields": ["readOnly", "destructive"]})),
    ] {
        let listed = list["types"].as_array().unwrap().iter().find(|each| each["name"] == name).unwrap();
        let mut shown = ask(&server, json!({"query": "types", "name": name})).await["type"].take();
        assert_eq!((&listed["kind"], &shown["kind"]), (&json!(kind), &json!(kind)), "{name}");
        let shown = shown.as_object_mut().unwrap();
        if let Some(fields) = shown.get_mut("fields") {
            *fields = fields.as_array().unwrap().iter().map(|field| field["name"].clone()).collect();
        }
        shown.retain(|key, _| !["name", "kind", "description"].contains(&key.as_str()));
        assert_eq!(Value::Object(shown.clone()), content, "{name}");
    }
}

/// C7.3-4 O9.3-4 X-intro-17 C9.1-1 C9.1-2: each kind with its content.
#[tokio::test]
async fn details() {
    let (server, _api) = everything().await;
    for (name, key, content) in [
        ("SemanticCategory", "values", json!(["CREATE", "READ", "UPDATE", "DELETE", "EXECUTE"])),
        ("OperationResult", "members", json!(["OperationSuccess", "OperationFailure"])),
        ("Genre", "values", json!(["novel", "essay", "poetry"])),
        ("Holding", "members", json!(["Book", "Genre"])),
        (
            "Book",
            "fields",
            json!([
                {"name": "id", "type": "integer", "required": true, "description": "Its number"},
                {"name": "title", "type": "string", "required": false, "description": "Its title"},
            ]),
        ),
    ] {
        let shown = ask(&server, json!({"query": "types", "name": name})).await["type"].take();
        assert_eq!((&shown["name"], &shown[key]), (&json!(name), &content));
    }
    let scalar = ask(&server, json!({"query": "types", "name": "Isbn"})).await;
    assert_eq!(scalar, json!({"type": {"name": "Isbn", "kind": "scalar", "description": "Thirteen digits"}}));
    let input = ask(&server, json!({"query": "types", "name": "OperationInput"})).await["type"].take();
    let fields: Vec<(&Value, &Value)> = input["fields"]
        .as_array()
        .unwrap()
        .iter()
        .map(|field| (&field["name"], &field["required"]))
        .collect();
    assert_eq!(fields, [(&json!("operation"), &json!(true)), (&json!("params"), &json!(false))]);
}

/// X-intro-26 C9.2-1: every type that an operation returns, or that a union has as a member, can be looked up under the
/// same name and is of the same kind.
#[tokio::test]
async fn every_name_of_a_type_can_be_looked_up() {
    let (server, _api) = everything().await;
    let mut wanted: Vec<(Value, Option<Value>)> = Vec::new();
    for name in names(&server).await {
        let returns = detail(&server, &name).await["returns"].take();
        wanted.push((returns["name"].clone(), Some(returns["kind"].clone())));
    }
    let list = ask(&server, json!({"query": "types"})).await;
    for each in list["types"].as_array().unwrap() {
        wanted.push((each["name"].clone(), Some(each["kind"].clone())));
        let shown = ask(&server, json!({"query": "types", "name": each["name"]})).await["type"].take();
        let members = shown["members"].as_array().cloned().unwrap_or_default();
        wanted.extend(members.into_iter().map(|member| (member, None)));
    }
    assert!(wanted.len() > 30);
    for (name, kind) in wanted {
        let found = ask(&server, json!({"query": "types", "name": name})).await["type"].take();
        assert_eq!(found["name"], name);
        assert!(kind.is_none_or(|kind| found["kind"] == kind), "{name}");
    }
}

/// X-intro-10 X-intro-26 C9.2-1: a type that two sources declare is two types, each under a name of its own, everywhere; a bare name
/// works while it is unique, and a field of a declared type is shown with that type's name.
#[tokio::test]
async fn types_of_several_sources() {
    let (_, api) = everything().await;
    let of = |name: &str, values: &str, more: &str| {
        let operations =
            "operations:\n  read:\n    - {name: get_state, maps_to: GET /s, response: {type: State}}";
        adapter(
            name,
            &api.base_url(),
            &format!("types:\n  State: {{kind: enum, values: [{values}]}}\n{more}{operations}"),
        )
    };
    let pair = "  Pair: {kind: union, members: [State, State]}\n  Gate: {kind: object, fields: {now: {type: State}, \
                seen: {type: 'State[]'}}}\n";
    let server = Setup::default().serve(&[of("light", "on, off", ""), of("door", "open, shut", pair)]);
    for (name, values) in [("light__State", json!(["on", "off"])), ("door__State", json!(["open", "shut"]))] {
        let shown = ask(&server, json!({"query": "types", "name": name})).await["type"].take();
        assert_eq!((&shown["name"], &shown["values"]), (&json!(name), &values));
        let operation = name.replace("State", "get_state");
        assert_eq!(detail(&server, &operation).await["returns"]["name"], name);
    }
    let ambiguous = ask(&server, json!({"query": "types", "name": "State"})).await;
    assert_eq!(ambiguous, json!({"type": null}));
    let unique = ask(&server, json!({"query": "types", "name": "Pair"})).await["type"].take();
    assert_eq!(
        (&unique["name"], &unique["members"]),
        (&json!("door__Pair"), &json!(["door__State", "door__State"]))
    );
    let gate = ask(&server, json!({"query": "types", "name": "Gate"})).await["type"].take();
    let types: Vec<&Value> = gate["fields"].as_array().unwrap().iter().map(|field| &field["type"]).collect();
    assert_eq!(types, ["door__State", "door__State[]"], "a field names its type");
}

/// A type that is only named does not pretend that nothing is in it.
#[tokio::test]
async fn types_that_nobody_declared() {
    let (server, _api) = everything().await;
    let shown = ask(&server, json!({"query": "types", "name": "BookList"})).await["type"].take();
    assert_eq!(
        shown,
        json!({"name": "BookList", "kind": "object", "fields": [],
               "description": "Whatever the API answers; its fields are not declared"})
    );
}

/// X-fields-12: what `fields` and a batch take can be looked up as types.
#[tokio::test]
async fn types_of_the_query_language() {
    let (server, _api) = super::everything().await;
    let of = async |name: &str| {
        server.data(json!({"operation": "introspect", "params": {"query": "types", "name": name}})).await["type"].take()
    };
    let selection = of("FieldSelection").await;
    assert_eq!(selection["kind"], "object");
    let fields: Vec<(&str, &str, bool)> = selection["fields"]
        .as_array()
        .unwrap()
        .iter()
        .map(|f| (f["name"].as_str().unwrap(), f["type"].as_str().unwrap(), f["required"].as_bool().unwrap()))
        .collect();
    assert_eq!(
        fields,
        [("presets", "array", false), ("fields", "object", false), ("computed_fields", "array", false)]
    );
    assert_eq!(of("BatchInput").await["fields"][0]["name"], "operations");
    assert_eq!(of("PageInfo").await["fields"][0]["name"], "hasNextPage");
}
