//! What `introspect` answers: the closed shapes, and that they say what is true.

mod documents;
mod extras;
mod lists;
mod mistakes;
mod operations;
mod searches;
mod shapes;
mod types;

use crate::test_server::{Setup, TestServer};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};

/// Asks and gives the data.
async fn ask(server: &TestServer, params: Value) -> Value {
    server.data(json!({"operation": "introspect", "params": params})).await
}

/// The details of one operation.
async fn detail(server: &TestServer, name: &str) -> Value {
    ask(server, json!({"query": "operations", "name": name})).await["operation"].take()
}

/// The names of every listed operation.
async fn names(server: &TestServer) -> Vec<String> {
    let list = ask(server, json!({"query": "operations"})).await;
    let operations = list["operations"].as_array().unwrap();
    operations.iter().map(|each| each["name"].as_str().unwrap().to_owned()).collect()
}

/// The sample at the level of trust that hides nothing.
async fn everything() -> (TestServer, FakeApi) {
    let api = FakeApi::always(Answer::json(200, json!({"ok": true}))).await;
    (Setup::trust("certified").serve_library(&api), api)
}
