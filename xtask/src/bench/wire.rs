//! One HTTP/1.1 connection that stays open, with as little of our own time in it as can be.
//!
//! A request as bytes in; status, session and body out. Reads bodies with a length and bodies in chunks.

use anyhow::{Context, Result, bail};
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// An open connection.
pub struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
    acknowledgements: Acknowledgements,
}

/// When what was received is acknowledged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Acknowledgements {
    /// When the system likes.
    Usual,
    /// At once: a server that waits for them, since it leaves Nagle's algorithm on, stalls for 40 ms otherwise.
    Quick,
}

/// What came back.
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The MCP session that the server opened.
    pub session: Option<String>,
    /// The body, chunks put together.
    pub body: Vec<u8>,
}

impl Connection {
    /// Connects.
    pub async fn open(address: SocketAddr) -> Result<Connection> {
        Connection::acknowledging(address, Acknowledgements::Usual).await
    }

    /// Connects, and acknowledges like this.
    pub async fn acknowledging(
        address: SocketAddr,
        acknowledgements: Acknowledgements,
    ) -> Result<Connection> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Connection { stream, buffer: Vec::with_capacity(8192), acknowledgements })
    }

    /// Sends a request and reads its whole answer.
    pub async fn exchange(&mut self, request: &[u8]) -> Result<Answer> {
        self.buffer.clear();
        self.stream.write_all(request).await?;
        let head_end = loop {
            if let Some(place) = find(&self.buffer, b"\r\n\r\n") {
                break place + 4;
            }
            self.more().await?;
        };
        let head = Head::parse(&self.buffer[..head_end])?;
        let body = match head.length {
            Length::Known(length) => {
                while self.buffer.len() < head_end + length {
                    self.more().await?;
                }
                self.buffer[head_end..head_end + length].to_vec()
            }
            Length::Chunks => loop {
                if let Some(body) = chunks(&self.buffer[head_end..])? {
                    break body;
                }
                self.more().await?;
            },
        };
        Ok(Answer { status: head.status, session: head.session, body })
    }

    async fn more(&mut self) -> Result<()> {
        // The system forgets it whenever it likes.
        #[cfg(target_os = "linux")]
        if self.acknowledgements == Acknowledgements::Quick {
            self.stream.set_quickack(true)?;
        }
        if self.stream.read_buf(&mut self.buffer).await? == 0 {
            bail!("the connection was closed in the middle of an answer");
        }
        Ok(())
    }
}

enum Length {
    Known(usize),
    Chunks,
}

struct Head {
    status: u16,
    length: Length,
    session: Option<String>,
}

impl Head {
    fn parse(bytes: &[u8]) -> Result<Head> {
        let text = std::str::from_utf8(bytes).context("a head that is not text")?;
        let mut lines = text.split("\r\n");
        let status = lines.next().and_then(|line| line.split(' ').nth(1)).context("no status")?.parse()?;
        let mut head = Head { status, length: Length::Known(0), session: None };
        for (name, value) in lines.filter_map(|line| line.split_once(':')) {
            let value = value.trim();
            if name.eq_ignore_ascii_case("content-length") {
                head.length = Length::Known(value.parse()?);
            } else if name.eq_ignore_ascii_case("transfer-encoding") {
                head.length = Length::Chunks;
            } else if name.eq_ignore_ascii_case("mcp-session-id") {
                head.session = Some(value.to_owned());
            }
        }
        Ok(head)
    }
}

/// The body of all chunks, once the last one is there.
fn chunks(mut bytes: &[u8]) -> Result<Option<Vec<u8>>> {
    let mut body = Vec::with_capacity(bytes.len());
    loop {
        let Some(line) = find(bytes, b"\r\n") else { return Ok(None) };
        let size = std::str::from_utf8(&bytes[..line])?.split(';').next().unwrap_or_default().trim();
        let size = usize::from_str_radix(size, 16).context("a chunk without a size")?;
        let end = line + 2 + size;
        if bytes.len() < end + 2 {
            return Ok(None);
        }
        if size == 0 {
            return Ok(Some(body));
        }
        body.extend_from_slice(&bytes[line + 2..end]);
        bytes = &bytes[end + 2..];
    }
}

fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).position(|window| window == part)
}

#[cfg(test)]
mod tests;
