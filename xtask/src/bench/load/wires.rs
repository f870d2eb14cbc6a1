//! Connections to one server, each with its request, and over MCP each with a session of its own.
//!
//! An address and what is asked in; times and counts out, and the list of tools.

use super::super::session::{INITIALIZE, INITIALIZED, LIST, tools_of};
use super::super::upstream::Body;
use super::super::wire::{Acknowledgements, Connection};
use super::{CALLERS, CONCURRENT, Request, SEQUENTIAL, ToolCall, check};
use anyhow::{Context, Result, bail};
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

/// The connections.
pub struct Wire {
    runtime: Runtime,
    address: SocketAddr,
    acknowledgements: Acknowledgements,
    /// What is called; none for the upstream itself.
    call: Option<ToolCall>,
    callers: Vec<(Connection, Request)>,
}

impl Wire {
    /// Connections to the upstream itself.
    pub fn plain(address: SocketAddr) -> Result<Wire> {
        Wire::new(address, None, Acknowledgements::Usual)
    }

    /// Connections for tool calls.
    pub fn mcp(address: SocketAddr, call: ToolCall, acknowledgements: Acknowledgements) -> Result<Wire> {
        Wire::new(address, Some(call), acknowledgements)
    }

    fn new(address: SocketAddr, call: Option<ToolCall>, acknowledgements: Acknowledgements) -> Result<Wire> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
        Ok(Wire { runtime, address, acknowledgements, call, callers: Vec::new() })
    }

    /// The list of tools as it came, in a session of its own.
    pub fn tools(&self) -> Result<String> {
        self.runtime.block_on(async {
            let (mut connection, session) = self.session().await?;
            let list = std::str::from_utf8(LIST)?.trim_end();
            let answer = connection.exchange(&post(self.address, session.as_deref(), list)).await?;
            let text = String::from_utf8(answer.body)?;
            let data = text
                .lines()
                .filter_map(|line| line.strip_prefix("data:"))
                .find(|data| data.contains("\"tools\""));
            tools_of(data.unwrap_or(&text))
        })
    }

    /// Opens all connections anew: some servers close those that were quiet for some seconds.
    pub fn reopen(&mut self, body: Body) -> Result<()> {
        self.callers.clear();
        for _ in 0..CALLERS {
            let caller = self.runtime.block_on(self.open(body))?;
            self.callers.push(caller);
        }
        Ok(())
    }

    async fn open(&self, body: Body) -> Result<(Connection, Request)> {
        let address = self.address;
        let Some(call) = &self.call else {
            let connection = Connection::acknowledging(address, self.acknowledgements).await?;
            let path = body.path();
            let request =
                format!("GET {path} HTTP/1.1\r\nhost: {address}\r\naccept: application/json\r\n\r\n");
            return Ok((connection, Request::plain(request)));
        };
        let (connection, session) = self.session().await?;
        let request = post(address, session.as_deref(), &call.message(body));
        Ok((connection, Request::numbered(request, 0)))
    }

    async fn session(&self) -> Result<(Connection, Option<String>)> {
        let mut connection = Connection::acknowledging(self.address, self.acknowledgements).await?;
        let opened = connection.exchange(&post(self.address, None, INITIALIZE)).await?;
        if opened.status != 200 {
            bail!("initialize was answered with {}", opened.status);
        }
        connection.exchange(&post(self.address, opened.session.as_deref(), INITIALIZED)).await?;
        Ok((connection, opened.session))
    }

    /// Calls of one caller.
    pub fn sequential(&mut self, times: &mut Vec<Duration>, most: usize) -> Result<()> {
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

    /// Calls of all callers; how many, and in which time.
    pub fn concurrent(&mut self) -> Result<(u64, Duration)> {
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

async fn ask(connection: &mut Connection, request: &mut Request) -> Result<()> {
    let answer = connection.exchange(request.next()).await?;
    if answer.status != 200 {
        bail!("a call was answered with {}: {}", answer.status, String::from_utf8_lossy(&answer.body));
    }
    check(&answer.body)
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
