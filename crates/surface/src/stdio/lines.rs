//! Bounded lines from an input: a line over the cap is counted and dropped, its head kept to tell which request it was.
//!
//! Reading can be cancelled at any await and goes on where it was.

use std::io;
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

/// Enough of a dropped line to find the request's id in.
const HEAD: usize = 64 * 1024;

/// One line of input.
#[derive(Debug, PartialEq, Eq)]
pub enum InputLine {
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

/// Reads lines.
pub struct InputLines<R> {
    input: BufReader<R>,
    cap: usize,
    buffer: Vec<u8>,
    dropped: u64,
}

impl<R: AsyncRead + Unpin> InputLines<R> {
    pub fn new(input: R, cap: usize) -> InputLines<R> {
        InputLines { input: BufReader::with_capacity(64 * 1024, input), cap, buffer: Vec::new(), dropped: 0 }
    }

    /// The next line, or `None` when the input has ended. A last line without its end counts.
    pub async fn next(&mut self) -> io::Result<Option<InputLine>> {
        loop {
            // Nothing is lost when this await is cancelled: bytes are consumed only after it, in one go.
            let available = self.input.fill_buf().await?;
            if available.is_empty() {
                let rest = self.take();
                return Ok(rest.filter(|line| *line != InputLine::Whole(Vec::new())));
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let piece = &available[..end.unwrap_or(available.len())];
            let room = self.cap.saturating_sub(self.buffer.len());
            self.buffer.extend_from_slice(&piece[..piece.len().min(room)]);
            self.dropped += piece.len().saturating_sub(room) as u64;
            let used = end.map_or(available.len(), |at| at + 1);
            self.input.consume(used);
            if end.is_some()
                && let Some(line) = self.take()
            {
                return Ok(Some(line));
            }
        }
    }

    fn take(&mut self) -> Option<InputLine> {
        let mut bytes = std::mem::take(&mut self.buffer);
        let dropped = std::mem::take(&mut self.dropped);
        if dropped > 0 {
            let length = bytes.len() as u64 + dropped;
            bytes.truncate(HEAD);
            return Some(InputLine::TooLong { head: bytes, length });
        }
        if bytes.last() == Some(&b'\r') {
            bytes.pop();
        }
        Some(InputLine::Whole(bytes))
    }
}

#[cfg(test)]
mod tests;
