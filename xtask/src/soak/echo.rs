//! The API behind the adapter: answers every request with the path that it asked for, and a list where one is asked for.
//!
//! Nothing in; where it listens out, until the process ends.

use crate::loopback_api;
use anyhow::Result;
use std::net::SocketAddr;

/// Items of a list.
const LISTED: u64 = 20;

/// Starts it on a free port of this machine.
pub fn start() -> Result<SocketAddr> {
    loopback_api::start("echo", |request| answer(request).into())
}

fn answer(request: &[u8]) -> Vec<u8> {
    let request = String::from_utf8_lossy(request);
    let path = request.split(' ').nth(1).unwrap_or_default();
    let body = match path.strip_prefix("/list") {
        Some(_) => {
            (0..LISTED).map(|id| serde_json::json!({"id": id, "kind": id % 3, "path": path})).collect()
        }
        None => serde_json::json!({"path": path}),
    };
    let body = body.to_string();
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    (head + &body).into_bytes()
}

#[cfg(test)]
mod tests;
