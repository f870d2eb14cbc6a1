//! A web server that says the same to everybody, as often as wanted.

use super::support::LONG;
use aqueduct_operations::mcp::{ServerConfig, ServerTransport};
use aqueduct_operations::named_secret::NamedSecret;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

pub struct Canned {
    port: u16,
    pieces: Arc<AtomicUsize>,
    task: JoinHandle<()>,
}

impl Canned {
    /// Answers with this status, and a body of so many of these pieces.
    pub async fn start(status: &str, kind: &str, piece: Vec<u8>, times: usize) -> Canned {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let head =
            format!("HTTP/1.1 {status}\r\ncontent-type: {kind}\r\nlocation: /x\r\nconnection: close\r\n\r\n");
        let pieces = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&pieces);
        let task = tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let (head, piece, counted) = (head.clone(), piece.clone(), Arc::clone(&counted));
                tokio::spawn(async move {
                    if !take_request(&mut stream).await {
                        return;
                    }
                    stream.write_all(head.as_bytes()).await.ok();
                    for _ in 0..times {
                        if stream.write_all(&piece).await.is_err() {
                            return;
                        }
                        counted.fetch_add(1, Ordering::SeqCst);
                    }
                });
            }
        });
        Canned { port, pieces, task }
    }

    /// How many pieces have been taken, by all requests together.
    pub fn pieces(&self) -> usize {
        self.pieces.load(Ordering::SeqCst)
    }

    /// How it is reached.
    pub fn config(&self) -> ServerConfig {
        let headers = vec![NamedSecret::new("Authorization", "Bearer ${GIVEN_SECRET}")];
        let url = format!("http://127.0.0.1:{}/mcp", self.port).parse().unwrap();
        ServerConfig { name: "canned".into(), reach: ServerTransport::Http { url, headers }, timeout: LONG }
    }
}

/// Reads a request to its end: one that is left unread may cost the answer.
async fn take_request(stream: &mut TcpStream) -> bool {
    let mut asked = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&asked).to_lowercase();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
            if body.len() >= length.unwrap_or(0) {
                return true;
            }
        }
        if !matches!(stream.read_buf(&mut asked).await, Ok(1..)) {
            return false;
        }
    }
}

impl Drop for Canned {
    fn drop(&mut self) {
        self.task.abort();
    }
}
