//! Faults, each of which breaks one rule of the specification, on a server with to-dos.
//!
//! A request and the right answer to it in; the answer with the fault in it out. The rule is the one that must be named by anyone who
//! judges the server, and no other.

mod answers;
mod behaviour;
mod changes;
mod envelopes;
mod introspection;
mod lists;
mod parameters;
mod tools;

use serde_json::{Value, json};
use std::sync::{Mutex, PoisonError};

/// The session that the right server has told of.
static SESSION: Mutex<Option<String>> = Mutex::new(None);

/// A fault.
pub struct Fault {
    /// Its name.
    pub name: &'static str,
    /// The rule that it breaks.
    pub rule: &'static str,
    /// Changes the answer to a request.
    pub change: fn(&Request, &mut Value),
}

/// A request of a client.
pub struct Request {
    method: String,
    tool: String,
    arguments: Value,
}

impl Request {
    /// Reads a message.
    pub fn read(message: &Value) -> Request {
        let params = &message["params"];
        Request {
            method: message["method"].as_str().unwrap_or_default().to_owned(),
            tool: params["name"].as_str().unwrap_or_default().to_owned(),
            arguments: params["arguments"].clone(),
        }
    }

    /// It calls this operation.
    fn calls(&self, operation: &str) -> bool {
        self.arguments["operation"] == operation
    }

    /// It asks introspection for this, with or without a name.
    fn asks(&self, query: &str, name: Option<&str>) -> bool {
        self.calls("introspect")
            && self.arguments["params"]["query"] == query
            && self.arguments["params"]["name"].as_str() == name
    }

    fn param(&self, name: &str) -> &Value {
        &self.arguments["params"][name]
    }
}

/// The operation result in an answer, changed.
fn inside(answer: &mut Value, change: impl FnOnce(&mut Value)) {
    let text = &mut answer["result"]["content"][0]["text"];
    let result = text.as_str().and_then(|text| serde_json::from_str::<Value>(text).ok());
    if let Some(mut result) = result {
        change(&mut result);
        *text = result.to_string().into();
    }
}

/// The result of an answer is this one, whatever it was.
fn instead(answer: &mut Value, result: Value) {
    inside(answer, |inside| *inside = result);
    answer["result"]["isError"] = false.into();
}

/// The answer is a refusal, with the session that the server's own refusals carry.
fn refuse(answer: &mut Value, code: &str, message: &str) {
    let session = SESSION.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let error = json!({"code": code, "message": message, "details": {"session_id": session}});
    instead(answer, json!({"success": false, "error": error}));
}

/// Keeps the session, if a right answer tells it.
pub fn keep_session(answer: &Value) {
    if let Some(session) = result(answer)["data"]["_protocol"]["session_id"].as_str() {
        *SESSION.lock().unwrap_or_else(PoisonError::into_inner) = Some(session.to_owned());
    }
}

fn result(answer: &Value) -> Value {
    let text = answer["result"]["content"][0]["text"].as_str().unwrap_or_default();
    serde_json::from_str(text).unwrap_or_default()
}

fn code(answer: &Value) -> String {
    result(answer)["error"]["code"].as_str().unwrap_or_default().to_owned()
}

fn tool<'a>(request: &Request, answer: &'a mut Value, name: &str) -> Option<&'a mut Value> {
    let is_list = request.method == "tools/list";
    answer["result"]["tools"].as_array_mut()?.iter_mut().find(|tool| is_list && tool["name"] == name)
}

/// All faults.
pub fn all() -> impl Iterator<Item = &'static Fault> {
    [
        introspection::FAULTS,
        parameters::FAULTS,
        answers::FAULTS,
        behaviour::FAULTS,
        changes::FAULTS,
        envelopes::FAULTS,
        lists::FAULTS,
        tools::FAULTS,
        tools::OF_ALL_MODES,
        tools::OF_THE_SAMPLE,
    ]
    .into_iter()
    .flatten()
}

impl Fault {
    /// What the right server serves: `{todos}` stands for the to-do list.
    pub fn served(&self) -> &'static str {
        let is_of = |faults: &[Fault]| faults.iter().any(|fault| fault.name == self.name);
        match () {
            () if is_of(tools::OF_ALL_MODES) => "{todos} --mode all",
            () if is_of(tools::OF_THE_SAMPLE) => "demo",
            () => "{todos}",
        }
    }
}

fn remove(value: &mut Value, name: &str) {
    if let Some(members) = value.as_object_mut() {
        members.shift_remove(name);
    }
}
