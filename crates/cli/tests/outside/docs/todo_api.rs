//! The server that the documents call: a to-do list with an export of it, a note or two and the opening hours of a library,
//! with nothing in it that changes. The hours have a version.

use aqueduct_testkit::api::{Answer, FakeApi, Recorded};
use serde_json::{Value, json};

/// Starts it.
pub async fn start() -> FakeApi {
    FakeApi::start(answer).await
}

const HOURS_VERSION: &str = "\"v7\"";

fn answer(request: &Recorded) -> Answer {
    let hours = json!({"opens": "09:00", "closes": "18:00", "notes": {"summer": "closed in August", "doors": "north side"}});
    let milk = json!({"id": "1", "title": "Buy milk", "done": false});
    let rent = json!({"id": "2", "title": "Pay the rent", "done": true});
    match (request.method.as_str(), request.path()) {
        ("GET", "/todos") if request.query() == Some("done=false") => Answer::json(200, json!([milk])),
        ("GET", "/todos") => Answer::json(200, json!([milk, rent])),
        ("GET", "/todos/1") => Answer::json(200, milk),
        ("GET", "/todos/page") => Answer::html(200, "<html><body>Sign in</body></html>"),
        ("PATCH", "/todos/1") => Answer::json(200, merged(milk, &request.body_text())),
        ("POST", "/todos") => Answer::json(201, merged(json!({"id": "3"}), &request.body_text())),
        ("GET", "/hours") => Answer::json(200, hours).header("ETag", HOURS_VERSION),
        ("PUT", "/hours") if request.header("If-Match") != Some(HOURS_VERSION) => {
            Answer::json(412, json!({"message": "the hours have changed"}))
        }
        ("PUT", "/hours") => Answer::json(200, request.json()).header("ETag", "\"v8\""),
        ("DELETE", "/todos/1") => Answer::json(200, json!({})),
        ("POST", "/exports") => {
            Answer::json(202, json!({"id": "e1", "state": "running", "done": 0, "of": 2}))
        }
        ("GET", "/exports/e1") => {
            Answer::json(200, json!({"id": "e1", "state": "finished", "done": 2, "of": 2}))
        }
        ("GET", "/exports/e1/rows") => Answer::json(200, json!([milk, rent])),
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
