//! One request and its answer.
//!
//! The result of `tools/call` in; the operation result inside its text block out, with what is wrong about the block itself.

use crate::server::CallFailure;
use crate::shapes::is_code;
use serde_json::{Map, Value};
use std::sync::LazyLock;

/// The longest part of a request or an answer that a finding shows.
const MOST_SHOWN: usize = 600;

static NULL: LazyLock<Value> = LazyLock::new(|| Value::Null);

/// A request and what came back.
#[derive(Debug, Clone)]
pub(crate) struct Exchange {
    /// The tool that was called.
    pub tool: String,
    /// Its arguments.
    pub arguments: Map<String, Value>,
    /// What came back.
    pub answer: Received,
}

/// What came back.
#[derive(Debug, Clone)]
pub(crate) enum Received {
    /// A tool result.
    Tool {
        /// The operation result in it; nothing when there is none.
        result: Option<Value>,
        /// What is wrong about the tool result itself.
        problem: Option<String>,
        /// Its `isError`.
        is_error: Option<bool>,
        /// The beginning of it as it came.
        beginning: String,
    },
    /// A part of the list of tools.
    Listed(Value),
    /// No tool result.
    Failed(CallFailure),
    /// The run was stopped before it was sent.
    NotSent,
}

impl Received {
    /// Reads what a call gave.
    pub fn read(outcome: Result<Value, CallFailure>) -> Received {
        let raw = match outcome {
            Ok(raw) => raw,
            Err(failure) => return Received::Failed(failure),
        };
        let is_error = raw.get("isError").and_then(Value::as_bool);
        let blocks = raw.get("content").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let text = blocks.iter().find_map(|block| block.get("text").and_then(Value::as_str));
        let result: Option<Value> = text.and_then(|text| serde_json::from_str(text).ok());
        let problem = match (blocks, &result) {
            ([_], Some(Value::Object(_))) => None,
            ([_], Some(_)) => Some("its text is JSON, but no object".to_owned()),
            ([_], None) => Some("its block holds no JSON text".to_owned()),
            (blocks, _) => Some(format!("it has {} content blocks, not one", blocks.len())),
        };
        let beginning = shortened(&raw.to_string());
        Received::Tool { result, problem, is_error, beginning }
    }
}

impl Exchange {
    /// The operation result; null when there is none.
    pub fn result(&self) -> &Value {
        match &self.answer {
            Received::Tool { result: Some(result), .. } => result,
            _ => &NULL,
        }
    }

    /// The data of a success; null when there is none.
    pub fn data(&self) -> &Value {
        &self.result()["data"]
    }

    /// The call has been carried out.
    pub fn is_success(&self) -> bool {
        self.result()["success"] == true
    }

    /// The server refused it, as the specification says how.
    pub fn is_failure(&self) -> bool {
        self.result()["success"] == false
    }

    /// The answer cannot be judged by what is in it: there is no operation result, it does not say whether it is a success, or its
    /// error has no code and no words. That is told by the tests of the envelope, and by no other.
    pub fn is_malformed(&self) -> bool {
        let result = self.result();
        match result["success"].as_bool() {
            _ if matches!(self.answer, Received::Listed(_)) => false,
            Some(true) => false,
            Some(false) => {
                let error = &result["error"];
                !error["code"].as_str().is_some_and(is_code)
                    || error["message"].as_str().is_none_or(|words| words.trim().is_empty())
            }
            None => true,
        }
    }

    /// It was sent, and whether it was carried out is unknown: there was no answer, none that says so, or one that tells of a failure in
    /// the midst of it.
    pub fn is_in_doubt(&self) -> bool {
        match &self.answer {
            Received::Failed(failure) => matches!(failure, CallFailure::NoAnswer(_)),
            Received::Tool { .. } if self.is_failure() => {
                let has_begun = ["INTERNAL_ERROR", "TRANSPORT_TIMEOUT", "TRANSPORT_NETWORK_ERROR"];
                has_begun.contains(&self.code())
                    || self.code().starts_with("SERIALIZATION_")
                    || self.details()["http_status"].as_u64().is_some_and(|status| status >= 500)
            }
            Received::Tool { .. } => !self.is_success(),
            Received::Listed(_) | Received::NotSent => false,
        }
    }

    /// The code of a failure.
    pub fn code(&self) -> &str {
        self.result()["error"]["code"].as_str().unwrap_or_default()
    }

    /// The words of a failure.
    pub fn message(&self) -> &str {
        self.result()["error"]["message"].as_str().unwrap_or_default()
    }

    /// The details of a failure.
    pub fn details(&self) -> &Value {
        &self.result()["error"]["details"]
    }

    /// The operation that was asked for.
    pub fn operation(&self) -> &str {
        self.arguments.get("operation").and_then(Value::as_str).unwrap_or_default()
    }

    /// True when the server refuses a parameter because it does not know it.
    pub fn refuses_as_unknown(&self, parameter: &str) -> bool {
        let listed = self.details()["unknown_params"].as_array();
        if let Some(listed) = listed {
            return listed.iter().any(|name| name == parameter);
        }
        self.is_failure() && self.code() == "VALIDATION_UNKNOWN_PARAM" && self.message().contains(parameter)
    }

    /// The request as a finding shows it.
    pub fn shown_request(&self) -> String {
        format!("{} {}", self.tool, shortened(&Value::Object(self.arguments.clone()).to_string()))
    }

    /// The answer as a finding shows it.
    pub fn shown_answer(&self) -> String {
        match &self.answer {
            Received::Failed(failure) => failure.to_string(),
            Received::NotSent => "nothing: the run was stopped".to_owned(),
            Received::Listed(tool) => shortened(&tool.to_string()),
            Received::Tool { result: Some(result), is_error, .. } => {
                let mark = if *is_error == Some(true) { "isError " } else { "" };
                format!("{mark}{}", shortened(&result.to_string()))
            }
            Received::Tool { beginning, .. } => {
                format!("a tool result without an operation result: {beginning}")
            }
        }
    }
}

/// The beginning of a text, with a sign that something follows.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
