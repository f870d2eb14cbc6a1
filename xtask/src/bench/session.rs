//! One MCP session with a server that was just started, over its standard input and output.
//! A program and its arguments in; answers, age and memory of the process out.

use crate::repo;
use anyhow::{Context, Result, bail};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

const OPENING: &str = concat!(
    r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"#,
    r#""clientInfo":{"name":"bench","version":"1"}}}"#,
    "\n",
    r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    "\n",
);
const LIST: &str = concat!(r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#, "\n");

/// A running server.
pub struct Session {
    started: Instant,
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Session {
    /// Starts a server and opens the session, as clients do: the first answer is awaited.
    pub fn open(server: &Path, arguments: &[&str]) -> Result<Session> {
        let started = Instant::now();
        let mut child = Command::new(server)
            .arg("serve")
            .args(arguments)
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("cannot start {}", server.display()))?;
        let input = child.stdin.take().context("no standard input")?;
        let output = BufReader::new(child.stdout.take().context("no standard output")?);
        let mut session = Session { started, child, input, output };
        session.input.write_all(OPENING.as_bytes())?;
        session.line()?;
        Ok(session)
    }

    /// The `tools` array as it came.
    pub fn tools(&mut self) -> Result<String> {
        self.input.write_all(LIST.as_bytes())?;
        let answer = self.line()?;
        let answer: serde_json::Value = serde_json::from_str(&answer)?;
        Ok(answer["result"]["tools"].to_string())
    }

    /// How long ago the process was started.
    pub fn age(&self) -> Duration {
        self.started.elapsed()
    }

    /// What the process holds in memory now.
    pub fn resident_megabytes(&self) -> Result<f64> {
        let status = repo::read(Path::new(&format!("/proc/{}/status", self.child.id())))?;
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).context("no VmRSS")?;
        let kilobytes: f64 = line.split_whitespace().nth(1).context("no number")?.parse()?;
        Ok(kilobytes / 1024.0)
    }

    /// Hangs up and waits for the end.
    pub fn close(mut self) -> Result<()> {
        drop(self.input);
        let status = self.child.wait()?;
        if !status.success() {
            bail!("the server ended with {status}");
        }
        Ok(())
    }

    fn line(&mut self) -> Result<String> {
        let mut line = String::new();
        if self.output.read_line(&mut line)? == 0 {
            bail!("the server ended without an answer");
        }
        Ok(line)
    }
}
