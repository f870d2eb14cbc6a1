//! The load generator: the same question asked directly, over stdio and over HTTP, one caller or sixteen.
//!
//! A subject in, times and rates out. Every answer is looked at: a fast failure is no success.

use super::session::{INITIALIZE, INITIALIZED, Process, Session};
use super::upstream::MARKER;
use super::wire::Connection;
use anyhow::{Context, Result, bail};
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

/// Callers at once in the second half of a run.
pub const CALLERS: usize = 16;
/// Longest time, and most calls, of one caller in a run.
const SEQUENTIAL: (Duration, usize) = (Duration::from_secs(1), 2000);
const CONCURRENT: Duration = Duration::from_millis(1500);
/// Calls before anything is measured: connections open, caches warm.
const WARM_UP: usize = 50;

/// Something that can be asked.
pub enum Subject {
    /// The upstream itself, asked by the shortest way there is.
    Direct(Wire),
    /// The upstream itself, asked as programs do.
    Library(Library),
    /// An MCP server over its standard input and output.
    Stdio(Session, Request),
    /// An MCP server over streamable HTTP, and its process.
    Http(Wire, Process),
}

/// An HTTP client library, the one that the server itself calls with.
pub struct Library {
    runtime: Runtime,
    client: reqwest::Client,
    url: String,
}

impl Library {
    /// Asks this URL.
    pub fn new(url: String) -> Result<Library> {
        // Another provider may be there already; either will do.
        drop(rustls::crypto::ring::default_provider().install_default());
        let client = reqwest::Client::builder().no_proxy().tls_certs_only([]).build()?;
        Ok(Library {
            runtime: tokio::runtime::Builder::new_current_thread().enable_all().build()?,
            client,
            url,
        })
    }

    fn sequential(&self, times: &mut Vec<Duration>, most: usize) -> Result<()> {
        self.runtime.block_on(async {
            let started = Instant::now();
            while times.len() < most && started.elapsed() < SEQUENTIAL.0 {
                let asked = Instant::now();
                get(&self.client, &self.url).await?;
                times.push(asked.elapsed());
            }
            Ok(())
        })
    }

    fn concurrent(&self) -> Result<(u64, Duration)> {
        let started = Instant::now();
        let done = self.runtime.block_on(async {
            let ask = || {
                let (client, url) = (self.client.clone(), self.url.clone());
                tokio::spawn(async move {
                    let mut calls = 0;
                    while started.elapsed() < CONCURRENT {
                        get(&client, &url).await?;
                        calls += 1;
                    }
                    Ok::<u64, anyhow::Error>(calls)
                })
            };
            let callers: Vec<_> = (0..CALLERS).map(|_| ask()).collect();
            let mut total = 0;
            for caller in callers {
                total += caller.await??;
            }
            Ok::<u64, anyhow::Error>(total)
        })?;
        Ok((done, started.elapsed()))
    }
}

async fn get(client: &reqwest::Client, url: &str) -> Result<()> {
    check(&client.get(url).send().await?.bytes().await?)
}

/// Connections to one server, each with its request.
pub struct Wire {
    runtime: Runtime,
    address: SocketAddr,
    /// What is asked: a path of the upstream, or a tool with its arguments.
    asked: Asked,
    callers: Vec<(Connection, Request)>,
}

enum Asked {
    Path(String),
    Tool(String),
}

/// The bytes of a request that is sent again and again, each time with an id that was not used before.
#[derive(Clone)]
pub struct Request {
    bytes: Vec<u8>,
    id_place: Option<usize>,
    id: u64,
}

/// Digits of an id; no run has more calls.
const FIRST_ID: u64 = 100_000_000;

impl Request {
    /// A request without an id.
    fn plain(text: String) -> Request {
        Request { bytes: text.into_bytes(), id_place: None, id: 0 }
    }

    /// A request that holds the first id somewhere.
    fn numbered(bytes: Vec<u8>) -> Request {
        let digits = FIRST_ID.to_string();
        let id_place = bytes.windows(digits.len()).position(|window| window == digits.as_bytes());
        Request { bytes, id_place, id: FIRST_ID }
    }

