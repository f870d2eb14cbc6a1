//! A fast API on loopback: 1 or 100 KB of JSON to every request, at once, over connections that stay open.
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

/// How long the body of an answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Body {
    /// 1 KB.
    Small,
    /// 100 KB.
    Large,
}

impl Body {
    /// The path that is answered with it. The number is the parameter of the operation that is called.
    pub fn path(self) -> String {
        format!("/pet/{}", self.number())
    }

    /// The number in the path.
    pub fn number(self) -> u64 {
        match self {
            Body::Small => 1,
            Body::Large => 100,
        }
    }

    fn bytes(self) -> usize {
        1024 * self.number() as usize
    }
}

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
    let answers: Arc<[Vec<u8>; 2]> = Arc::new([answer(Body::Small), answer(Body::Large)]);
    while let Ok((stream, _)) = listener.accept().await {
        let (answers, answered) = (Arc::clone(&answers), Arc::clone(&answered));
        // A connection that breaks is the caller's to notice.
        tokio::spawn(async move { drop(serve(stream, &answers, &answered).await) });
    }
}

/// Answers requests without bodies, one after another.
async fn serve(mut stream: TcpStream, answers: &[Vec<u8>; 2], answered: &AtomicU64) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut buffer = Vec::with_capacity(4096);
    loop {
        while !buffer.ends_with(b"\r\n\r\n") {
            if stream.read_buf(&mut buffer).await? == 0 {
                return Ok(());
            }
        }
        let is_large = buffer.starts_with(b"GET /pet/100 ");
        buffer.clear();
        answered.fetch_add(1, Ordering::Relaxed);
        stream.write_all(&answers[usize::from(is_large)]).await?;
    }
}

/// A pet with as many visits to the doctor as fit.
fn answer(body: Body) -> Vec<u8> {
    let length = body.bytes();
    let start = format!(
        "{{\"id\":1,\"name\":\"{MARKER}\",\"status\":\"available\",\"tags\":[\"a\",\"b\"],\"visits\":["
    );
    let mut text = format!("{start}{}", visit(0));
    let mut number = 1;
    while text.len() + visit(number).len() + 64 < length {
        text = text + "," + &visit(number);
        number += 1;
    }
    let text = format!("{text}],\"note\":\"");
    let body = format!("{text}{}\"}}", "x".repeat(length - text.len() - 2));
    let head =
        format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n");
    (head + &body).into_bytes()
}

fn visit(number: u32) -> String {
    format!(
        "{{\"id\":{number},\"doctor\":\"Doctor {}\",\"at\":\"2026-01-{:02}T09:30:00Z\",\"cost\":{}.5,\"paid\":{},\"note\":null}}",
        number % 7,
        number % 28 + 1,
        number * 3,
        number.is_multiple_of(2)
    )
}

#[cfg(test)]
mod tests;
