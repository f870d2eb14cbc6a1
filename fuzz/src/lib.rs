//! What several targets need: a server with operations of its own, and one thread to run it on.
//!
//! In: nothing. Out: a server in memory that reads, lists and deletes, and gives back what it was told to.

use aqueduct::serde_json::{Map, Value, json};
use aqueduct::{AccessControl, Aqueduct, HandlerError, OperationKind, OperationSpec};
use aqueduct_query::item::Item;
use jiff::Timestamp;
use std::sync::{LazyLock, Mutex};
use tokio::runtime::{Builder, Runtime};

/// One thread, on which every call runs to its end.
pub fn runtime() -> &'static Runtime {
    static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
        Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap_or_else(|error| panic!("no runtime: {error}"))
    });
    &RUNTIME
}

/// What the operations answer; null for something plain.
static ANSWER: Mutex<Value> = Mutex::new(Value::Null);

/// Lets the operations answer this from now on.
pub fn answer_with(value: Value) {
    if let Ok(mut answer) = ANSWER.lock() {
        *answer = value;
    }
}

/// An item of a list, at the beginning of time.
pub fn item(json: &str) -> Item<'_> {
    Item::new(json, &[], Timestamp::UNIX_EPOCH)
}

/// A server with a list, a READ, and a deletion that needs a confirmation.
pub fn server() -> &'static Aqueduct {
    static SERVER: LazyLock<Aqueduct> = LazyLock::new(|| {
        let built = [
            spec("list_notes", OperationKind::Query),
            spec("get_note", OperationKind::Query),
            spec("delete_note", OperationKind::Mutation),
        ]
        .into_iter()
        .fold(Aqueduct::builder(), |builder, spec| builder.operation(spec, answer));
        built.build().unwrap_or_else(|error| panic!("the server of the targets is wrong: {error}"))
    });
    &SERVER
}

async fn answer(values: Map<String, Value>) -> Result<Value, HandlerError> {
    let told = ANSWER.lock().map(|answer| answer.clone()).unwrap_or_default();
    if told.is_null() {
        return Ok(json!({ "items": [{ "id": 1, "text": "Water the plants" }], "given": values }));
    }
    Ok(told)
}

fn spec(name: &str, kind: OperationKind) -> OperationSpec {
    OperationSpec {
        name: name.to_owned(),
        namespace: "notes".to_owned(),
        version: "1.0.0".to_owned(),
        kind,
        description: format!("{name} of the notes"),
        input_schema: json!({
            "type": "object",
            "properties": {
                "id": { "type": "integer", "minimum": 0 },
                "text": { "type": "string", "pattern": "^[a-z ]*$" },
                "tags": { "type": "array", "items": { "type": "string" }, "maxItems": 4 },
            },
        }),
        output_schema: json!({}),
        access_control: AccessControl { required_scopes: Vec::new() },
    }
}
