//! Handlers that gave no result, or one that says itself that it is a failure.
//!
//! The words of the other side go to the client, in one line and cut short; all of them are in the details, unless
//! they are too long for anyone. Words that show paths or a stack trace are in the details alone.

use super::limits::limited;
use super::{of_operation, with_some};
use aqueduct_operations::failure::leaks::shows_internals;
use aqueduct_operations::failure::{Code, Failure, wording};
use aqueduct_operations::handler::{Envelope, HandlerError};
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::sanitize;
use aqueduct_operations::size::is_large;
use aqueduct_operations::target::{HandlerKind, HandlerTarget, Target};
use serde_json::{Value, json};

/// Bytes of content up to which a failure shows all of it.
const MOST_CONTENT: usize = 32 * 1024;
/// Characters that are shown of longer texts, and blocks that are looked into for them.
const MOST_CHARACTERS: usize = 4_000;
const MOST_BLOCKS: usize = 100;

/// A handler gave no result.
pub fn handler(error: HandlerError, entry: &RegistryEntry) -> Failure {
    let source = speaker(entry);
    let failed = |code, message: &str, otherwise| in_the_words_of_others(code, message, otherwise);
    let failure = match error {
        HandlerError::Unavailable { message } => {
            failed(Code::TransportConnectionRefused, &message, "What runs the operation is not there now")
        }
        HandlerError::NotFound { message } => {
            failed(Code::NotFoundResource, &message, "There is no such thing").with("source", source)
        }
        HandlerError::Conflict { message } => {
            failed(Code::ConflictAlreadyExists, &message, "This is in conflict with what is there")
                .with("source", source)
        }
        HandlerError::Invalid { message, param } => {
            let failure = failed(Code::ValidationInvalidValue, &message, "A value is not right");
            with_some(failure.with("source", source), "param_name", param)
        }
        HandlerError::Withheld { message } => {
            failed(Code::PermissionDenied, &message, "The operator has not approved it")
        }
        HandlerError::Denied { message, details } => {
            let denied = failed(Code::PermissionDenied, &message, "It is not permitted");
            details.into_iter().fold(denied, |failure, (key, value)| failure.with(&key, value))
        }
        HandlerError::TooOften { message, retry_after_seconds } => {
            failed(Code::RateLimitExceeded, &message, "It was tried too often")
                .with("retry_after_seconds", retry_after_seconds)
        }
        HandlerError::Limited(refusal) => return limited(*refusal, entry),
        HandlerError::TimedOut { milliseconds } => Failure::new(
            Code::TransportTimeout,
            format!("No answer from '{}' within {milliseconds} ms", entry.source.name),
        )
        .with("timeout_ms", milliseconds),
        HandlerError::Refused { message } => {
            failed(Code::ValidationInvalidValue, &message, "The request was refused").with("source", source)
        }
        HandlerError::Failed { message, details } => {
            let failure = failed(Code::InternalError, &message, "The operation failed");
            with_some(failure.with("source", source), "content", details.as_ref().map(shown))
        }
    };
    // Of a program's own function every failure names it, that it is not there too.
    let failure = if is_own(entry) { failure.with("source", source) } else { failure };
    failure
        .with("operation", entry.public_name.as_str())
        .with("adapter", entry.source.name.as_str())
        .with("kind", HandlerError::CODE)
}

/// Whose words they are: another server's, or those of a source of this program, by its name.
fn speaker(entry: &RegistryEntry) -> &str {
    if is_own(entry) { &entry.source.name } else { "upstream" }
}

/// True for a function of the program that the library is part of.
fn is_own(entry: &RegistryEntry) -> bool {
    matches!(&entry.operation.target, Target::Handler(HandlerTarget { kind: HandlerKind::Function, .. }))
}

/// Families of codes by which our own gate speaks: another server's words in their place would be taken for ours.
const OF_THE_GATE: [&str; 4] = ["CONFIRMATION_", "TOKEN_", "PERMISSION_", "RATE_LIMIT_QUOTA_"];

