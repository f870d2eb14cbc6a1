//! `--json`: all parameters as one JSON object, from the argument or from standard input.
//!
//! Text in, an object or an error that names the remedy out.

use crate::report::{self, CommandError};
use aqueduct_operations::json_text::{PARSER_DEPTH, nesting_depth};
use aqueduct_operations::limits::Limits;
use aqueduct_operations::naming::ENVELOPE_KEYS;
use serde_json::{Map, Value};
use std::io::{ErrorKind, IsTerminal, Read};

/// The most that is read from standard input; calls may hold less.
const MOST: u64 = 16 * 1024 * 1024;

/// The parameters in the argument of `--json`.
pub fn read(argument: String) -> Result<Map<String, Value>, CommandError> {
    if argument == "-" { parse(&standard_input()?, "standard input") } else { parse(&argument, "--json") }
}

fn parse(text: &str, from: &str) -> Result<Map<String, Value>, CommandError> {
    const FORM: &str = "one object with the parameters, such as {\"id\": 5}";
    if text.trim().is_empty() {
        return Err(invalid(format!("{from} is empty; --json takes {FORM}")));
    }
    if let Some(file) = text.strip_prefix('@') {
        return Err(invalid(format!("--json does not read files by name; use --json - < {file}")));
    }
    match serde_json::from_str(text) {
        // No parameter can have these names, so this is a whole request.
        Ok(Value::Object(object)) if ENVELOPE_KEYS.iter().any(|key| object.contains_key(*key)) => {
            Err(invalid(
                "--json takes the parameters alone: what is in 'params', without 'operation' and 'params'"
                    .to_owned(),
            ))
        }
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(invalid(format!("{from} is JSON but no object; --json takes {FORM}"))),
        Err(error) => Err(too_deep(text, from)
            .unwrap_or_else(|| invalid(format!("{from} is not valid JSON ({error}); --json takes {FORM}")))),
    }
}

/// The error for JSON that is nested too deeply to be read, if that is what is wrong with it.
pub fn too_deep(text: &str, from: &str) -> Option<CommandError> {
    let (depth, usual) = (nesting_depth(text.as_bytes()), Limits::default().max_nesting_depth);
    (depth > PARSER_DEPTH).then(|| {
        invalid(format!(
            "{from} is nested too deeply: it has {depth} levels, and a call takes {usual} in all, or as many as max_nesting_depth \
             of [limits] says; send something flatter"
        ))
    })
}

fn standard_input() -> Result<String, CommandError> {
    if std::io::stdin().is_terminal() {
        report::note("type the parameters as one JSON object, and end with Ctrl-D");
    }
    let mut text = String::new();
    std::io::stdin().take(MOST + 1).read_to_string(&mut text).map_err(|error| match error.kind() {
        ErrorKind::InvalidData => invalid("standard input is not UTF-8 text".to_owned()),
        _ => CommandError::io(format!("standard input cannot be read: {error}")),
    })?;
    if text.len() as u64 > MOST {
        return Err(invalid(format!("standard input holds more than {} MiB", MOST / (1024 * 1024))));
    }
    Ok(text)
}

fn invalid(message: String) -> CommandError {
    CommandError::invalid(message)
}
