//! The API behind the adapter: answers every request with the path that it asked for, and a list where one is asked for.
//!
//! Runs on a thread of its own, over connections that stay open, until the process ends.

use anyhow::{Context, Result};
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Items of a list.
const LISTED: u64 = 20;

/// Starts it on a free port of this machine.
pub fn start() -> Result<SocketAddr> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0"))?;
    let address = listener.local_addr()?;
    std::thread::Builder::new()
        .name("echo".to_owned())
        .spawn(move || runtime.block_on(accept(listener)))
        .context("no thread for the API")?;
    Ok(address)
}

async fn accept(listener: TcpListener) {
    while let Ok((stream, _)) = listener.accept().await {
        // A connection that breaks is the caller's to notice.
        tokio::spawn(async move { drop(serve(stream).await) });
    }
}

/// Answers requests without bodies, one after another.
async fn serve(mut stream: TcpStream) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut buffer = Vec::with_capacity(4096);
    loop {
        while !buffer.ends_with(b"\r\n\r\n") {
            if stream.read_buf(&mut buffer).await? == 0 {
                return Ok(());
            }
        }
        let answer = answer(&buffer);
        buffer.clear();
        stream.write_all(&answer).await?;
    }
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