/// A result that says itself that it is a failure (MCP's `isError`). A failure in our own form is passed on with its code,
/// unless that is one of the gate.
pub fn reported_failure(envelope: &Envelope, entry: &RegistryEntry) -> Failure {
    let data = shown(&envelope.data);
    let text = text_of(&data);
    if let Some(failure) = text.as_deref().and_then(passed_on) {
        return failure.with("operation", entry.public_name.as_str()).with("source", speaker(entry));
    }
    let text = text.as_deref().unwrap_or_default();
    let message = match line_of(text) {
        line if line.is_empty() => NO_WORDS.to_owned(),
        line if shows_internals(&line) => "The operation failed. Its own words are in 'content'.".to_owned(),
        line => line,
    };
    of_operation(entry, Code::InternalError, message)
        .with("kind", HandlerError::CODE)
        .with("source", speaker(entry))
        .with("content", data)
}

/// What is shown of the content of a failure: all of it, or when that is too long for anyone to read, the beginning of its
/// texts.
fn shown(content: &Value) -> Value {
    if !is_large(content, MOST_CONTENT) {
        return content.clone();
    }
    let beginning = |text: &str| text.chars().take(MOST_CHARACTERS).collect::<String>();
    let texts = match content {
        Value::String(text) => beginning(text),
        Value::Array(blocks) => {
            let texts = blocks.iter().filter_map(|block| block["text"].as_str());
            let texts: Vec<String> = texts.take(MOST_BLOCKS).map(beginning).collect();
            beginning(&texts.join(" "))
        }
        _ => String::new(),
    };
    json!([{"type": "text", "text": format!("{texts} [cut: the content of this failure is too long]")}])
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
    let code = error["code"].as_str().and_then(Code::parse)?;
    let is_ours = OF_THE_GATE.iter().any(|family| code.name().starts_with(family));
    let message = error["message"].as_str()?;
    let mut failure = if is_ours {
        in_the_words_of_others(Code::InternalError, message, NO_WORDS).with("upstream_code", code.name())
    } else {
        in_the_words_of_others(code, message, NO_WORDS)
    };
    if let Some(details) = error["details"].as_object() {
        let kept = details.iter().filter(|(key, _)| !is_of_a_token(key));
        failure.details.extend(kept.map(|(key, value)| (key.clone(), without_tokens(value))));
    }
    Some(failure)
}

/// Only our own gate hands out tokens.
fn is_of_a_token(key: &str) -> bool {
    let key = key.to_lowercase();
    ["token", "confirm", "approv"].iter().any(|part| key.contains(part))
}

fn without_tokens(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(without_tokens).collect(),
        Value::Object(members) => {
            let kept = members.iter().filter(|(key, _)| !is_of_a_token(key));
            Value::Object(kept.map(|(key, value)| (key.clone(), without_tokens(value))).collect())
        }
        other => other.clone(),
    }
}

/// Said for a failure that has no words.
const NO_WORDS: &str = "The operation failed and says no more";

/// A failure with the other side's message. A sentence of ours stands where there is none, and where it shows paths or a stack trace:
/// then it is in the details.
fn in_the_words_of_others(code: Code, text: &str, otherwise: &str) -> Failure {
    match line_of(text) {
        line if line.is_empty() => Failure::new(code, otherwise),
        line if shows_internals(&line) => {
            let opening = if otherwise == NO_WORDS { "The operation failed" } else { otherwise };
            Failure::new(code, format!("{opening}. Its own words are in 'upstream_error'."))
                .with("upstream_error", line)
        }
        line => Failure::new(code, line),
    }
}

/// The other side's message in one line, at most 300 characters.
fn line_of(text: &str) -> String {
    let beginning: String = text.chars().take(MOST_CHARACTERS).collect();
    wording::shortened(&sanitize::one_line(&beginning), 300)
}

#[cfg(test)]
mod tests;