    /// A tool call as one line.
    pub fn line(tool: &str, arguments: &serde_json::Value) -> Request {
        Request::numbered(format!("{}\n", call(tool, arguments)).into_bytes())
    }

    fn next(&mut self) -> &[u8] {
        if let Some(place) = self.id_place {
            self.id += 1;
            let digits = self.id.to_string();
            self.bytes[place..place + digits.len()].copy_from_slice(digits.as_bytes());
        }
        &self.bytes
    }
}

/// What one run of a subject gave.
#[derive(Debug, Clone, Copy)]
pub struct Run {
    /// Median time of a call by one caller, in milliseconds.
    pub median: f64,
    /// The time that 99 of 100 such calls keep, in milliseconds.
    pub slow: f64,
    /// Calls a second by all callers.
    pub rate: f64,
    /// Calls in all.
    pub calls: u64,
}

impl Wire {
    /// Connections for plain requests.
    pub fn plain(address: SocketAddr, path: &str) -> Result<Wire> {
        Wire::new(address, Asked::Path(path.to_owned()))
    }

    /// Connections for tool calls, each in an MCP session of its own.
    pub fn mcp(address: SocketAddr, tool: &str, arguments: &serde_json::Value) -> Result<Wire> {
        Wire::new(address, Asked::Tool(call(tool, arguments)))
    }

    fn new(address: SocketAddr, asked: Asked) -> Result<Wire> {
        let mut wire = Wire { runtime: runtime()?, address, asked, callers: Vec::new() };
        wire.reopen()?;
        Ok(wire)
    }

    /// Opens all connections anew: some servers close those that were quiet for some seconds.
    fn reopen(&mut self) -> Result<()> {
        self.callers.clear();
        for _ in 0..CALLERS {
            let caller = self.runtime.block_on(open(self.address, &self.asked))?;
            self.callers.push(caller);
        }
        Ok(())
    }

    fn sequential(&mut self, times: &mut Vec<Duration>, most: usize) -> Result<()> {
        let (connection, request) = self.callers.first_mut().context("no connection")?;
        self.runtime.block_on(async {
            let started = Instant::now();
            while times.len() < most && started.elapsed() < SEQUENTIAL.0 {
                let asked = Instant::now();
                ask(connection, request).await?;
                times.push(asked.elapsed());
            }
            Ok(())
        })
    }

    fn concurrent(&mut self) -> Result<(u64, Duration)> {
        let started = Instant::now();
        let mut callers = std::mem::take(&mut self.callers);
        let done = self.runtime.block_on(async {
            let mut tasks = Vec::new();
            for (mut connection, mut request) in callers.drain(..) {
                tasks.push(tokio::spawn(async move {
                    let mut calls = 0;
                    while started.elapsed() < CONCURRENT {
                        ask(&mut connection, &mut request).await?;
                        calls += 1;
                    }
                    Ok::<_, anyhow::Error>((calls, (connection, request)))
                }));
            }
            let mut total = 0;
            for task in tasks {
                let (calls, caller) = task.await??;
                total += calls;
                callers.push(caller);
            }
            Ok::<_, anyhow::Error>(total)
        })?;
        self.callers = callers;
        Ok((done, started.elapsed()))
    }
}

impl Subject {
    /// Warms up and measures once.
    pub fn run(&mut self) -> Result<Run> {
        if let Subject::Direct(wire) | Subject::Http(wire, _) = self {
            wire.reopen()?;
        }
        let mut warm_up = Vec::new();
        self.sequential(&mut warm_up, WARM_UP)?;
        let mut times = Vec::with_capacity(SEQUENTIAL.1);
        self.sequential(&mut times, SEQUENTIAL.1)?;
        let (done, took) = self.concurrent()?;
        times.sort();
        let at = |share: f64| {
            let index = ((times.len() - 1) as f64 * share) as usize;
            times.get(index).map_or(0.0, |time| time.as_secs_f64() * 1000.0)
        };
        Ok(Run {
            median: at(0.5),
            slow: at(0.99),
            rate: done as f64 / took.as_secs_f64(),
            calls: (times.len() + warm_up.len()) as u64 + done,
        })
    }

