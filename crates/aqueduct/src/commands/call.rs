//! `call`: one operation, its whole result printed. Where a person must confirm, the person at the terminal is asked.
//!
//! Words in, the answer on stdout and exit code 0 or 1 out. Without a terminal nothing is ever confirmed.

use super::{build, pairs, pretty, runtime};
use crate::cli::Shared;
use crate::report::{self, Exit, Stop};
use crate::{config, demo};
use aqueduct_operations::call::{Call, Door, SessionId};
use aqueduct_operations::failure::Code;
use aqueduct_operations::naming::is_snake_case;
use aqueduct_operations::reply::Reply;
use serde_json::{Map, Value};
use std::io::{BufRead, IsTerminal, Read};
use std::path::{Path, PathBuf};

/// Calls one operation.
pub fn call(words: Vec<String>, json: Option<String>, shared: &Shared) -> Result<Exit, Stop> {
    let Some(at) = place_of_operation(&words) else {
        let message = "no operation was named; write it after the sources: aqueduct call FILE-adapter.md OPERATION key=value";
        return Err(Stop::new(Exit::Invalid, message));
    };
    let sources: Vec<PathBuf> = words[..at].iter().map(PathBuf::from).collect();
    let operation = &words[at];
    let aqueduct = build(config::builder(shared, &sources)?)?;
    let catalog = aqueduct.catalog();
    let declared = catalog.find(operation).map(|(_, entry, _)| &entry.operation);
    let mut params = pairs::read(&words[at + 1..], declared)?;
    pairs::fill(&mut params, json.map(read_json).transpose()?.unwrap_or_default());
    let runtime = runtime()?;
    let session = SessionId::new("sess_terminal");
    let run = |params: Map<String, Value>| {
        let mut arguments = Map::new();
        arguments.insert("operation".to_owned(), operation.as_str().into());
        arguments.insert("params".to_owned(), Value::Object(params));
        runtime.block_on(aqueduct.call(Call { arguments, door: Door::Any, session: session.clone() }))
    };
    let mut reply = run(params.clone());
    if let Some(token) = confirmed_by_person(&reply) {
        params.insert("confirmation_token".to_owned(), token);
        reply = run(params);
    }
    print(&reply)?;
    Ok(if matches!(reply, Reply::Success(_)) { Exit::Done } else { Exit::Failed })
}

/// Where the operation stands: the first word that has its form, is no file and is not the sample's. An operation may be
/// called like the sample, so that word is taken when there is no other.
fn place_of_operation(words: &[String]) -> Option<usize> {
    let is_operation = |word: &String| is_snake_case(word) && !Path::new(word).exists();
    let is_sample = |word: &String| demo::is_meant(Path::new(word));
    let other = words.iter().position(|word| is_operation(word) && !is_sample(word));
    other.or_else(|| words.iter().position(is_operation))
}

/// The JSON object of `--json`, from the argument or from standard input.
fn read_json(argument: String) -> Result<Map<String, Value>, Stop> {
    const MOST: u64 = 16 * 1024 * 1024;
    let mut text = argument;
    if text == "-" {
        text = String::new();
        std::io::stdin()
            .take(MOST)
            .read_to_string(&mut text)
            .map_err(|error| Stop::new(Exit::Io, format!("standard input cannot be read: {error}")))?;
    }
    match serde_json::from_str(&text) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(Stop::new(Exit::Invalid, "--json takes a JSON object, such as {\"id\": 5}")),
        Err(error) => Err(Stop::new(Exit::Invalid, format!("--json is not valid JSON: {error}"))),
    }
}

/// Asks on the terminal. The token, when the person there says yes.
fn confirmed_by_person(reply: &Reply) -> Option<Value> {
    let Reply::Failure(failure) = reply else { return None };
    if failure.code != Code::ConfirmationRequired {
        return None;
    }
    if !std::io::stdin().is_terminal() {
        report::note("this call needs a person's yes, and there is no terminal to ask on");
        return None;
    }
    let reasons = failure.details.get("reasons").and_then(Value::as_array);
    let reasons: Vec<&str> = reasons.into_iter().flatten().filter_map(Value::as_str).collect();
    let asked =
        failure.details.get("confirmation_message").and_then(Value::as_str).unwrap_or("Run this call?");
    report::question(&report::harmless(&format!("{asked} ({}) [y/N]", reasons.join("; "))));
    let mut line = String::new();
    let answered = std::io::stdin().lock().read_line(&mut line).is_ok();
    let yes = answered && ["y", "yes"].contains(&line.trim().to_lowercase().as_str());
    if !yes {
        report::note("not confirmed; nothing was sent");
    }
    failure.details.get("confirmation_token").filter(|_| yes).cloned()
}

fn print(reply: &Reply) -> Result<(), Stop> {
    let value: Value = serde_json::from_str(&reply.to_json())
        .map_err(|error| Stop::new(Exit::Failed, format!("the result cannot be printed: {error}")))?;
    report::data(&pretty(&value));
    Ok(())
}
