//! A label is held against what went out.

use super::Task;
use crate::agent::recorder::Sent;
use serde_json::json;

fn task(request: serde_json::Value) -> Task {
    let line = json!({
        "id": "1", "task": "", "search": "", "source": "shop", "method": "POST", "path": "/orders/{id}", "params": {}, "request": request,
    });
    Task::read(&line.to_string()).unwrap()
}

fn sent(method: &str, target: &str, is_form: bool, body: &str) -> Vec<Sent> {
    vec![Sent { method: method.to_owned(), target: target.to_owned(), is_form, body: body.to_owned() }]
}

#[test]
fn the_least_must_be_there() {
    let task = task(json!({"path": "/orders/7", "query": {"a": "1"}, "body": {"x": {"y": [1]}}}));
    assert_eq!(
        task.problem(&sent("POST", "/shop/orders/7?b=2&a=1", false, r#"{"x":{"y":[1],"z":2}}"#)),
        None
    );
    for wrong in [
        sent("POST", "/shop/orders/7?a=1", false, r#"{"x":{"y":[1,2]}}"#),
        sent("POST", "/shop/orders/7?a=2", false, r#"{"x":{"y":[1]}}"#),
        sent("POST", "/shop/orders/8?a=1", false, r#"{"x":{"y":[1]}}"#),
        sent("POST", "/other/orders/7?a=1", false, r#"{"x":{"y":[1]}}"#),
        Vec::new(),
    ] {
        assert!(task.problem(&wrong).is_some(), "{wrong:?}");
    }
}

#[test]
fn forms_are_compared_by_their_pairs() {
    let task = task(json!({"path": "/orders/7", "query": {}, "body": {"items[0][price]": "p 1"}}));
    assert_eq!(task.problem(&sent("POST", "/shop/orders/7", true, "items[][price]=p+1&more=1")), None);
    assert!(task.problem(&sent("POST", "/shop/orders/7", true, "items[][price]=p2")).is_some());
}
