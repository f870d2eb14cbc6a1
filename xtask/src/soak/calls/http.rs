//! Callers over HTTP: some without a session, some who open one, use it and end it. Each opens its connection anew now and then.
//!
//! An address and calls in, judged answers out.

use super::Work;
use super::mix::{Call, VERSION};
use crate::bench::session::{INITIALIZE, INITIALIZED};
use crate::bench::wire::{Answer, Connection};
use anyhow::{Context, Result, bail};
use std::net::SocketAddr;

/// Calls over one connection, and in one session.
const PER_CONNECTION: usize = 100;

/// Calls as a client of the newest protocol does.
pub fn stateless(address: SocketAddr, work: &Work) -> Result<()> {
    runtime()?.block_on(async {
        let mut id = 0;
        loop {
            let mut connection = Connection::open(address).await?;
            for _ in 0..PER_CONNECTION {
                let Some(call) = work.next() else { return Ok(()) };
                id += 1;
                let headers = format!(
                    "mcp-protocol-version: {VERSION}\r\nmcp-method: tools/call\r\nmcp-name: {}\r\n",
                    call.tool
                );
                let body = call.stateless_message(id).to_string();
                let answer = connection.exchange(&post(address, &headers, &body)).await?;
                judge(work, &call, &answer);
            }
        }
    })
}

/// Calls as older clients do.
pub fn in_sessions(address: SocketAddr, work: &Work) -> Result<()> {
    runtime()?.block_on(async {
        loop {
            let mut connection = Connection::open(address).await?;
            let opened = connection.exchange(&post(address, "", INITIALIZE)).await?;
            let session = opened.session.context("no session was opened")?;
            let headers = format!("mcp-session-id: {session}\r\nmcp-protocol-version: 2025-11-25\r\n");
            connection.exchange(&post(address, &headers, INITIALIZED)).await?;
            let mut is_over = false;
            for id in 0..PER_CONNECTION {
                let Some(call) = work.next() else {
                    is_over = true;
                    break;
                };
                let body = call.message(id as u64 + 10).to_string();
                let answer = connection.exchange(&post(address, &headers, &body)).await?;
                judge(work, &call, &answer);
            }
            let end = format!("DELETE /mcp HTTP/1.1\r\nhost: {address}\r\n{headers}\r\n");
            let ended = connection.exchange(end.as_bytes()).await?;
            if !(200..300).contains(&ended.status) {
                bail!("the end of a session was answered with {}", ended.status);
            }
            if is_over {
                return Ok(());
            }
        }
    })
}

fn judge(work: &Work, call: &Call, answer: &Answer) {
    work.judge(call, &String::from_utf8_lossy(&answer.body));
}

fn post(address: SocketAddr, headers: &str, body: &str) -> Vec<u8> {
    format!(
        "POST /mcp HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\naccept: application/json, \
         text/event-stream\r\n{headers}content-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

fn runtime() -> Result<tokio::runtime::Runtime> {
    Ok(tokio::runtime::Builder::new_current_thread().enable_io().build()?)
}
