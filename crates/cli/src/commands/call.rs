//! `call`: one operation, its whole result printed. Where a person must confirm, the person at the terminal is asked.
//!
//! Words in; the answer on stdout and exit code 0, 1 (it failed) or 2 (the input was wrong, nothing was sent) out. Without
//! a terminal nothing is ever confirmed.

mod execution;
mod json_input;
mod question;

pub(super) use json_input::too_deep;

use super::indented::indented;
use super::{build_quietly, key_value, runtime, terminal_safe_json};
use crate::cli::SourceArgs;
use crate::config::{self, WithoutStore};
use crate::demo;
use crate::progress::ProgressLine;
use crate::report::{self, CommandError, Exit};
use aqueduct::tooling::ServerNeed;
use aqueduct_operations::call::{Call, CallOrigin, SessionId};
use aqueduct_operations::failure::{Code, Failure};
use aqueduct_operations::naming::is_snake_case;
use aqueduct_operations::progress::{Progress, ProgressListener};
use aqueduct_operations::reply::Reply;
use question::PersonAnswer;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Calls one operation.
pub fn call(words: Vec<String>, json: Option<String>, shared: &SourceArgs) -> Result<Exit, CommandError> {
    let at = operation_index(&words).ok_or_else(no_operation)?;
    let sources: Vec<PathBuf> = words[..at].iter().map(PathBuf::from).collect();
    let operation = &words[at];
    let config = config::resolve(shared, &sources)?;
    if !config.builder.has_sources() && is_sample(operation) {
        return Err(no_operation());
    }
    let config = config::with_store(config, shared, WithoutStore::Accepted)?;
    let machine = config.http.machine.as_ref().map(|name| format!("_{name}")).unwrap_or_default();
    let aqueduct = build_quietly(config.builder.need(ServerNeed::Operation(operation.clone())))?;
    let catalog = aqueduct.catalog();
    let entry = catalog.find(operation).map(|(_, entry, _)| entry);
    let mut params = key_value::read(&words[at + 1..], entry)?;
    key_value::fill(&mut params, json.map(json_input::read).transpose()?.unwrap_or_default());
    let runtime = runtime()?;
    // The same for the next call from here, so that it can be repeated when an operator has approved it.
    let session = SessionId::new(format!("sess_terminal{machine}"));
    let run = |params: Map<String, Value>| {
        // Kept until the answer arrives; dropped before the person is asked something.
        let progress = Arc::new(CallProgress(ProgressLine::new(&format!("calling {operation}"))));
        let mut arguments = Map::new();
        arguments.insert("operation".to_owned(), operation.as_str().into());
        arguments.insert("params".to_owned(), Value::Object(params));
        runtime.block_on(aqueduct.call(Call {
            arguments,
            origin: CallOrigin {
                progress: Some(Arc::clone(&progress) as Arc<dyn ProgressListener>),
                ..CallOrigin::local(session.clone())
            },
        }))
    };
    let reply = match run(params.clone()) {
        Reply::Failure(failure) if failure.code == Code::ConfirmationRequired => {
            match question::ask(failure) {
                PersonAnswer::Yes(token) => {
                    // The other spelling may be a parameter of the operation.
                    params.insert("_confirmation".to_owned(), token);
                    run(params)
                }
                PersonAnswer::No(failure) => Reply::Failure(failure),
            }
        }
        reply => reply,
    };
    let reply = match entry.and_then(|entry| entry.operation.lifecycle.as_deref()) {
        Some(rule) if !rule.detached => runtime.block_on(execution::waited_for(&aqueduct, &session, reply)),
        _ => reply,
    };
    runtime.block_on(aqueduct.settle());
    print(&reply)?;
    Ok(exit_of(&reply))
}

/// Shows on the terminal how far a call is.
#[derive(Debug)]
struct CallProgress(ProgressLine);

impl ProgressListener for CallProgress {
    fn on_progress(&self, progress: Progress) {
        self.0.set(&progress.message, 0, 0);
    }
}

/// Where the operation stands: the first word that has its form, is no file and is not the sample's. An operation may be
/// called like the sample, so that word is taken when there is no other.
fn operation_index(words: &[String]) -> Option<usize> {
    let is_operation = |word: &String| is_snake_case(word) && !Path::new(word).exists();
    let other = words.iter().position(|word| is_operation(word) && !is_sample(word));
    other.or_else(|| words.iter().position(is_operation)).or_else(|| {
        // A name as a document writes it: there is no such operation, and the answer says what it is called.
        let is_name = |word: &String| {
            word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
                && !Path::new(word).exists()
        };
        words.iter().skip(1).position(|word| is_name(word) && !is_sample(word)).map(|place| place + 1)
    })
}

fn is_sample(word: &str) -> bool {
    demo::is_meant(Path::new(word))
}

fn no_operation() -> CommandError {
    let message = "no operation was named; write it after the sources: aqueduct call FILE-adapter.md OPERATION key=value";
    CommandError::invalid(message)
}

fn exit_of(reply: &Reply) -> Exit {
    match reply {
        Reply::Success(_) => Exit::Done,
        Reply::Failure(failure) if is_input_at_fault(failure) => Exit::Invalid,
        Reply::Failure(_) => Exit::Failed,
        Reply::Batch(batch) => {
            let all_done = batch.results.iter().all(|item| matches!(item.reply, Reply::Success(_)));
            if all_done && batch.halted.is_none() { Exit::Done } else { Exit::Failed }
        }
    }
}

/// True when our own checks turned the input down. APIs share some of these codes, and then it is the call that failed.
fn is_input_at_fault(failure: &Failure) -> bool {
    use Code::{
        InvalidQueryType, NotFoundOperation, ValidationInvalidEncoding, ValidationInvalidType,
        ValidationInvalidValue, ValidationMissingParam, ValidationPayloadTooLarge, ValidationUnknownField,
        ValidationUnknownParam,
    };
    let has_detail = |key: &str, value: &str| failure.details.get(key).is_some_and(|found| found == value);
    let is_about_answer = has_detail("source", "upstream") || has_detail("limit_type", "response_size");
    !is_about_answer
        && matches!(
            failure.code,
            InvalidQueryType
                | NotFoundOperation
                | ValidationInvalidEncoding
                | ValidationInvalidType
                | ValidationInvalidValue
                | ValidationMissingParam
                | ValidationPayloadTooLarge
                | ValidationUnknownField
                | ValidationUnknownParam
        )
}

fn print(reply: &Reply) -> Result<(), CommandError> {
    let text = indented(&reply.to_json())
        .map_err(|error| CommandError::failed(format!("the result cannot be printed: {error}")))?;
    report::data(&terminal_safe_json(&text));
    Ok(())
}

#[cfg(test)]
mod tests;
