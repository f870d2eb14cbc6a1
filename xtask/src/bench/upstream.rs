//! A fast API on loopback: 1 KB of JSON to every request, at once, over connections that stay open.
//!
//! Runs on a thread of its own. Counts what it answers, so that nobody can answer from memory unseen.

use anyhow::{Context, Result};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A word that is in every answer.
pub const MARKER: &str = "doggie";
const BODY: usize = 1024;

/// The running API.
pub struct Upstream {
    address: SocketAddr,
    answered: Arc<AtomicU64>,
}

impl Upstream {
    /// Starts it on a free port. It ends with the process.
    pub fn start() -> Result<Upstream> {
        let answered = Arc::new(AtomicU64::new(0));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0"))?;
        let address = listener.local_addr()?;
        let count = Arc::clone(&answered);
        std::thread::Builder::new()
            .name("upstream".to_owned())
            .spawn(move || runtime.block_on(accept(listener, count)))
            .context("no thread for the upstream")?;
        Ok(Upstream { address, answered })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// How many requests it has answered.
    pub fn answered(&self) -> u64 {
        self.answered.load(Ordering::Relaxed)
    }
}

async fn accept(listener: TcpListener, answered: Arc<AtomicU64>) {
    let answer: Arc<[u8]> = answer().into();
    while let Ok((stream, _)) = listener.accept().await {
        let (answer, answered) = (Arc::clone(&answer), Arc::clone(&answered));
        // A connection that breaks is the caller's to notice.
        tokio::spawn(async move { drop(serve(stream, &answer, &answered).await) });
    }
}

/// Answers requests without bodies, one after another.
async fn serve(mut stream: TcpStream, answer: &[u8], answered: &AtomicU64) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut buffer = Vec::with_capacity(4096);
    loop {
        while !buffer.ends_with(b"\r\n\r\n") {
            if stream.read_buf(&mut buffer).await? == 0 {
                return Ok(());
            }
        }
        buffer.clear();
        answered.fetch_add(1, Ordering::Relaxed);
        stream.write_all(answer).await?;
    }
}

fn answer() -> Vec<u8> {
    let start = format!(
        "{{\"id\":1,\"name\":\"{MARKER}\",\"status\":\"available\",\"tags\":[\"a\",\"b\"],\"note\":\""
    );
    let body = format!("{start}{}\"}}", "x".repeat(BODY - start.len() - 2));
    let head = format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {BODY}\r\n\r\n");
    (head + &body).into_bytes()
}

#[cfg(test)]
mod tests;
