//! Whether an installed program works: its version, the sample over its standard input and output, and the sample over HTTP.
//!
//! A way to start it in, an error out. It is started as clients start it, and has to end when it is told to.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::bench::session::Session;
use crate::dist::Release;
use crate::dist::program::output;

/// A call of the sample, and what its answer holds.
const CALL: &str = concat!(
    r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"mcp_aql_read","#,
    r#""arguments":{"operation":"search_books","params":{"q":"verne"}}}}"#,
    "\n"
);
const FOUND: &str = "Jules Verne";

/// Tries all three.
pub fn runs_the_sample(release: &Release<'_>, start: impl Fn() -> Command) -> Result<()> {
    let version = output(start().arg("--version"))?;
    if version.trim() != format!("aqueduct {}", release.version) {
        bail!("it says that it is '{}'", version.trim());
    }
    over_stdio(start()).context("over standard input and output")?;
    over_http(start()).context("over HTTP")
}

fn over_stdio(mut command: Command) -> Result<()> {
    let mut session = Session::with(command.args(["serve", "demo", "--state-dir", "none"]))?;
    let tools = session.tools()?;
    if !tools.contains("mcp_aql_read") {
        bail!("it has no tool for reading: {tools}");
    }
    session.send(CALL.as_bytes())?;
    let answer = session.line()?;
    if !answer.contains(FOUND) {
        bail!("a call was answered with {answer}");
    }
    session.close()
}

fn over_http(mut command: Command) -> Result<()> {
    command.args(["demo", "--http", "127.0.0.1:0"]);
    // What starts programs for others is in between: a signal to the group reaches all of them.
    command.process_group(0).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().context("it cannot be started")?;
    let lines = BufReader::new(child.stderr.take().context("no standard error")?).lines();
    let asked = health(lines);
    output(Command::new("kill").args(["-TERM", "--", &format!("-{}", child.id())]))?;
    child.wait()?;
    let answer = asked?;
    if !answer.starts_with("HTTP/1.1 200") || !answer.trim_end().ends_with("ok") {
        bail!("it says of its health: {answer}");
    }
    Ok(())
}

/// What the server whose lines these are answers when it is asked how it is.
fn health(lines: impl Iterator<Item = std::io::Result<String>>) -> Result<String> {
    let mut said = String::new();
    for line in lines {
        let line = line?;
        if let Some(rest) = line.strip_prefix("listening on http://") {
            let address = rest.trim_end_matches("/mcp");
            let mut stream = TcpStream::connect(address).with_context(|| address.to_owned())?;
            write!(stream, "GET /healthz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
            let mut answer = String::new();
            stream.read_to_string(&mut answer)?;
            return Ok(answer);
        }
        said = said + &line + "\n";
    }
    bail!("it ended and said: {said}")
}
