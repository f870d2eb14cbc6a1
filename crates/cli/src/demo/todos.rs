//! The to-do list that the samples call: an API with two things to do, on the address that it is given.
//!
//! Everything is in memory: what was changed is gone when the process ends.

use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::routing::get;
use axum::{Json, Router};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::net::TcpListener;

/// To-dos by their numbers. A handler that panicked leaves nothing half done.
#[derive(Debug, Default, Clone)]
struct TodoList(Arc<Mutex<BTreeMap<u64, Value>>>);

impl TodoList {
    fn todos(&self) -> MutexGuard<'_, BTreeMap<u64, Value>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

type Answer = (StatusCode, Json<Value>);

/// Serves the list until the process ends.
pub async fn serve(listener: TcpListener) -> std::io::Result<()> {
    let list = TodoList::default();
    list.todos().extend([
        (1, json!({"id": "1", "title": "Buy milk", "done": false})),
        (2, json!({"id": "2", "title": "Pay the rent", "done": true})),
    ]);
    let router = Router::new()
        .route("/todos", get(all).post(add))
        .route("/todos/{id}", get(one).patch(change).delete(remove))
        .with_state(list);
    axum::serve(listener, router).await
}

async fn all(State(list): State<TodoList>, Query(query): Query<HashMap<String, String>>) -> Json<Value> {
    let done = query.get("done").map(|done| done == "true");
    let todos = list.todos();
    let wanted = todos.values().filter(|todo| done.is_none_or(|done| todo["done"] == done));
    Json(wanted.cloned().collect())
}

async fn add(State(list): State<TodoList>, Json(given): Json<Value>) -> Answer {
    let mut todos = list.todos();
    let number = todos.last_key_value().map_or(1, |(last, _)| last + 1);
    let mut todo = json!({"id": null, "title": "", "done": false});
    merge(&mut todo, &given);
    todo["id"] = number.to_string().into();
    todos.insert(number, todo.clone());
    (StatusCode::CREATED, Json(todo))
}

async fn one(State(list): State<TodoList>, Path(id): Path<u64>) -> Answer {
    list.todos().get(&id).map_or_else(missing, |todo| (StatusCode::OK, Json(todo.clone())))
}

async fn change(State(list): State<TodoList>, Path(id): Path<u64>, Json(given): Json<Value>) -> Answer {
    let mut todos = list.todos();
    let Some(todo) = todos.get_mut(&id) else { return missing() };
    merge(todo, &given);
    todo["id"] = id.to_string().into();
    (StatusCode::OK, Json(todo.clone()))
}

async fn remove(State(list): State<TodoList>, Path(id): Path<u64>) -> Answer {
    list.todos().remove(&id).map_or_else(missing, |_| (StatusCode::OK, Json(json!({}))))
}

fn missing() -> Answer {
    (StatusCode::NOT_FOUND, Json(json!({"message": "There is no such to-do."})))
}

/// What is given replaces what was there; null takes it away.
fn merge(todo: &mut Value, given: &Value) {
    let Some(todo) = todo.as_object_mut() else { return };
    for (name, value) in given.as_object().into_iter().flatten() {
        if value.is_null() {
            todo.shift_remove(name);
        } else {
            todo.insert(name.clone(), value.clone());
        }
    }
}
