//! Handlers that gave no result, or one that says itself that it is a failure.
//!
//! The words of the other side go to the client, in one line and cut short; all of them are in the details.

use aqueduct_operations::failure::{Code, Failure, wording};
use aqueduct_operations::handler::{Envelope, HandlerError};
use aqueduct_operations::operation::Entry;
use serde_json::{Value, json};

/// A handler gave no result.
pub fn handler(error: HandlerError, entry: &Entry) -> Failure {
    let operation = entry.public_name.as_str();
    let failure = match error {
        HandlerError::Unavailable { message } => Failure::new(Code::TransportConnectionRefused, message),
        HandlerError::Withheld { message } => {
            Failure::new(Code::PermissionDenied, words(&message, "The operator has not approved it"))
        }
        HandlerError::TimedOut { milliseconds } => Failure::new(
            Code::TransportTimeout,
            format!("No answer from '{}' within {milliseconds} ms", entry.source.name),
        )
        .with("timeout_ms", milliseconds),
        HandlerError::Refused { message } => {
            let message = words(&message, "The other server refused the request");
            Failure::new(Code::ValidationInvalidValue, message).with("source", "upstream")
        }
        HandlerError::Failed { message, details } => {
            let message = words(&message, "The operation failed");
            let failure = Failure::new(Code::InternalError, message).with("source", "upstream");
            match details {
                Some(details) => failure.with("content", details),
                None => failure,
            }
        }
    };
    failure
        .with("operation", operation)
        .with("adapter", entry.source.name.as_str())
        .with("kind", HandlerError::CODE)
}

/// A result that says itself that it is a failure (MCP's `isError`). A failure in our own form is passed on as it is.
pub fn said_to_have_failed(envelope: &Envelope, entry: &Entry) -> Failure {
    let text = text_of(&envelope.data);
    if let Some(failure) = text.as_deref().and_then(passed_on) {
        return failure.with("operation", entry.public_name.as_str()).with("source", "upstream");
    }
    let message = words(text.as_deref().unwrap_or_default(), "The operation failed and says no more");
    Failure::new(Code::InternalError, message)
        .with("operation", entry.public_name.as_str())
        .with("kind", HandlerError::CODE)
        .with("source", "upstream")
        .with("content", envelope.data.clone())
}

/// The words of content blocks, or of a text.
fn text_of(data: &Value) -> Option<String> {
    match data {
        Value::String(text) => Some(text.clone()),
        Value::Array(blocks) => {
            let texts: Vec<&str> = blocks.iter().filter_map(|block| block["text"].as_str()).collect();
            (!texts.is_empty()).then(|| texts.join(" "))
        }
        Value::Object(_) => Some(data.to_string()),
        _ => None,
    }
}

/// The failure that a text holds, when it is one of an MCP-AQL server.
fn passed_on(text: &str) -> Option<Failure> {
    let reply: Value = serde_json::from_str(text).ok()?;
    let error = reply.get("error").filter(|_| reply["success"] == json!(false))?;
    let code = Code::ALL.iter().copied().find(|code| Some(code.name()) == error["code"].as_str())?;
    let mut failure = Failure::new(code, error["message"].as_str()?);
    if let Some(details) = error["details"].as_object() {
        failure.details.extend(details.clone());
    }
    Some(failure)
}

/// The other side's words in one line, at most 300 characters.
fn words(text: &str, otherwise: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.is_empty() { otherwise.to_owned() } else { wording::shortened(&line, 300) }
}
