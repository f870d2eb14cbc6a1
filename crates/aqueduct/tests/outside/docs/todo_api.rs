//! The server that the documents call: a to-do list and a note or two, with nothing in it that changes.

use aqueduct_testkit::api::{Answer, FakeApi, Recorded};
use serde_json::{Value, json};

/// Starts it.
pub async fn start() -> FakeApi {
    FakeApi::start(answer).await
}

fn answer(request: &Recorded) -> Answer {
    let milk = json!({"id": "1", "title": "Buy milk", "done": false});
    let rent = json!({"id": "2", "title": "Pay the rent", "done": true});
    match (request.method.as_str(), request.path()) {
        ("GET", "/todos") if request.query() == Some("done=false") => Answer::json(200, json!([milk])),
        ("GET", "/todos") => Answer::json(200, json!([milk, rent])),
        ("GET", "/todos/1") => Answer::json(200, milk),
        ("GET", "/todos/page") => Answer::html(200, "<html><body>Sign in</body></html>"),
        ("PATCH", "/todos/1") => Answer::json(200, merged(milk, &request.body_text())),
        ("POST", "/todos") => Answer::json(201, merged(json!({"id": "3"}), &request.body_text())),
        ("DELETE", "/todos/1") => Answer::json(200, json!({})),
        ("GET", "/notes.json") => Answer::json(200, json!([{"id": 1, "text": "Water the plants"}])),
        ("GET", "/notes/1.json") => Answer::json(200, json!({"id": 1, "text": "Water the plants"})),
        _ => Answer::json(404, json!({"message": "no such thing"})),
    }
}

fn merged(mut stored: Value, body: &str) -> Value {
    let Ok(Value::Object(changes)) = serde_json::from_str(body) else { return stored };
    for (key, value) in changes {
        stored[key] = value;
    }
    stored
}
