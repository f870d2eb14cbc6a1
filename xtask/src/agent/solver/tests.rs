//! Which match the agent takes, and where it puts its values.

use super::{filled, fitting, takes_body};
use serde_json::{Value, json};

fn found(name: &str, required: Value, params: Value) -> Value {
    json!({"name": name, "required": required, "example": {"operation": name, "params": params}})
}

#[test]
fn a_match_must_be_fillable_and_take_the_most() {
    let matches = vec![
        found("close", json!({"shop": "string"}), json!({"shop": "x"})),
        found("list", json!({}), json!({})),
        found("get", json!({"id": "integer"}), json!({"id": 1})),
    ];
    let values = json!({"id": 7});
    let names: Vec<Value> =
        fitting(matches, values.as_object().unwrap()).iter().map(|found| found["name"].clone()).collect();
    assert_eq!(names, ["get"]);
}

#[test]
fn fields_of_an_update_go_into_input() {
    let update = found(
        "update",
        json!({"id": "integer", "input.title": "string"}),
        json!({"id": 1, "input": {"title": "x"}}),
    );
    let values = json!({"id": 7, "title": "Emma", "tags": ["novel"]});
    let params = filled(&update, values.as_object().unwrap());
    assert_eq!(params, json!({"id": 7, "input": {"title": "Emma", "tags": ["novel"]}}));
}

#[test]
fn a_whole_body_takes_what_has_no_other_place() {
    let create =
        found("create", json!({"shop": "string", "body": "Order"}), json!({"shop": "x", "body": {}}));
    let values = json!({"shop": "north", "title": "Emma"});
    let values = values.as_object().unwrap();
    assert_eq!(fitting(vec![create.clone()], values).len(), 1);
    assert_eq!(filled(&create, values), json!({"shop": "north", "body": {"title": "Emma"}}));
}

#[test]
fn a_refusal_teaches_of_a_body() {
    let create = found("create", json!({}), json!({}));
    assert!(takes_body(&create, "Unknown parameter(s): title. Valid parameters: shop, body, dry_run"));
    assert!(!takes_body(&create, "Unknown parameter(s): title. Valid parameters: shop, dry_run"));
}
