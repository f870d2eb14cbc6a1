//! A to-do list that remembers what it is told, for the to-do adapter and the to-do document of the examples.

use aqueduct_testkit::api::{Answer, FakeApi, Recorded};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// To-dos by their numbers.
type Todos = Arc<Mutex<BTreeMap<u64, Value>>>;

/// A running list, with five to-dos in it.
pub struct TodoApi {
    pub api: FakeApi,
    todos: Todos,
}

impl TodoApi {
    pub async fn start() -> TodoApi {
        let todo = |id: u64| {
            (
                id,
                json!({"id": id.to_string(), "title": format!("Thing {id}"), "done": id.is_multiple_of(2), "due": "2026-03-01"}),
            )
        };
        let todos: Todos = Arc::new(Mutex::new((1..=5).map(todo).collect()));
        let kept = Arc::clone(&todos);
        TodoApi { api: FakeApi::start(move |request| answer(request, &kept)).await, todos }
    }

    /// The numbers of the to-dos that are there.
    pub fn numbers(&self) -> Vec<u64> {
        self.todos.lock().unwrap().keys().copied().collect()
    }

    /// The requests that changed something.
    pub fn changes(&self) -> usize {
        self.api.requests().iter().filter(|request| request.method != "GET").count()
    }
}

fn answer(request: &Recorded, todos: &Todos) -> Answer {
    let mut todos = todos.lock().unwrap();
    let path = request.path().trim_start_matches("/todos").trim_start_matches('/').to_owned();
    let number: Option<u64> = path.parse().ok();
    let body: Value = serde_json::from_str(&request.body_text()).unwrap_or_default();
    match (request.method.as_str(), number) {
        ("GET", None) if path.is_empty() => {
            let done =
                request.query().and_then(|query| query.strip_prefix("done=")).map(|done| done == "true");
            let is_wanted = |todo: &&Value| done.is_none_or(|done| todo["done"] == done);
            Answer::json(200, todos.values().filter(is_wanted).cloned().collect::<Vec<Value>>().into())
        }
        ("POST", None) if path.is_empty() => {
            let number = todos.keys().max().map_or(1, |last| last + 1);
            let mut todo = json!({"id": number.to_string(), "done": false});
            merge(&mut todo, &body);
            todos.insert(number, todo.clone());
            Answer::json(201, todo)
        }
        ("GET", Some(number)) if todos.contains_key(&number) => Answer::json(200, todos[&number].clone()),
        ("PATCH", Some(number)) if todos.contains_key(&number) => {
            let todo = todos.entry(number).or_default();
            merge(todo, &body);
            Answer::json(200, todo.clone())
        }
        ("DELETE", Some(number)) if todos.remove(&number).is_some() => Answer::json(200, json!({})),
        _ => Answer::json(404, json!({"error": "no such to-do"})),
    }
}

fn merge(todo: &mut Value, changes: &Value) {
    for (name, value) in changes.as_object().into_iter().flatten() {
        todo[name] = value.clone();
    }
}
