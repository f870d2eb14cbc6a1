//! A server's process, and one MCP session with it over its standard input and output.
//! A command in; answers, age and memory of the process out.

use crate::repo;
use anyhow::{Context, Result, bail};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// The request that opens a session.
pub const INITIALIZE: &str = concat!(
    r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"#,
    r#""clientInfo":{"name":"bench","version":"1"}}}"#,
);
/// What a client says when the session is open.
pub const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
/// Asks for the tools.
pub const LIST: &[u8] = b"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}\n";

/// Bytes that are read from a server at once, if they are there.
const BUFFER: usize = 64 * 1024;

/// A process that ends when this is dropped.
pub struct Process(Child);

impl Process {
    /// Starts a server that is spoken to elsewhere.
    pub fn start(command: &mut Command) -> Result<Process> {
        let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Ok(Process(quiet.spawn().context("a server cannot be started")?))
    }

    /// One that was started elsewhere.
    pub fn of(child: Child) -> Process {
        Process(child)
    }

    /// Its number.
    pub fn id(&self) -> u32 {
        self.0.id()
    }

    /// Ends it now.
    pub fn end(mut self) -> Result<()> {
        self.0.kill()?;
        self.0.wait()?;
        Ok(())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already; there is no one to tell.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// A running server.
pub struct Session {
    started: Instant,
    process: Process,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Session {
    /// Starts `serve` and opens the session, as clients do: the first answer is awaited.
    pub fn open(server: &Path, arguments: &[&str]) -> Result<Session> {
        Session::with(Command::new(server).arg("serve").args(arguments).env_clear())
    }

    /// Starts any server and opens the session.
    pub fn with(command: &mut Command) -> Result<Session> {
        let started = Instant::now();
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("a server cannot be started")?;
        let input = child.stdin.take().context("no standard input")?;
        // As large as what clients read with: with 8 KB a response of 100 KB takes sixteen system calls.
        let output = BufReader::with_capacity(BUFFER, child.stdout.take().context("no standard output")?);
        let mut session = Session { started, process: Process(child), input, output };
        session.send(format!("{INITIALIZE}\n{INITIALIZED}\n").as_bytes())?;
        session.line()?;
        Ok(session)
    }

    /// The `tools` array as it came.
    pub fn tools(&mut self) -> Result<String> {
        self.send(LIST)?;
        tools_of(&self.line()?)
    }

    /// Sends one line or more.
    pub fn send(&mut self, lines: &[u8]) -> Result<()> {
        Ok(self.input.write_all(lines)?)
    }

    /// The next line.
    pub fn line(&mut self) -> Result<String> {
        let mut line = String::new();
        if self.output.read_line(&mut line)? == 0 {
            bail!("the server ended without an answer");
        }
        Ok(line)
    }

    /// How long ago the process was started.
    pub fn age(&self) -> Duration {
        self.started.elapsed()
    }

    /// What the process holds in memory now.
    pub fn resident_megabytes(&self) -> Result<f64> {
        resident_megabytes(self.process_id())
    }

    /// The number of the process.
    pub fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// Hangs up and waits for the end.
    pub fn close(self) -> Result<()> {
        let Session { mut process, input, .. } = self;
        drop(input);
        let status = process.0.wait()?;
        if !status.success() {
            bail!("the server ended with {status}");
        }
        Ok(())
    }
}

/// The tools in the answer to `LIST`.
pub fn tools_of(answer: &str) -> Result<String> {
    let answer: serde_json::Value = serde_json::from_str(answer)?;
    if answer["result"]["nextCursor"].is_string() {
        bail!("the list of tools comes in pages, which are not followed");
    }
    Ok(answer["result"]["tools"].to_string())
}

/// What a process holds in memory now.
pub fn resident_megabytes(process: u32) -> Result<f64> {
    let status = repo::read(Path::new(&format!("/proc/{process}/status")))?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).context("no VmRSS")?;
    let kilobytes: f64 = line.split_whitespace().nth(1).context("no number")?.parse()?;
    Ok(kilobytes / 1024.0)
}
