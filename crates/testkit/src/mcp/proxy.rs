//! A server that breaks one rule: it stands before a right one, passes everything on, and changes one thing in the answers.
//!
//! As a program: the name of a fault, then the command of the right server. What each fault breaks is in the table of `faults`.

use super::faults::{self, Fault, Request};
use serde_json::Value;
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, ExitCode, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

/// Requests by their identifiers, as text.
type Requests = Arc<Mutex<HashMap<String, Value>>>;

/// Runs until one of the two sides hangs up.
pub fn main(mut args: impl Iterator<Item = String>) -> ExitCode {
    let name = args.next().unwrap_or_default();
    let Some(fault) = faults::all().find(|fault| fault.name == name) else {
        return ExitCode::from(2);
    };
    match run(fault, args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn run(fault: &Fault, mut command: impl Iterator<Item = String>) -> std::io::Result<()> {
    let program = command.next().unwrap_or_default();
    let mut server =
        Command::new(program).args(command).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let (Some(mut input), Some(output)) = (server.stdin.take(), server.stdout.take()) else {
        return Err(std::io::Error::other("the streams are missing"));
    };
    let requests = Requests::default();
    let seen = Arc::clone(&requests);
    // Ends with this process; the server ends when its input does.
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if let Ok(message) = serde_json::from_str::<Value>(&line) {
                let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
                seen.insert(message["id"].to_string(), message);
            }
            if writeln!(input, "{line}").and_then(|()| input.flush()).is_err() {
                break;
            }
        }
    });
    let mut client = std::io::stdout().lock();
    for line in BufReader::new(output).lines() {
        let line = line?;
        writeln!(client, "{}", changed(fault, &requests, &line).unwrap_or(line))?;
        client.flush()?;
    }
    server.wait().map(|_| ())
}

/// The same message with the fault in it.
fn changed(fault: &Fault, requests: &Requests, line: &str) -> Option<String> {
    let mut answer: Value = serde_json::from_str(line).ok()?;
    answer.get("result")?;
    let sent = requests.lock().unwrap_or_else(PoisonError::into_inner).remove(&answer["id"].to_string())?;
    faults::keep_session(&answer);
    (fault.change)(&Request::read(&sent), &mut answer);
    Some(answer.to_string())
}
