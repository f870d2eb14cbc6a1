//! An API on loopback for measurements and soaks: it answers requests without bodies, over connections that stay open.
//!
//! In: a name, and what answers the bytes of a request with those of a response. Out: where it listens, on a thread of its
//! own, until the process ends.

use anyhow::{Context, Result};
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Starts it on a free port.
pub fn start(name: &str, answer: impl Fn(&[u8]) -> Arc<[u8]> + Send + Sync + 'static) -> Result<SocketAddr> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0"))?;
    let address = listener.local_addr()?;
    let answer = Arc::new(answer);
    let accept = async move {
        while let Ok((stream, _)) = listener.accept().await {
            let answer = Arc::clone(&answer);
            // A connection that breaks is the caller's to notice.
            tokio::spawn(async move { drop(serve(stream, &*answer).await) });
        }
    };
    std::thread::Builder::new()
        .name(name.to_owned())
        .spawn(move || runtime.block_on(accept))
        .context("no thread for the API")?;
    Ok(address)
}

/// Answers requests, one after another.
async fn serve(mut stream: TcpStream, answer: &(dyn Fn(&[u8]) -> Arc<[u8]> + Sync)) -> std::io::Result<()> {
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
