//! Bounded lines from an input: what a client writes to us, and what a child process writes.
//!
//! Bytes in, lines out. A line over the cap is counted and dropped, its head kept to tell which request it was; or it ends the
//! reading. Reading can be cancelled at any await and goes on where it was.

use std::io;
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

/// Enough of a dropped line to find the request's id in.
const HEAD: usize = 64 * 1024;

/// One line of input.
#[derive(Debug, PartialEq, Eq)]
pub enum BoundedLine {
    /// The whole line, without its end.
    Whole(Vec<u8>),
    /// A line over the cap.
    TooLong {
        /// Its beginning.
        head: Vec<u8>,
        /// How many bytes it had.
        length: u64,
    },
}

/// What was read of a line.
enum Piece {
    Middle,
    LineEnd,
    InputEnd,
}

/// Reads lines.
#[derive(Debug)]
pub struct BoundedLines<R> {
    input: BufReader<R>,
    cap: usize,
    buffer: Vec<u8>,
    dropped: u64,
}

impl<R: AsyncRead + Unpin> BoundedLines<R> {
    /// Lines of this input, none of more than `cap` bytes.
    pub fn new(input: R, cap: usize) -> BoundedLines<R> {
        BoundedLines {
            input: BufReader::with_capacity(64 * 1024, input),
            cap,
            buffer: Vec::new(),
            dropped: 0,
        }
    }

    /// The next line, or `None` when the input has ended. A last line without its end counts.
    pub async fn next(&mut self) -> io::Result<Option<BoundedLine>> {
        loop {
            match self.piece().await? {
                Piece::Middle => {}
                Piece::LineEnd => return Ok(Some(self.take())),
                Piece::InputEnd => {
                    let rest = self.take();
                    return Ok(Some(rest).filter(|line| *line != BoundedLine::Whole(Vec::new())));
                }
            }
        }
    }

    /// The next whole line, or `None` when the input has ended, in the middle of a line or not. A line over the cap is an
    /// error, as soon as it is known to be one.
    pub async fn next_whole(&mut self) -> io::Result<Option<Vec<u8>>> {
        loop {
            let piece = self.piece().await?;
            if self.dropped > 0 {
                return Err(io::Error::other("a message is too long"));
            }
            match piece {
                Piece::Middle => {}
                Piece::LineEnd => return Ok(Some(std::mem::take(&mut self.buffer))),
                Piece::InputEnd => return Ok(None),
            }
        }
    }

    /// Takes what the input has of the current line.
    async fn piece(&mut self) -> io::Result<Piece> {
        // Nothing is lost when this await is cancelled: bytes are consumed only after it, in one go.
        let available = self.input.fill_buf().await?;
        if available.is_empty() {
            return Ok(Piece::InputEnd);
        }
        let end = memchr::memchr(b'\n', available);
        let piece = &available[..end.unwrap_or(available.len())];
        let room = self.cap.saturating_sub(self.buffer.len());
        self.buffer.extend_from_slice(&piece[..piece.len().min(room)]);
        self.dropped += piece.len().saturating_sub(room) as u64;
        let used = end.map_or(available.len(), |at| at + 1);
        self.input.consume(used);
        Ok(if end.is_some() { Piece::LineEnd } else { Piece::Middle })
    }

    fn take(&mut self) -> BoundedLine {
        let mut bytes = std::mem::take(&mut self.buffer);
        let dropped = std::mem::take(&mut self.dropped);
        if dropped > 0 {
            let length = bytes.len() as u64 + dropped;
            bytes.truncate(HEAD);
            return BoundedLine::TooLong { head: bytes, length };
        }
        if bytes.last() == Some(&b'\r') {
            bytes.pop();
        }
        BoundedLine::Whole(bytes)
    }
}

#[cfg(test)]
mod tests;