    /// Ends the server, if there is one of its own.
    pub fn close(self) -> Result<()> {
        match self {
            Subject::Direct(_) | Subject::Library(_) => Ok(()),
            Subject::Stdio(session, _) => session.close(),
            Subject::Http(_, process) => process.end(),
        }
    }

    fn sequential(&mut self, times: &mut Vec<Duration>, most: usize) -> Result<()> {
        match self {
            Subject::Direct(wire) | Subject::Http(wire, _) => wire.sequential(times, most),
            Subject::Library(library) => library.sequential(times, most),
            Subject::Stdio(session, call) => {
                let started = Instant::now();
                while times.len() < most && started.elapsed() < SEQUENTIAL.0 {
                    let asked = Instant::now();
                    session.send(call.next())?;
                    check(session.line()?.as_bytes())?;
                    times.push(asked.elapsed());
                }
                Ok(())
            }
        }
    }

    /// Sixteen calls are always under way; how many were answered, and in which time.
    fn concurrent(&mut self) -> Result<(u64, Duration)> {
        match self {
            Subject::Direct(wire) | Subject::Http(wire, _) => wire.concurrent(),
            Subject::Library(library) => library.concurrent(),
            Subject::Stdio(session, call) => {
                let started = Instant::now();
                for _ in 0..CALLERS {
                    session.send(call.next())?;
                }
                let (mut under_way, mut done) = (CALLERS, 0);
                while under_way > 0 {
                    check(session.line()?.as_bytes())?;
                    done += 1;
                    if started.elapsed() < CONCURRENT {
                        session.send(call.next())?;
                    } else {
                        under_way -= 1;
                    }
                }
                Ok((done, started.elapsed()))
            }
        }
    }
}

async fn open(address: SocketAddr, asked: &Asked) -> Result<(Connection, Request)> {
    let mut connection = Connection::open(address).await?;
    let call = match asked {
        Asked::Path(path) => {
            let request =
                format!("GET {path} HTTP/1.1\r\nhost: {address}\r\naccept: application/json\r\n\r\n");
            return Ok((connection, Request::plain(request)));
        }
        Asked::Tool(call) => call,
    };
    let opened = connection.exchange(&post(address, None, INITIALIZE)).await?;
    if opened.status != 200 {
        bail!("initialize was answered with {}", opened.status);
    }
    let session = opened.session.as_deref();
    connection.exchange(&post(address, session, INITIALIZED)).await?;
    Ok((connection, Request::numbered(post(address, session, call))))
}

async fn ask(connection: &mut Connection, request: &mut Request) -> Result<()> {
    let answer = connection.exchange(request.next()).await?;
    if answer.status != 200 {
        bail!("a call was answered with {}: {}", answer.status, String::from_utf8_lossy(&answer.body));
    }
    check(&answer.body)
}

/// An answer without the upstream's word in it is a failure.
fn check(answer: &[u8]) -> Result<()> {
    let text = std::str::from_utf8(answer).context("an answer that is not text")?;
    if !text.contains(MARKER) {
        bail!("a call failed: {text}");
    }
    Ok(())
}

fn call(tool: &str, arguments: &serde_json::Value) -> String {
    let params = serde_json::json!({"name": tool, "arguments": arguments});
    serde_json::json!({"jsonrpc": "2.0", "id": FIRST_ID, "method": "tools/call", "params": params})
        .to_string()
}

fn post(address: SocketAddr, session: Option<&str>, body: &str) -> Vec<u8> {
    let session = session.map_or_else(String::new, |id| {
        format!("mcp-session-id: {id}\r\nmcp-protocol-version: 2025-11-25\r\n")
    });
    format!(
        "POST /mcp HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\naccept: application/json, \
         text/event-stream\r\n{session}content-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

fn runtime() -> Result<Runtime> {
    Ok(tokio::runtime::Builder::new_current_thread().enable_io().build()?)
}

#[cfg(test)]
mod tests;
