//! One MCP session with the real binary: requests in, results out, one at a time.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A running server and its two streams.
pub struct Session {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    last_id: u64,
}

impl Session {
    /// Starts a server with this command and opens a session.
    pub fn open(command: &mut Command) -> Result<Session, String> {
        let spawned = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn();
        let mut child = spawned.map_err(|error| format!("the server does not start: {error}"))?;
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let mut session = Session { child, input, output, last_id: 0 };
        let client = json!({"name": "docs", "version": "1"});
        let opening = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
        session.request("initialize", opening)?;
        session.write(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(session)
    }

    /// Sends one request and waits for its result.
    pub fn request(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.last_id += 1;
        self.write(&json!({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params}))?;
        let mut line = String::new();
        self.output.read_line(&mut line).map_err(|error| error.to_string())?;
        let answer: Value = serde_json::from_str(&line).map_err(|error| format!("{error}: '{line}'"))?;
        answer.get("result").cloned().ok_or_else(|| format!("no result: {answer}"))
    }

    /// Calls a tool and gives back the answer inside its text block.
    pub fn call(&mut self, tool: &str, arguments: &Value) -> Result<Value, String> {
        let result = self.request("tools/call", json!({"name": tool, "arguments": arguments}))?;
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        serde_json::from_str(text).map_err(|error| format!("{error}: '{text}'"))
    }

    fn write(&mut self, message: &Value) -> Result<(), String> {
        writeln!(self.input, "{message}").map_err(|error| format!("the server is gone: {error}"))
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // It may have ended by itself, which is fine too.
        let ended = self.child.kill().and_then(|()| self.child.wait());
        drop(ended);
    }
}
